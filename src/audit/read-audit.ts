// Filters → entries of the audit log, newest first, paginated.
import { beginsWith } from '../base/like.ts'
import type { Queryable } from '../db/database.ts'
import { joinSql, type Sql, sql } from '../db/sql.ts'
import { isBefore, type LogKey, microsOf } from './log-key.ts'

export const auditActors = ['user', 'app', 'command', 'system', 'anonymous'] as const
type AuditActor = (typeof auditActors)[number]

export interface AuditFilters {
  /** A prefix of the action, such as `app.`. */
  readonly action?: string | undefined
  readonly userEmail?: string | undefined
  readonly userId?: string | undefined
  /** Its id, client_id or name; several may have one name. */
  readonly app?: string | undefined
  readonly actor?: AuditActor | undefined
  /** Of the person who did it, whomever it concerns. */
  readonly actorEmail?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** Only entries older than this one. */
  readonly before?: LogKey | undefined
}

export interface AuditRow extends LogKey {
  readonly at: Date
  readonly action: string
  readonly actor: AuditActor
  readonly actorName: string | null
  readonly userName: string | null
  readonly userId: string | null
  readonly appName: string | null
  readonly appId: string | null
  readonly address: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

export const AUDIT_PAGE = 50

const conditionsOf = (filters: AuditFilters): Sql[] => {
  const { action, userEmail, userId, app, actor, actorEmail, from, to, before } = filters
  const conditions = [sql`true`]
  if (action !== undefined) conditions.push(sql`l.action like ${beginsWith(action)}`)
  if (userEmail !== undefined)
    conditions.push(
      sql`(select u.id from minaret.users u where lower(u.email) = lower(${userEmail})) in (l.user_id, l.actor_id)`,
    )
  if (userId !== undefined) conditions.push(sql`${userId} in (l.user_id::text, l.actor_id::text)`)
  if (app !== undefined)
    conditions.push(
      sql`l.app_id = any (array(select a.id from minaret.apps a where a.client_id = ${app} or a.id::text = ${app} or lower(a.name) = lower(${app})))`,
    )
  if (actor !== undefined) conditions.push(sql`l.actor = ${actor}`)
  if (actorEmail !== undefined)
    conditions.push(sql`l.actor_id = (select u.id from minaret.users u where lower(u.email) = lower(${actorEmail}))`)
  if (from !== undefined) conditions.push(sql`l.at >= ${from}`)
  if (to !== undefined) conditions.push(sql`l.at < ${to}`)
  if (before !== undefined) conditions.push(isBefore(before, sql`l.at`, sql`l.id`))
  return conditions
}

/** By time, as the log is partitioned: months that the filters exclude are not looked into. */
export const selectAudit = (filters: AuditFilters, limit = AUDIT_PAGE + 1): Sql => sql`
  select ${microsOf(sql`l.at`)} as micros, l.id::text, l.at, l.action, l.actor, actor.name as "actorName",
    concerned.name as "userName", concerned.id as "userId", a.name as "appName", l.app_id as "appId", l.address, l.detail
  from minaret.audit_log l
    left join minaret.users actor on actor.id = l.actor_id
    -- What somebody does to an app concerns the app, not that person.
    left join minaret.users concerned on concerned.id = l.user_id
      and (l.app_id is null or l.user_id is distinct from l.actor_id)
    left join minaret.apps a on a.id = l.app_id
  where ${joinSql(conditionsOf(filters), ' and ')}
  order by l.at desc, l.id desc limit ${limit}`

export const readAudit = (queryable: Queryable, filters: AuditFilters, limit?: number): Promise<AuditRow[]> =>
  queryable.query<AuditRow>(selectAudit(filters, limit))
