// A checked request and who is signed in → the next step: sign-in, consent, or the code. Every page of the flow asks this.
import type { Session } from '../../accounts/sessions.ts'
import { consentRequired, loginRequired, unmetAuthenticationRequirements } from '../oauth-fault.ts'
import { reaches } from './authentication-context.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { RememberedConsent } from './remembered-consent.ts'

export interface Situation {
  readonly request: AuthorizationRequest
  readonly session: Session | undefined
  /** What the person has already allowed this app. */
  readonly allowed: RememberedConsent
  /** Whether what receives the code can only be the app (RFC 8252 section 8.6). */
  readonly receiverKnown: boolean
  /** When the request was stored, if it was; a sign-in after that satisfies `prompt=login` and `max_age`. */
  readonly keptSince: Date | undefined
  readonly now: Date
}

export type NextStep =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'consent'; readonly session: Session }
  | { readonly kind: 'code'; readonly session: Session }

/** OpenID Connect Core section 3.1.2.1, `max_age`: "the OP MUST attempt to actively re-authenticate the End-User". */
const isTooOld = ({ request: { prompts, maxAge }, now }: Situation, session: Session): boolean =>
  prompts.includes('login') ||
  prompts.includes('select_account') ||
  (maxAge !== undefined && now.getTime() - session.authTime.getTime() > maxAge * 1000)

/**
 * RFC 9470 section 5: if the level cannot be reached, the app is told. That is known after a sign-in for this request, or if
 * the account has no second factor to sign in with.
 */
const isTooWeak = ({ request: { acrValues } }: Situation, session: Session, signedInForThis: boolean): boolean => {
  if (reaches(session.amr, acrValues)) return false
  if (signedInForThis || !session.hasFactor)
    throw unmetAuthenticationRequirements('The person has no second factor of the strength that acr_values asks for.')
  return true
}

const mustSignIn = (situation: Situation, session: Session): boolean => {
  const { request, keptSince } = situation
  const signedInForThis = keptSince !== undefined && session.authTime >= keptSince
  const isHinted = request.hintedUserId === undefined || request.hintedUserId === session.user.id
  // Someone who was asked to sign in as the hinted user and came back as another is not asked forever.
  if (!isHinted && signedInForThis) throw loginRequired('Another user than the one of the id_token_hint is signed in.')
  if (!isHinted || (!signedInForThis && isTooOld(situation, session))) return true
  return isTooWeak(situation, session, signedInForThis)
}

const mustConsent = ({ request, allowed, receiverKnown }: Situation): boolean =>
  !receiverKnown ||
  request.prompts.includes('consent') ||
  !request.scopes.every(scope => allowed.scopes.includes(scope)) ||
  !request.claims.every(claim => allowed.claims.includes(claim))

/** @throws {Fault} `login_required` or `consent_required` when `prompt=none` forbids asking. */
export const decideNextStep = (situation: Situation): NextStep => {
  const { request, session } = situation
  const silent = request.prompts.includes('none')
  if (session === undefined || session.factorDue || mustSignIn(situation, session)) {
    if (silent) throw loginRequired('The person must sign in.')
    return { kind: 'sign-in' }
  }
  if (mustConsent(situation)) {
    if (silent) throw consentRequired('The person must agree to these scopes and to what they show.')
    return { kind: 'consent', session }
  }
  return { kind: 'code', session }
}
