// The pages of one's own account, and the page for URLs that do not exist.
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../http/not-found.ts'
import { addPages } from '../frame/page-routes.ts'
import type { AccountParts } from '../sign-in/account-parts.ts'
import { addEmailRoutes } from './email-routes.ts'
import { addAccountListRoutes, addOutboxRoute } from './lists-routes.ts'
import { addOwnDataRoutes } from './own-data/routes.ts'
import { addProfileRoutes } from './profile-routes.ts'
import { addTakeBackRoutes } from './take-back/routes.ts'

export const addAccountRoutes = (server: FastifyInstance, parts: AccountParts): Promise<void> =>
  addPages(server, parts.pages, routes => {
    addProfileRoutes(routes, parts)
    addEmailRoutes(routes, parts)
    addAccountListRoutes(routes, parts)
    addOwnDataRoutes(routes, parts)
    addTakeBackRoutes(routes, parts)
    if (!parts.pages.production) addOutboxRoute(routes, parts)
    routes.get('/*', () => {
      throw notFound()
    })
  })
