// An app's history → its values as of the last decision, and what has changed since.
import type { App, AppValues } from './app.ts'
import { differences, type ProposedValues } from './changed-values.ts'
import type { AppMessage } from './conversation/messages.ts'
import type { AppMove } from './history.ts'

type Snapshot = Readonly<Record<string, unknown>>

const fromSnapshot = (snapshot: Snapshot): AppValues =>
  ({
    name: snapshot.name,
    description: snapshot.description,
    homePage: snapshot.home_page ?? undefined,
    logo: snapshot.logo ?? undefined,
    redirectUris: snapshot.redirect_uris,
    postLogoutRedirectUris: snapshot.post_logout_redirect_uris,
    requestedScopes: snapshot.requested_scopes,
    idTokenAlgorithm: snapshot.id_token_alg,
    clientAuthentication: snapshot.client_authentication ?? 'basic_or_post',
    deviceFlow: snapshot.device_flow ?? 'off',
  }) as AppValues

export interface SinceLastDecision {
  readonly before: AppValues
  readonly differences: ProposedValues
}

const lastSnapshot = (moves: readonly AppMove[], messages: readonly AppMessage[]): Snapshot | undefined => {
  const rejected = moves.findLast(({ toState }) => toState === 'rejected')
  const asked = messages.findLast(({ kind, changeId }) => kind === 'changes_requested' && changeId === null)
  if (rejected === undefined || asked === undefined) return (rejected ?? asked)?.snapshot
  return rejected.movedAt > asked.writtenAt ? rejected.snapshot : asked.snapshot
}

/** Since it was rejected, or changes were requested. Undefined before that. */
export const sinceLastDecision = (
  app: App,
  moves: readonly AppMove[],
  messages: readonly AppMessage[],
): SinceLastDecision | undefined => {
  const snapshot = lastSnapshot(moves, messages)
  if (snapshot === undefined || app.state !== 'pending') return undefined
  const before = fromSnapshot(snapshot)
  return { before, differences: differences(before, app) }
}
