// The authorization server's endpoints for programs; its pages are in `site/`.
import type { FastifyInstance } from 'fastify'
import type { Provider } from '../../oauth/provider.ts'
import { discoveryRoutes } from './discovery-routes.ts'
import { replyWithOauthFault } from './reply-with-oauth-fault.ts'
import { tokenRoutes } from './token-routes.ts'
import { userinfoRoutes } from './userinfo-routes.ts'

export const addOauthEndpoints = async (server: FastifyInstance, provider: Provider): Promise<void> => {
  await server.register(async endpoints => {
    endpoints.setErrorHandler(replyWithOauthFault)
    await endpoints.register(async scope => discoveryRoutes(scope, provider))
    await endpoints.register(async scope => tokenRoutes(scope, provider))
    await endpoints.register(async scope => userinfoRoutes(scope, provider.userinfo))
  })
}
