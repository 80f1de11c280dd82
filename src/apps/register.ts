// Checked values → an app pending review; editable while pending, or resubmitted after a rejection.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Registration } from './check-registration.ts'
import { mailReviewers } from './conversation/mail-reviewers.ts'
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
  /** For the link in the mail to reviewers. */
  readonly baseUrl?: string | undefined
}

const sendAgain = (transaction: Queryable, { appId, registration, actor }: EditInput): Promise<number> =>
  transaction.run(sql`
    update minaret.apps set ${assignments(registration)}, state = 'pending', submitted_at = now(),
      moved_by = ${actor.userId}, moved_because = null
    where id = ${appId} and state = 'rejected' and deleted_at is null`)

/** An edit also answers a request for changes: the database returns the app to the queue. */
const editWaiting = (
  transaction: Queryable,
  { appId, registration }: EditInput,
): Promise<{ readonly wasAsked: boolean } | undefined> =>
  transaction.first<{ wasAsked: boolean }>(sql`
    with before as (
      select id, changes_requested_at is not null as asked from minaret.apps
      where id = ${appId} and state = 'pending' and deleted_at is null for update)
    update minaret.apps set ${assignments(registration)} from before
    where apps.id = before.id returning before.asked as "wasAsked"`)

const tellSentAgain = async (transaction: Queryable, { appId, actor, baseUrl }: EditInput): Promise<void> => {
  await recordAudit(transaction, { action: 'app.sent_again', actor, appId })
  await mailReviewers(transaction, { appId, news: 'sentAgain', baseUrl })
}

/** A pending app keeps its place in the queue, unless changes were requested; a rejected one is resubmitted. */
export const editApp = (database: Database, input: EditInput): Promise<void> =>
  database
    .transaction(async transaction => {
      const { appId, actor } = input
      const edited = await editWaiting(transaction, input)
      if (edited !== undefined)
        return edited.wasAsked
          ? tellSentAgain(transaction, input)
          : recordAudit(transaction, { action: 'app.edited', actor, appId })
      if ((await sendAgain(transaction, input)) === 1)
        return recordAudit(transaction, { action: 'app.sent_again', actor, appId })
      throw stateRefused(
        'Only an app that waits for a reviewer, or was rejected, can be edited. Ask for a change instead.',
      )
    })
    .catch(explainDatabaseFault)
