// Wraps a handler so that people first show again who they are, unless they did so in the last minutes.
import { isFresh } from '../../accounts/factors/step-up.ts'
import { type Answer, redirectTo } from '../frame/page-reply.ts'
import type { PageFrame, SignedInVisit } from '../frame/page-routes.ts'
import { rememberReturn } from '../frame/return-address.ts'

export const AGAIN_PAGE = '/sign-in/again'

type Handler = (visit: SignedInVisit) => Promise<Answer> | Answer

export interface Freshness {
  /** The page of the form, to return to if a post comes too late. */
  readonly from: string | ((visit: SignedInVisit) => string)
  /** Also asks those who have only a password: for what makes an account its owner's. */
  readonly everybody?: boolean
}

const pageOf = ({ from }: Freshness, visit: SignedInVisit): string => (typeof from === 'string' ? from : from(visit))

export const freshly =
  ({ visits }: PageFrame, freshness: Freshness) =>
  (handler: Handler): Handler =>
  visit => {
    const { session, request } = visit
    const reading = request.method === 'GET'
    const asked = session.hasFactor || freshness.everybody === true
    if (!asked || isFresh(session, reading ? 'reading' : 'sending')) return handler(visit)
    rememberReturn(visits, visit, reading ? request.url : pageOf(freshness, visit))
    return redirectTo(AGAIN_PAGE)
  }
