// Signing in, signing up, confirming an address, a forgotten password.
import type { FastifyInstance } from 'fastify'
import { addPages } from '../frame/page-routes.ts'
import type { AccountParts } from './account-parts.ts'
import { addSignInRoutes } from './sign-in-routes.ts'
import { addSignUpRoutes } from './sign-up-routes.ts'

export const addSignInPages = (server: FastifyInstance, parts: AccountParts): Promise<void> =>
  addPages(server, parts.pages, routes => {
    addSignInRoutes(routes, parts)
    addSignUpRoutes(routes, parts)
  })
