// The authorization server's endpoints for programs; its pages are in `site/`.
import type { FastifyInstance } from 'fastify'
import type { Provider } from '../../oauth/provider.ts'
import { discoveryRoutes } from './discovery-routes.ts'
import { tokenRoutes } from './token-routes.ts'
import { userinfoRoutes } from './userinfo-routes.ts'

export const addOauthEndpoints = async (server: FastifyInstance, provider: Provider): Promise<void> => {
  await server.register(async scope => discoveryRoutes(scope, provider.issuer))
  await server.register(async scope => tokenRoutes(scope, provider))
  await server.register(async scope => userinfoRoutes(scope, provider.userinfo))
}
