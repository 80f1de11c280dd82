// The authorization server's endpoints for programs; its pages are in `site/`.
import type { FastifyInstance } from 'fastify'
import type { Handler } from '../../http/handler.ts'
import type { Provider } from '../../oauth/provider.ts'
import { discoveryRoutes } from './discovery-routes.ts'
import { replyWithOauthFault } from './reply-with-oauth-fault.ts'
import { tokenRoutes } from './token-routes.ts'
import { userinfoRoutes } from './userinfo-routes.ts'

/** @param handleToken answers a POST to the token endpoint, and reads its body */
export const addOauthEndpoints = async (
  server: FastifyInstance,
  provider: Provider,
  handleToken: Handler,
): Promise<void> => {
  await server.register(async endpoints => {
    endpoints.setErrorHandler(replyWithOauthFault)
    await endpoints.register(async scope => discoveryRoutes(scope, provider))
    await endpoints.register(async scope => tokenRoutes(scope, provider, handleToken))
    await endpoints.register(async scope => userinfoRoutes(scope, provider.userinfo))
  })
}
