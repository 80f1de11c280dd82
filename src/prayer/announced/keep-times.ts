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
/** So many are looked for at once, since the first of a hundred thousand may all be waiting to be calculated. */
const MASJIDS_AT_ONCE = 100
/** Scanning them costs less than planning anew. */
const FEW_PAGES = 16
/** The second argument of hashtextextended in settle_announced_times. */
const LOCK = 6_206_420

/** Of masjids that are not calculated yet the marks stay. */
const marked = ({ schema }: Reach): Sql => sql`
  select masjid_id from ${identifier(schema, 'outdated_times')} mark
  where exists (select from ${identifier(schema, 'pc_calculated_times')} where masjid_id = mark.masjid_id)
    or exists (select from ${identifier(schema, 'announced_reach')} where masjid_id = mark.masjid_id)`

const tooShort = ({ schema, until }: Reach): Sql => sql`
  select masjid_id from ${identifier(schema, 'announced_reach')} reach
  where last_date <= ${dateOf(until - DAYS_AT_ONCE)}::date and exists (
    select from ${identifier(schema, 'pc_calculated_times')} day
    where day.masjid_id = reach.masjid_id and day.date > reach.last_date and day.date <= ${dateOf(until)}::date)`

const tooLong = ({ schema, until }: Reach): Sql => sql`
  select masjid_id from ${identifier(schema, 'announced_reach')} where last_date > ${dateOf(until)}::date`

/** The first that are due: looking stops there, however many there are. */
export const findDue = async (database: Queryable, reach: Reach): Promise<readonly string[]> => {
  await learnMarks(database, reach)
  const due = await database.query<{ masjid_id: string }>(sql`
    select distinct masjid_id from (
      ${marked(reach)} union all ${tooShort(reach)} union all ${tooLong(reach)} limit ${MASJIDS_AT_ONCE}) due`)
  return due.map(row => row.masjid_id)
}

/** A connection that planned its statements while there were few marks would scan all of them for each masjid. */
const learnMarks = async (database: Queryable, { schema }: Reach): Promise<void> => {
  const outdated = identifier(schema, 'outdated_times')
  const grown = await database.first(sql`
    select from pg_class where oid = ${`${schema}.outdated_times`}::regclass
      and pg_relation_size(oid) > current_setting('block_size')::int * greatest(${FEW_PAGES}, 2 * relpages)`)
  if (grown !== undefined) await database.run(sql`analyze (skip_locked) ${outdated}`)
}

/** Whether nobody else keeps its rows or removes it; nobody can until the transaction ends. */
const lockMasjid = async (transaction: Queryable, { schema }: Reach, masjid: string): Promise<boolean> => {
  const row = await transaction.first<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(id::text, ${LOCK})) as locked from (
      select id from ${identifier(schema, 'up_masjids')} where id = ${masjid} for key share skip locked) masjid`)
  return row?.locked === true
}

/** In a transaction of its own: whoever changes the rules of another masjid meanwhile does not wait. Returns whether it was kept. */
export const keepTimes = (database: Database, reach: Reach, masjid: string): Promise<boolean> =>
  database.transaction(async transaction => {
    if (!(await lockMasjid(transaction, reach, masjid))) return false
    await transaction.run(
      sql`select ${identifier(reach.schema, 'keep_announced_times')}(${masjid}, ${dateOf(reach.until)}::date)`,
    )
    return true
  })

export interface CheckedMasjid {
  readonly masjid_id: string
  /** How many rows did not agree with the definition, and do now. */
  readonly wrong: number
}

/** The masjid that was checked longest ago, if that is a day or more. */
export const checkNext = (database: Database, reach: Reach): Promise<CheckedMasjid | undefined> =>
  database.transaction(async transaction => {
    const oldest = await transaction.first<{ masjid_id: string }>(sql`
      select masjid_id from ${identifier(reach.schema, 'announced_reach')}
      where checked_at < now() - interval '1 day' order by checked_at limit 1`)
    if (oldest === undefined || !(await lockMasjid(transaction, reach, oldest.masjid_id))) return undefined
    return transaction.first<CheckedMasjid>(sql`
      select masjid_id, ${identifier(reach.schema, 'check_announced_times')}(masjid_id) as wrong
      from (select ${oldest.masjid_id}::uuid as masjid_id) oldest`)
  })

/**
 * What was restored or copied without triggers, or without rows that can be worked out again, has no marks; and what was deleted without
 * its masjid left some behind.
 */
export const adoptTimes = async (database: Queryable, schema: DataSchema): Promise<void> => {
  const outdated = identifier(schema, 'outdated_times')
  const reach = identifier(schema, 'announced_reach')
  const masjids = identifier(schema, 'up_masjids')
  await database.run(sql`
    insert into ${outdated} (masjid_id)
    select masjid_id from ${identifier(schema, 'calculation_states')} state
    where is_wanted and asked_on is null and ${identifier(schema, 'announces_times')}(masjid_id)
      and not exists (select from ${reach} where masjid_id = state.masjid_id)
      and not exists (select from ${outdated} where masjid_id = state.masjid_id)
      and exists (select from ${masjids} where id = state.masjid_id and deleted_at is null)`)
  await database.run(sql`
    insert into ${outdated} (masjid_id)
    select masjid_id from ${reach} reach
    where not exists (select from ${identifier(schema, 'announced_times')} where masjid_id = reach.masjid_id)
      and not exists (select from ${outdated} where masjid_id = reach.masjid_id)`)
  await database.run(sql`
    delete from ${outdated} mark
    where not exists (select from ${masjids} where id = mark.masjid_id and deleted_at is null)
      and not exists (select from ${reach} where masjid_id = mark.masjid_id)`)
}
