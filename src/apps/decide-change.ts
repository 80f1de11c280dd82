// A reviewer's decision about a change: the new values take effect, or the old ones stay.

import { isWriteScope, type Scope, sortScopes } from '../access/scopes.ts'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { type App, findApp } from './app.ts'
import { type ProposedValues, withProposed } from './changed-values.ts'
import { appNotFound, explainDatabaseFault, registrationRefused, scopeRefused, stateRefused } from './faults.ts'
import { mailOwner } from './mail-owner.ts'

export interface DecideChangeInput {
  readonly changeId: string
  readonly actor: Actor
  /** For the link in the owner's mail. */
  readonly baseUrl?: string | undefined
}

interface Decided {
  readonly app_id: string
  readonly proposed: ProposedValues
}

const decide = async (
  transaction: Queryable,
  { changeId, actor }: DecideChangeInput,
  state: 'approved' | 'rejected',
  reason: string | undefined,
): Promise<Decided> => {
  const row = await transaction.first<Decided>(sql`
    update minaret.app_changes set state = ${state}, decided_by = ${actor.userId}, decided_at = now(), reason = ${reason}
    where id::text = ${changeId} and state = 'pending' returning app_id, proposed`)
  if (row === undefined)
    throw stateRefused('The change is not waiting any more: it was decided or withdrawn meanwhile.')
  return row
}

/** What a change gets unless the reviewer says otherwise: never a new scope to write. */
export const offeredScopes = ({ scopes }: Pick<App, 'scopes'>, proposed: ProposedValues): readonly Scope[] =>
  proposed.requestedScopes === undefined
    ? scopes
    : proposed.requestedScopes.filter(scope => !isWriteScope(scope) || scopes.includes(scope))

const grantedScopes = (app: App, proposed: ProposedValues, chosen: readonly Scope[] | undefined): Scope[] => {
  const requested = proposed.requestedScopes ?? app.requestedScopes
  const granted = chosen ?? offeredScopes(app, proposed)
  const beyond = granted.filter(scope => !requested.includes(scope))
  if (beyond.length > 0) throw scopeRefused(`The app did not ask for: ${beyond.join(', ')}.`)
  if (granted.length === 0) throw scopeRefused('Grant at least one scope, or reject the change.')
  return sortScopes(granted)
}

const apply = async (
  transaction: Queryable,
  app: App,
  proposed: ProposedValues,
  scopes: readonly Scope[],
): Promise<void> => {
  const values = withProposed(app, proposed)
  await transaction.run(sql`
    update minaret.apps set name = ${values.name}, description = ${values.description}, home_page = ${values.homePage},
      logo = ${values.logo}, redirect_uris = ${values.redirectUris},
      post_logout_redirect_uris = ${values.postLogoutRedirectUris}, requested_scopes = ${values.requestedScopes},
      scopes = ${scopes}, id_token_alg = ${values.idTokenAlgorithm},
      client_authentication = ${values.clientAuthentication}, device_flow = ${values.deviceFlow}
    where id = ${app.id}`)
}

/** @returns the id of the app */
export const approveChange = (
  database: Database,
  input: DecideChangeInput & { readonly scopes?: readonly Scope[] | undefined; readonly words?: string | undefined },
): Promise<string> =>
  database
    .transaction(async transaction => {
      const { app_id, proposed } = await decide(transaction, input, 'approved', input.words)
      const app = await findApp(transaction, app_id)
      if (app === undefined) throw appNotFound()
      if (app.state !== 'approved') throw stateRefused('The app is not approved any more.')
      const scopes = grantedScopes(app, proposed, input.scopes)
      await apply(transaction, app, proposed, scopes)
      const detail = { change_id: input.changeId, fields: Object.keys(proposed), scopes }
      await recordAudit(transaction, { action: 'app.change_approved', actor: input.actor, appId: app_id, detail })
      await mailOwner(transaction, { ...input, appId: app_id, decision: 'changeApproved' })
      return app_id
    })
    .catch(explainDatabaseFault)

/** @returns the id of the app */
export const rejectChange = (
  database: Database,
  input: DecideChangeInput & { readonly reason: string },
): Promise<string> =>
  database
    .transaction(async transaction => {
      if (input.reason.trim() === '') throw registrationRefused('Give the owner a reason.')
      const { app_id } = await decide(transaction, input, 'rejected', input.reason.trim())
      const detail = { change_id: input.changeId, reason: input.reason.trim() }
      await recordAudit(transaction, { action: 'app.change_rejected', actor: input.actor, appId: app_id, detail })
      await mailOwner(transaction, { ...input, words: input.reason.trim(), appId: app_id, decision: 'changeRejected' })
      return app_id
    })
    .catch(explainDatabaseFault)
