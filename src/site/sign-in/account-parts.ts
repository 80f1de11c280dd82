// What the account routes share: their services, and the small steps that several of them take.
import type { AccountServices } from '../../accounts/account-services.ts'
import { type Visit as Browser, continueSession, endSession } from '../../accounts/sessions.ts'
import type { Provider } from '../../oauth/provider.ts'
import { formTargetsFor, type RedirectAnswer, redirectTo } from '../frame/page-reply.ts'
import type { PageFrame } from '../frame/page-routes.ts'
import { takeReturn } from '../frame/return-address.ts'
import type { Visit } from '../frame/visit.ts'
import type { DemoAccounts } from './demo-accounts.ts'
import { findPending, type PendingRequest } from './pending-request.ts'

export interface AccountParts {
  readonly accounts: AccountServices
  readonly provider: Provider
  readonly pages: PageFrame
  /** Demo accounts, shown on the sign-in page. */
  readonly demo: DemoAccounts | undefined
}

export const browserOf = ({ address, request, device }: Visit): Browser => ({
  address,
  device,
  userAgent: request.headers['user-agent'],
  languages: request.headers['accept-language'],
})

export interface Waiting {
  /** As the browser sent it, to be passed on. */
  readonly request: string | undefined
  readonly pending: PendingRequest | undefined
  /** For `form-action`: sign-in may end with a redirect to the app. */
  readonly formTargets: readonly string[]
}

/** The authorization request that this visit belongs to, if any. */
export const waitingRequest = async ({ provider }: AccountParts, visit: Visit): Promise<Waiting> => {
  const request = (visit.form.text('request') || visit.query.text('request')).slice(0, 500) || undefined
  const pending = request === undefined ? undefined : await findPending(provider.authorize, request)
  return { request, pending, formTargets: pending === undefined ? [] : formTargetsFor(pending.redirectUri) }
}

export const resumePath = (request: string): string => `/oauth/authorize/resume?${new URLSearchParams({ request })}`

/** Replaces this browser's session with a new one, then redirects to where the person was going. */
export const enterWith = async (
  { accounts, pages: { visits } }: AccountParts,
  visit: Visit,
  { token, request }: { readonly token: string; readonly request: string | undefined },
): Promise<RedirectAnswer> => {
  const { session } = visit
  if (session !== undefined) {
    await continueSession(accounts.database, session, token)
    await endSession(accounts.database, session.user.id, session.id)
  }
  visits.cookies.write(visit.reply, 'session', token)
  visits.cookies.clear(visit.reply, 'challenge')
  if (request !== undefined) return redirectTo(resumePath(request))
  return redirectTo(takeReturn(visits, visit, '/account'))
}
