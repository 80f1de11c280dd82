// Checked values → an app pending review; editable while pending, or resubmitted after a rejection.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Registration } from './check-registration.ts'
import { explainDatabaseFault, stateRefused } from './faults.ts'

export const registerApp = (
  database: Database,
  { ownerId, registration, actor }: { ownerId: string; registration: Registration; actor: Actor },
): Promise<string> =>
  database.transaction(async transaction => {
    const row = await transaction.first<{ id: string }>(sql`
      insert into minaret.apps (owner_id, name, description, home_page, logo, kind, redirect_uris,
        post_logout_redirect_uris, requested_scopes, id_token_alg, client_authentication, device_flow,
        moved_by)
      values (${ownerId}, ${registration.name}, ${registration.description}, ${registration.homePage},
        ${registration.logo}, ${registration.kind}, ${registration.redirectUris},
        ${registration.postLogoutRedirectUris}, ${registration.requestedScopes}, ${registration.idTokenAlgorithm},
        ${registration.clientAuthentication}, ${registration.deviceFlow}, ${actor.userId})
      returning id`)
    const id = String(row?.id)
    await recordAudit(transaction, { action: 'app.registered', actor, appId: id, userId: ownerId })
    return id
  })

const assignments = (registration: Registration): Sql => sql`
  name = ${registration.name}, description = ${registration.description}, home_page = ${registration.homePage},
  logo = ${registration.logo}, kind = ${registration.kind}, redirect_uris = ${registration.redirectUris},
  post_logout_redirect_uris = ${registration.postLogoutRedirectUris}, scopes = '{}',
  requested_scopes = ${registration.requestedScopes}, id_token_alg = ${registration.idTokenAlgorithm},
  client_authentication = ${registration.clientAuthentication}, device_flow = ${registration.deviceFlow},
  revision = revision + 1`

export interface EditInput {
  readonly appId: string
  readonly registration: Registration
  readonly actor: Actor
}

const sendAgain = (transaction: Queryable, { appId, registration, actor }: EditInput): Promise<number> =>
  transaction.run(sql`
    update minaret.apps set ${assignments(registration)}, state = 'pending', submitted_at = now(),
      moved_by = ${actor.userId}, moved_because = null
    where id = ${appId} and state = 'rejected' and deleted_at is null`)

const editWaiting = (transaction: Queryable, { appId, registration }: EditInput): Promise<number> =>
  transaction.run(sql`
    update minaret.apps set ${assignments(registration)}
    where id = ${appId} and state = 'pending' and deleted_at is null`)

/** A pending app keeps its place in the queue; a rejected one is resubmitted. */
export const editApp = (database: Database, input: EditInput): Promise<void> =>
  database
    .transaction(async transaction => {
      const { appId, actor } = input
      if ((await editWaiting(transaction, input)) === 1)
        return recordAudit(transaction, { action: 'app.edited', actor, appId })
      if ((await sendAgain(transaction, input)) === 1)
        return recordAudit(transaction, { action: 'app.sent_again', actor, appId })
      throw stateRefused(
        'Only an app that waits for a reviewer, or was rejected, can be edited. Ask for a change instead.',
      )
    })
    .catch(explainDatabaseFault)
