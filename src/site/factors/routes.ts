// The second factor: asked for at sign-in and before what matters, set up on the account's security page.
import type { FastifyInstance } from 'fastify'
import { addPages } from '../frame/page-routes.ts'
import type { AccountParts } from '../sign-in/account-parts.ts'
import { addAgainRoutes } from './again-routes.ts'
import { addChallengeRoutes } from './challenge-routes.ts'
import { addPasskeyOfferRoutes } from './passkey-offer.ts'
import { addPasskeyRoutes } from './passkey-routes.ts'
import { addPasskeySignInRoutes } from './passkey-sign-in-routes.ts'
import { addSecurityRoutes } from './security-routes.ts'

export const addFactorPages = (server: FastifyInstance, parts: AccountParts): Promise<void> =>
  addPages(server, parts.pages, routes => {
    addChallengeRoutes(routes, parts)
    addAgainRoutes(routes, parts)
    addSecurityRoutes(routes, parts)
    addPasskeyRoutes(routes, parts)
    addPasskeyOfferRoutes(routes, parts)
    addPasskeySignInRoutes(routes, parts)
  })
