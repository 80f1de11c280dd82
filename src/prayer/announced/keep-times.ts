// Masjids whose announced times are marked, or end too early or too late → their rows, as defined. Until then readers are given the
// definition, so that nothing here is urgent. See migrations/data/0610_announced_times.sql.
import { type DayNumber, dateOf } from '../../base/civil-date.ts'
import type { DataSchema } from '../../db/data-schema.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { identifier, type Sql, sql } from '../../db/sql.ts'

export interface Reach {
  readonly schema: DataSchema
  /** The last day that has rows. */
  readonly until: DayNumber
}

/** Rows are added by the week: the days after them come from the definition, and few people look so far ahead. */
const DAYS_AT_ONCE = 7
/** One of the first that nobody else is keeping at the moment. */
const TRIED = 20
/** The second argument of hashtextextended in settle_announced_times. */
const LOCK = 6_206_420

/** Of masjids that are not calculated yet the marks stay. */
const marked = ({ schema }: Reach): Sql => sql`
  select masjid_id from ${identifier(schema, 'outdated_times')} mark
  where exists (select from ${identifier(schema, 'pc_calculated_times')} where masjid_id = mark.masjid_id)`

const tooShort = ({ schema, until }: Reach): Sql => sql`
  select masjid_id from ${identifier(schema, 'announced_reach')} reach
  where last_date <= ${dateOf(until - DAYS_AT_ONCE)}::date and exists (
    select from ${identifier(schema, 'pc_calculated_times')} day
    where day.masjid_id = reach.masjid_id and day.date > reach.last_date and day.date <= ${dateOf(until)}::date)`

const tooLong = ({ schema, until }: Reach): Sql => sql`
  select masjid_id from ${identifier(schema, 'announced_reach')} where last_date > ${dateOf(until)}::date`

const due = (reach: Reach): Sql => sql`(${marked(reach)} union ${tooShort(reach)} union ${tooLong(reach)}) due`

/** One masjid, in a transaction of its own: whoever changes its rules meanwhile waits for no other. Returns whether there was one. */
export const keepNext = (database: Database, reach: Reach): Promise<boolean> =>
  database.transaction(async transaction => {
    const next = await transaction.first<{ masjid_id: string }>(sql`
      select masjid_id from (select masjid_id from ${due(reach)} limit ${TRIED}) first_due
      where pg_try_advisory_xact_lock(hashtextextended(masjid_id::text, ${LOCK})) limit 1`)
    if (next === undefined) return false
    await transaction.run(
      sql`select ${identifier(reach.schema, 'keep_announced_times')}(${next.masjid_id}, ${dateOf(reach.until)}::date)`,
    )
    return true
  })

export interface CheckedMasjid {
  readonly masjid_id: string
  /** How many rows did not agree with the definition, and do now. */
  readonly wrong: number
}

/** The masjid that was checked longest ago, if that is a day or more. */
export const checkNext = async (database: Database, { schema }: Reach): Promise<CheckedMasjid | undefined> =>
  database.first<CheckedMasjid>(sql`
    select masjid_id, ${identifier(schema, 'check_announced_times')}(masjid_id) as wrong from (
      select masjid_id from ${identifier(schema, 'announced_reach')}
      where checked_at < now() - interval '1 day' order by checked_at limit 1) oldest`)

/** What was restored or copied without triggers has no marks, and what was deleted without its masjid left some behind. */
export const adoptTimes = async (database: Queryable, schema: DataSchema): Promise<void> => {
  const outdated = identifier(schema, 'outdated_times')
  const reach = identifier(schema, 'announced_reach')
  await database.run(sql`
    insert into ${outdated} (masjid_id)
    select id from ${identifier(schema, 'up_masjids')} masjid
    where deleted_at is null and ${identifier(schema, 'announces_times')}(id)
      and not exists (select from ${reach} where masjid_id = masjid.id)
      and not exists (select from ${outdated} where masjid_id = masjid.id)`)
  await database.run(sql`
    delete from ${outdated} mark where not exists (
      select from ${identifier(schema, 'up_masjids')} where id = mark.masjid_id)`)
}
