// Change requests for an approved app: created, withdrawn, read. The approved values stay in force meanwhile.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type App, findApp } from './app.ts'
import { differences, type ProposedValues } from './changed-values.ts'
import type { Registration } from './check-registration.ts'
import { mailReviewers } from './conversation/mail-reviewers.ts'
import { appNotFound, registrationRefused, stateRefused } from './faults.ts'

export interface AppChange {
  readonly id: string
  readonly appId: string
  readonly proposed: ProposedValues
  readonly state: 'pending' | 'approved' | 'rejected' | 'withdrawn'
  readonly requestedAt: Date
  readonly requestReason: string | null
  /** Since when a reviewer waits for the team of the app. */
  readonly changesRequestedAt: Date | null
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  readonly reason: string | null
}

export interface RequestChangeInput {
  readonly appId: string
  readonly actor: Actor
  readonly registration: Registration
  readonly reason: string
  /** For the link in the mail to reviewers. */
  readonly baseUrl?: string | undefined
}

const approvedApp = async (queryable: Queryable, appId: string): Promise<App> => {
  const app = await findApp(queryable, appId)
  if (app === undefined) throw appNotFound()
  if (app.state !== 'approved') throw stateRefused('Changes are asked for on an approved app.')
  return app
}

/** A second request replaces a pending one. */
export const requestChange = (database: Database, input: RequestChangeInput): Promise<string> =>
  database.transaction(async transaction => {
    const { appId, actor, registration, reason } = input
    const app = await approvedApp(transaction, appId)
    if (registration.kind !== app.kind) throw registrationRefused('The kind of an approved app cannot change.')
    const proposed = differences(app, registration)
    if (Object.keys(proposed).length === 0) throw registrationRefused('Nothing would change.')
    const replaced = await withdrawPending(transaction, appId)
    const row = await transaction.first<{ id: string }>(sql`
      insert into minaret.app_changes (app_id, proposed, requested_by, request_reason)
      values (${appId}, ${JSON.stringify(proposed)}, ${actor.userId}, ${reason.trim() === '' ? null : reason.trim()})
      returning id`)
    await recordAudit(transaction, { action: 'app.change_requested', actor, appId, detail: { change_id: row?.id } })
    if (replaced.some(({ asked }) => asked))
      await mailReviewers(transaction, { appId, news: 'sentAgain', baseUrl: input.baseUrl })
    return String(row?.id)
  })

/** @returns whether changes had been requested, of each that was withdrawn. */
const withdrawPending = (queryable: Queryable, appId: string): Promise<{ readonly asked: boolean }[]> =>
  queryable.query<{ asked: boolean }>(sql`
    update minaret.app_changes set state = 'withdrawn', decided_at = now()
    where app_id = ${appId} and state = 'pending' returning changes_requested_at is not null as asked`)

export const withdrawChange = (database: Database, { appId, actor }: { appId: string; actor: Actor }): Promise<void> =>
  database.transaction(async transaction => {
    if ((await withdrawPending(transaction, appId)).length === 0) throw stateRefused('There is no change that waits.')
    await recordAudit(transaction, { action: 'app.change_withdrawn', actor, appId })
  })

const select = (condition: Sql): Sql => sql`
  select c.id, c.app_id as "appId", c.proposed, c.state, c.requested_at as "requestedAt",
    c.request_reason as "requestReason", c.changes_requested_at as "changesRequestedAt", u.name as "decidedBy",
    c.decided_at as "decidedAt", c.reason
  from minaret.app_changes c left join minaret.users u on u.id = c.decided_by
  where ${condition} order by c.requested_at desc limit 100`

export const listChanges = (queryable: Queryable, appId: string): Promise<AppChange[]> =>
  queryable.query<AppChange>(select(sql`c.app_id = ${appId}`))

export const findChange = (queryable: Queryable, id: string): Promise<AppChange | undefined> =>
  queryable.first<AppChange>(select(sql`c.id::text = ${id}`))

/** The proposal that reviewers sent back before this one. */
export const changeBefore = (
  queryable: Queryable,
  { id, appId, requestedAt }: AppChange,
): Promise<AppChange | undefined> =>
  queryable.first<AppChange>(
    select(sql`c.app_id = ${appId} and c.id <> ${id} and c.requested_at <= ${requestedAt}
      and (c.state = 'rejected' or (c.state = 'withdrawn' and c.changes_requested_at is not null))`),
  )

export const pendingChange = (queryable: Queryable, appId: string): Promise<AppChange | undefined> =>
  queryable.first<AppChange>(select(sql`c.app_id = ${appId} and c.state = 'pending'`))
