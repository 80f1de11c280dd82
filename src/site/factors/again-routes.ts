// /sign-in/again: somebody who is signed in confirms that it is them, and goes on where they were.
import { isFresh } from '../../accounts/factors/step-up.ts'
import { AGAIN_PAGE } from '../frame/fresh-first.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import { type PageRoutes, SECURITY_PAGE, type SignedInVisit } from '../frame/page-routes.ts'
import { takeReturn } from '../frame/return-address.ts'
import type { AccountParts } from '../sign-in/account-parts.ts'
import { confirmedPage } from './again-page.ts'
import { prove, showAgain } from './ask-again.ts'

const target = { action: AGAIN_PAGE }

const showOwn = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const done = visit.query.text('done')
  if (done === 'confirmed' && isFresh(visit.session, 'reading')) return showPage(confirmedPage(visit.view))
  const wrong = done.startsWith('provider_') ? 'provider' : undefined
  return showAgain(accounts, visit, { target, status: 200, wrong })
}

const acceptAgain = async ({ accounts, pages }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const wrong = await prove(accounts, visit)
  if (wrong !== undefined) return showAgain(accounts, visit, { target, status: 422, wrong })
  return redirectTo(takeReturn(pages.visits, visit, SECURITY_PAGE))
}

export const addAgainRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.getSignedIn(AGAIN_PAGE, visit => showOwn(parts, visit))
  routes.postSignedIn(AGAIN_PAGE, visit => acceptAgain(parts, visit))
}
