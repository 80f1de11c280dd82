// All pages of accounts, and the page for addresses that do not exist.
import type { FastifyInstance } from 'fastify'
import { addAccountListRoutes, addOutboxRoute } from './account-lists-routes.ts'
import type { AccountParts } from './account-parts.ts'
import { addProfileRoutes } from './account-profile-routes.ts'
import { addSignInRoutes } from './account-sign-in-routes.ts'
import { addSignUpRoutes } from './account-sign-up-routes.ts'
import { notFound } from './pages-fault.ts'
import { addPages } from './pages-routes.ts'

export const addAccountRoutes = (server: FastifyInstance, parts: AccountParts): Promise<void> =>
  addPages(server, parts.pages, routes => {
    addSignInRoutes(routes, parts)
    addSignUpRoutes(routes, parts)
    addProfileRoutes(routes, parts)
    addAccountListRoutes(routes, parts)
    if (!parts.pages.production) addOutboxRoute(routes, parts)
    routes.get('/*', () => {
      throw notFound()
    })
  })
