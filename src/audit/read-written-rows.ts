// Filters → rows of the audit trail of writing, newest first, from one key on.
import type { Queryable } from '../db/database.ts'
import { hasIdOrSlug } from '../db/id-or-slug.ts'
import { joinSql, type Sql, sql } from '../db/sql.ts'
import { isBefore, type LogKey, microsOf } from './log-key.ts'

export const writtenKinds = ['insert', 'update', 'delete', 'restore'] as const
export type WrittenKind = (typeof writtenKinds)[number]

export interface WrittenFilters {
  readonly table?: string | undefined
  /** Only these tables. */
  readonly tables?: readonly string[] | undefined
  /** The account of the person who wrote. */
  readonly userId?: string | undefined
  /** Its id or slug. */
  readonly masjid?: string | undefined
  readonly personEmail?: string | undefined
  /** Its id or client_id. */
  readonly app?: string | undefined
  readonly kind?: WrittenKind | undefined
  /** The primary key of the record, as text. */
  readonly record?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

export interface WrittenRow extends LogKey {
  readonly at: Date
  readonly table: string
  readonly record: string | null
  readonly masjidId: string | null
  readonly masjid: string | null
  readonly kind: WrittenKind
  /** Personal ones included, whose values are in neither `old` nor `new`. */
  readonly columns: readonly string[]
  readonly old: Readonly<Record<string, unknown>> | null
  readonly new: Readonly<Record<string, unknown>> | null
  readonly userId: string | null
  readonly person: string | null
  readonly appId: string | null
  readonly app: string | null
  readonly requestId: string | null
  readonly authority: 'capability' | 'themselves' | 'own-app' | 'all-masjids' | 'administrator' | 'database'
  readonly capability: string | null
}

/** Names are looked up once, so that the index on the id is used; an unknown name finds nothing. */
const conditionsOf = (filters: WrittenFilters, before: LogKey | undefined): Sql[] => {
  const { table, tables, userId, masjid, personEmail, app, kind, record, from, to } = filters
  const conditions = [sql`true`]
  if (table !== undefined) conditions.push(sql`table_name = ${table}`)
  if (tables !== undefined) conditions.push(sql`table_name = any(${tables}::text[])`)
  if (userId !== undefined) conditions.push(sql`user_id = ${userId}::uuid`)
  if (record !== undefined)
    conditions.push(sql`hashtextextended(record_key, 0) = hashtextextended(${record}, 0) and record_key = ${record}`)
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`)
  if (masjid !== undefined)
    conditions.push(sql`masjid_id = (select id from public.up_masjids where ${hasIdOrSlug(masjid)} limit 1)`)
  if (personEmail !== undefined)
    conditions.push(sql`user_id = (select id from minaret.users where lower(email) = lower(${personEmail}))`)
  if (app !== undefined)
    conditions.push(sql`app_id = (select id from minaret.apps where client_id = ${app} or id::text = lower(${app}))`)
  if (from !== undefined) conditions.push(sql`at >= ${from}`)
  if (to !== undefined) conditions.push(sql`at < ${to}`)
  if (before !== undefined) conditions.push(isBefore(before, sql`at`, sql`id`))
  return conditions
}

export interface WrittenPage {
  readonly filters: WrittenFilters
  readonly before: LogKey | undefined
  readonly limit: number
}

export const selectWrittenRows = ({ filters, before, limit }: WrittenPage): Sql => sql`
  select ${microsOf(sql`written.at`)} as micros, written.id::text, written.at,
    written.table_name as table, written.record_key as record, written.masjid_id as "masjidId", masjid.name as masjid,
    written.kind, written.changed_columns as columns, written.old_values as old, written.new_values as new,
    written.user_id as "userId", account.name as person, written.app_id as "appId", app.name as app,
    written.request_id as "requestId", written.authority, written.capability::text
  from (
    select * from public.written_rows where ${joinSql(conditionsOf(filters, before), ' and ')}
    order by at desc, id desc limit ${limit}
  ) written
    left join public.up_masjids masjid on masjid.id = written.masjid_id
    left join minaret.users account on account.id = written.user_id
    left join minaret.apps app on app.id = written.app_id
  order by written.at desc, written.id desc`

export const readWrittenRows = (queryable: Queryable, page: WrittenPage): Promise<WrittenRow[]> =>
  queryable.query<WrittenRow>(selectWrittenRows(page))

/** The tables whose writing is recorded. */
export const listWrittenTables = async (queryable: Queryable): Promise<string[]> => {
  const rows = await queryable.query<{ name: string }>(sql`
    select distinct relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
    where tgfoid = 'public.note_writing'::regproc and relnamespace = 'public'::regnamespace order by 1`)
  return rows.map(({ name }) => name)
}
