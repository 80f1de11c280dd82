// A checked request and who is signed in → the code, the consent page or the sign-in page.
import type { Session } from '../../accounts/sessions.ts'
import type { Client } from '../clients/client.ts'
import { type Destination, type Return, returnCode } from './answer-location.ts'
import { type AuthorizationRequest, narrowClaims } from './authorization-request.ts'
import type { AuthorizeParts } from './authorize-parts.ts'
import { checkStillGranted } from './check-scope.ts'
import { decideNextStep, type NextStep } from './decide-next-step.ts'
import { issueCodeAgain } from './issue-code.ts'
import { isReceiverKnown } from './known-receiver.ts'
import { findConsent, noConsent } from './remembered-consent.ts'
import { requireTeam } from './require-team.ts'
import { returningFaults, type StrangerStop } from './returning-faults.ts'
import { closeKeptRequest, keepRequest } from './stored-request.ts'

/** What the browser does next. */
export type AuthorizeAnswer =
  | Return
  | StrangerStop
  | {
      readonly kind: 'sign-in' | 'consent' | 'resume'
      readonly reference: string
      readonly uiLocales: string | undefined
    }

export interface Proceeding {
  readonly client: Client
  readonly request: AuthorizationRequest
  readonly session: Session | undefined
  /** If the request is already stored. */
  readonly kept: { readonly reference: string; readonly since: Date } | undefined
}

export const destinationOf = (parts: AuthorizeParts, request: AuthorizationRequest): Destination => ({
  redirectUri: request.redirectUri,
  state: request.state,
  responseMode: request.responseMode,
  issuer: parts.issuer.baseUrl,
})

/** The request as it may be answered now, and its next step. @throws {Fault} */
const findNextStep = async (
  parts: AuthorizeParts,
  { client, request: asked, session, kept }: Proceeding,
): Promise<{ readonly request: AuthorizationRequest; readonly next: NextStep }> => {
  if (session !== undefined) await requireTeam(parts, client, session.user.id)
  checkStillGranted(asked, client)
  const request = narrowClaims(asked, client)
  const allowed = session === undefined ? noConsent : await findConsent(parts.database, session.user.id, client.appId)
  const receiverKnown = isReceiverKnown(client, request.redirectUri)
  const now = parts.issuer.clock.now()
  return { request, next: decideNextStep({ request, session, allowed, receiverKnown, keptSince: kept?.since, now }) }
}

const ask = async (
  parts: AuthorizeParts,
  kind: 'sign-in' | 'consent',
  { client, request, kept }: Proceeding,
): Promise<AuthorizeAnswer> => {
  const reference = kept?.reference ?? (await keepRequest(parts.database, client, request))
  return { kind, reference, uiLocales: request.uiLocales }
}

const returningOf = (parts: AuthorizeParts, { client, session, request }: Proceeding) => ({
  client,
  session,
  destination: destinationOf(parts, request),
})

export const proceed = (parts: AuthorizeParts, proceeding: Proceeding): Promise<AuthorizeAnswer> => {
  const { client, kept } = proceeding
  const returning = returningOf(parts, proceeding)
  return returningFaults(parts, returning, async () => {
    const { request, next } = await findNextStep(parts, proceeding)
    if (next.kind !== 'code') return ask(parts, next.kind, proceeding)
    const code = await issueCodeAgain(parts, { client, request, session: next.session })
    if (code === undefined) return ask(parts, 'consent', proceeding)
    if (kept !== undefined) await closeKeptRequest(parts.database, kept.reference)
    return returnCode(returning.destination, code)
  })
}

/** What comes before a decision that was just sent; undefined if nothing does. */
export const beforeDecision = (parts: AuthorizeParts, proceeding: Proceeding): Promise<AuthorizeAnswer | undefined> =>
  returningFaults(parts, returningOf(parts, proceeding), async () => {
    const { next } = await findNextStep(parts, proceeding)
    return next.kind === 'sign-in' ? ask(parts, 'sign-in', proceeding) : undefined
  })
