// The addresses of the authorization server, by who calls them: programs, browsers that show pages, anybody who asks what there is.
import type { FastifyInstance } from 'fastify'
import type { Provider } from '../oauth/provider.ts'
import { authorizeRoutes } from './oauth/authorize-routes.ts'
import { discoveryRoutes } from './oauth/discovery-routes.ts'
import { logoutRoutes } from './oauth/logout-routes.ts'
import { pictureRoutes } from './oauth/picture-routes.ts'
import { tokenRoutes } from './oauth/token-routes.ts'
import { userinfoRoutes } from './oauth/userinfo-routes.ts'
import type { PageFrame } from './pages-routes.ts'

export const oauthRoutes = async (server: FastifyInstance, provider: Provider, frame: PageFrame): Promise<void> => {
  await authorizeRoutes(server, provider, frame)
  await logoutRoutes(server, provider, frame)
  pictureRoutes(server)
  await server.register(async scope => discoveryRoutes(scope, provider))
  await server.register(async scope => tokenRoutes(scope, provider))
  await server.register(async scope => userinfoRoutes(scope, provider))
}
