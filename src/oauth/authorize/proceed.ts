// A checked request and who is signed in → the code, the consent page or the sign-in page.
import type { Session } from '../../accounts/sessions.ts'
import { Fault } from '../../base/fault.ts'
import type { Client } from '../clients/client.ts'
import { type Destination, type Return, returnCode, returnFault } from './answer-location.ts'
import { type AuthorizationRequest, narrowClaims } from './authorization-request.ts'
import type { AuthorizeParts } from './authorize-parts.ts'
import { checkStillGranted } from './check-scope.ts'
import { decideNextStep, type NextStep } from './decide-next-step.ts'
import { issueCodeAgain } from './issue-code.ts'
import { findConsent, noConsent } from './remembered-consent.ts'
import { isNotOnTeam, requireTeam } from './require-team.ts'
import { closeKeptRequest, keepRequest } from './stored-request.ts'

/** What the browser does next. */
export type AuthorizeAnswer =
  | Return
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

/** The redirect URI has been checked, so from here on faults go to the app, except those about who is signed in here. */
export const returningFaults = async (
  destination: Destination,
  work: () => Promise<AuthorizeAnswer>,
): Promise<AuthorizeAnswer> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Fault) || error.status >= 500 || isNotOnTeam(error)) throw error
    return returnFault(destination, error)
  }
}

const findNextStep = async (
  parts: AuthorizeParts,
  { client, request, session, kept }: Proceeding,
): Promise<NextStep> => {
  const allowed = session === undefined ? noConsent : await findConsent(parts.database, session.user.id, client.appId)
  return decideNextStep({ request, session, allowed, keptSince: kept?.since, now: parts.issuer.clock.now() })
}

const ask = async (
  parts: AuthorizeParts,
  kind: 'sign-in' | 'consent',
  proceeding: Proceeding,
): Promise<AuthorizeAnswer> => {
  const { client, request, kept } = proceeding
  const reference = kept?.reference ?? (await keepRequest(parts.database, client, request))
  return { kind, reference, uiLocales: request.uiLocales }
}

export const proceed = (parts: AuthorizeParts, proceeding: Proceeding): Promise<AuthorizeAnswer> => {
  const { client, kept } = proceeding
  const destination = destinationOf(parts, proceeding.request)
  return returningFaults(destination, async () => {
    if (proceeding.session !== undefined) await requireTeam(parts, client, proceeding.session.user.id)
    checkStillGranted(proceeding.request, client)
    const request = narrowClaims(proceeding.request, client)
    const next = await findNextStep(parts, { ...proceeding, request })
    if (next.kind !== 'code') return ask(parts, next.kind, proceeding)
    const code = await issueCodeAgain(parts, { client, request, session: next.session })
    if (code === undefined) return ask(parts, 'consent', proceeding)
    if (kept !== undefined) await closeKeptRequest(parts.database, kept.reference)
    return returnCode(destination, code)
  })
}
