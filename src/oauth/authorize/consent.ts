// Consent: what a person is asked before an app may act for them, and what they decide.
import type { Claim } from '../../access/claims.ts'
import type { Scope } from '../../access/scopes.ts'
import type { Session } from '../../accounts/sessions.ts'
import type { Client } from '../clients/client.ts'
import { accessDenied, invalidRequest } from '../oauth-fault.ts'
import { returnCode } from './answer-location.ts'
import { type AuthorizationRequest, narrowClaims } from './authorization-request.ts'
import type { AuthorizeParts } from './authorize-parts.ts'
import { checkStillGranted } from './check-scope.ts'
import { issueCodeOnConsent } from './issue-code.ts'
import { type AuthorizeAnswer, beforeDecision, destinationOf, proceed } from './proceed.ts'
import { findConsent } from './remembered-consent.ts'
import { requireClientOf } from './requesting-client.ts'
import { requestExpired, requireKeptRequest } from './resume.ts'
import { returningFaults } from './returning-faults.ts'
import type { DescribeConsent } from './shown-consent.ts'
import { bindToSession, findShownRequest, takeKeptRequest } from './stored-request.ts'

export interface ConsentQuestion {
  readonly kind: 'question'
  readonly client: Client
  readonly request: AuthorizationRequest
  /** Not part of an earlier consent; empty if there was none. */
  readonly newScopes: readonly Scope[]
  readonly newClaims: readonly Claim[]
}

/**
 * The consent page, if that is the next step; otherwise where the browser goes instead. From now on only this session can
 * decide the request, and the app gets no claims beyond those on the page.
 */
export const askConsent = async (
  parts: AuthorizeParts,
  reference: string,
  session: Session | undefined,
): Promise<AuthorizeAnswer | ConsentQuestion> => {
  const kept = await requireKeptRequest(parts, reference)
  const client = await requireClientOf(parts, kept.request)
  const answer = await proceed(parts, {
    client,
    request: kept.request,
    session,
    kept: { reference, since: kept.createdAt },
  })
  if (answer.kind !== 'consent' || session === undefined) return answer
  const { claims } = narrowClaims(kept.request, client)
  const request = await bindToSession(parts.database, { reference, sessionId: session.id, claims })
  if (request === undefined) throw requestExpired()
  const allowed = await findConsent(parts.database, session.user.id, client.appId)
  if (allowed.scopes.length === 0) return { kind: 'question', client, request, newScopes: [], newClaims: [] }
  const newScopes = request.scopes.filter(scope => !allowed.scopes.includes(scope))
  const newClaims = request.claims.filter(claim => !allowed.claims.includes(claim))
  return { kind: 'question', client, request, newScopes, newClaims }
}

export interface Decision {
  readonly reference: string
  readonly session: Session
  readonly answer: string
  readonly address: string
  /** The words of the page. */
  readonly describe: DescribeConsent
}

interface ConsentAnswer {
  readonly client: Client
  readonly request: AuthorizationRequest
}

const noteDecision = (parts: AuthorizeParts, { client, request }: ConsentAnswer, decision: Decision): void => {
  const action = decision.answer === 'allow' ? 'oauth.consent_given' : 'oauth.consent_denied'
  const [userId, appId] = [decision.session.user.id, client.appId]
  const detail = { scope: request.scopes.join(' '), claims: request.claims.join(' ') }
  parts.audit.note({ action, actor: 'user', appId, userId, address: decision.address, detail })
}

const findStopBefore = async (
  parts: AuthorizeParts,
  { reference, session }: Decision,
): Promise<AuthorizeAnswer | undefined> => {
  const shown = await findShownRequest(parts.database, { reference, sessionId: session.id })
  if (shown === undefined) throw requestExpired()
  const { request, createdAt: since } = shown
  const client = await requireClientOf(parts, request)
  return beforeDecision(parts, { client, request, session, kept: { reference, since } })
}

/** Where the browser goes with the person's decision, or what has to come first. */
export const decideConsent = async (parts: AuthorizeParts, decision: Decision): Promise<AuthorizeAnswer> => {
  const { reference, session, answer } = decision
  if (answer !== 'allow' && answer !== 'deny') throw invalidRequest('The decision is neither allow nor deny.')
  const stop = await findStopBefore(parts, decision)
  if (stop !== undefined) return stop
  const taken = await takeKeptRequest(parts.database, { reference, sessionId: session.id, answer })
  if (taken === undefined) throw requestExpired()
  const client = await requireClientOf(parts, taken)
  const request = narrowClaims(taken, client)
  const destination = destinationOf(parts, request)
  return returningFaults(parts, { client, session, destination }, async () => {
    checkStillGranted(request, client)
    noteDecision(parts, { client, request }, decision)
    if (answer === 'deny') throw accessDenied('The person did not allow it.')
    const code = await issueCodeOnConsent(parts, { client, request, session }, decision.describe(client, request))
    return returnCode(destination, code)
  })
}
