// The database → the masjids whose times are due for calculation, the latest change first.

import { type DayNumber, dateOf, dayNumberOf } from '../../base/civil-date.ts'
import type { DataSchema } from '../../db/data-schema.ts'
import type { Queryable } from '../../db/database.ts'
import { identifier, joinSql, type Sql, sql } from '../../db/sql.ts'
import { isOlderEngine } from '../calculation/engine-version.ts'
import { announcedIn, type ParameterRow, parameterColumns } from '../calculation/masjid-columns.ts'
import type { MasjidParameters } from '../calculation/masjid-parameters.ts'

/** Each masjid's own yesterday is within a day of this, and so is its 400th day ahead. */
const DAYS_BACK = 2
const DAYS_AHEAD = 401

/** This many days are calculated for all masjids before the rest of any. */
const NEAREST_DAYS = 8
/** Tomorrow, wherever the masjid is: what must exist when the service reports that it is ready. */
const NEEDED_DAYS = 2

/** What must exist, and the versions it must be calculated with. */
export interface Goal {
  readonly schema: DataSchema
  /** The nearest days of masjids that have none yet, or all days. */
  readonly reach: 'nearest' | 'all'
  readonly first: DayNumber
  readonly last: DayNumber
  readonly engine: string
  readonly olderEngines: readonly string[]
}

export interface StaleMasjid extends MasjidParameters {
  readonly id: string
  readonly revision: number
  readonly deleted: boolean
  /** None of the days to calculate is stored. */
  readonly isNew: boolean
  /** The first day to calculate: if nothing changed, only the end of the range is missing. */
  readonly from: DayNumber
}

/** Each from the one before, by index: there are one or two, whatever the number of masjids. */
const storedEngines = (schema: DataSchema): Sql => {
  const states = identifier(schema, 'calculation_states')
  return sql`
    with recursive stored (engine_version) as (
      select min(engine_version) from ${states}
      union all
      select (select min(engine_version) from ${states} where engine_version > stored.engine_version)
      from stored where stored.engine_version is not null)
    select engine_version from stored where engine_version is not null`
}

export const readGoal = async (
  database: Queryable,
  { schema, today, engine }: { schema: DataSchema; today: DayNumber; engine: string },
): Promise<Goal> => {
  const stored = await database.query<{ engine_version: string }>(storedEngines(schema))
  const olderEngines = stored.map(row => row.engine_version).filter(version => isOlderEngine(version, engine))
  return { schema, reach: 'all', first: today - DAYS_BACK, last: today + DAYS_AHEAD, engine, olderEngines }
}

export const nearestGoal = (goal: Goal): Goal => ({
  ...goal,
  reach: 'nearest',
  last: goal.first + DAYS_BACK + NEAREST_DAYS,
})

const neededDay = ({ first }: Goal): string => dateOf(first + DAYS_BACK + NEEDED_DAYS)

const dueByChange = sql`state.filled_revision is distinct from state.revision`
const dueByTime = ({ last, olderEngines }: Goal): Sql => sql`(
  state.filled_revision = state.revision and masjid.deleted_at is null
  and (state.filled_until < ${dateOf(last)}::date or state.engine_version = any(${olderEngines})))`

/** Neither a run over the nearest days nor one over all days has given the masjid what it needs. */
const dueNearest = (goal: Goal): Sql => sql`(
  masjid.deleted_at is null
  and (state.filled_revision is distinct from state.revision or state.filled_until < ${neededDay(goal)}::date)
  and (state.near_revision is distinct from state.revision or state.near_until < ${neededDay(goal)}::date))`

interface StaleRow extends ParameterRow, Omit<StaleMasjid, 'from' | 'isNew' | 'announced'> {
  readonly by_change: boolean
  readonly filled_revision: number | null
  readonly filled_until: string | null
  readonly near_revision: number | null
  readonly near_until: string | null
  readonly engine_version: string | null
}

const select = async (database: Queryable, goal: Goal, due: Sql, { skip, limit }: Page): Promise<StaleRow[]> =>
  database.query<StaleRow>(sql`
    select masjid.id, ${parameterColumns(goal)}, state.revision, masjid.deleted_at is not null as deleted,
      ${dueByChange} as by_change, state.filled_revision, state.filled_until, state.near_revision, state.near_until,
      state.engine_version
    from ${identifier(goal.schema, 'calculation_states')} state
    join ${identifier(goal.schema, 'up_masjids')} masjid on masjid.id = state.masjid_id
    where ${due} and state.masjid_id <> all(${skip}::uuid[])
    order by state.touched_at desc limit ${limit}`)

export interface Page {
  /** Being written right now, or locked by someone else. */
  readonly skip: readonly string[]
  readonly limit: number
}

/** The nearest days are already calculated as they would be now. */
const hasNearest = (row: StaleRow, goal: Goal): boolean =>
  goal.reach === 'all' && row.near_revision === row.revision && row.engine_version === goal.engine

const dayAfter = (date: string | null): DayNumber => (date === null ? Number.NEGATIVE_INFINITY : dayNumberOf(date) + 1)

const fromOf = (row: StaleRow, goal: Goal): DayNumber => {
  const filled = row.by_change || row.engine_version !== goal.engine ? null : row.filled_until
  return Math.max(goal.first, dayAfter(filled), dayAfter(hasNearest(row, goal) ? row.near_until : null))
}

const isNew = (row: StaleRow, goal: Goal): boolean =>
  row.filled_revision === null && (row.near_revision === null || hasNearest(row, goal))

const readRow = (row: StaleRow, goal: Goal): StaleMasjid => ({
  ...row,
  announced: announcedIn(row),
  isNew: isNew(row, goal),
  from: fromOf(row, goal),
})

/** Changes first: someone is waiting for them, while the end of the range is 400 days away. */
const selectDue = async (database: Queryable, goal: Goal, page: Page): Promise<StaleRow[]> => {
  if (goal.reach === 'nearest') return select(database, goal, dueNearest(goal), page)
  const changed = await select(database, goal, dueByChange, page)
  return changed.length > 0 ? changed : select(database, goal, dueByTime(goal), page)
}

export const nextStaleMasjids = async (database: Queryable, goal: Goal, page: Page): Promise<StaleMasjid[]> =>
  (await selectDue(database, goal, page)).map(row => readRow(row, goal))

/** The reasons for which a masjid may be due, each with an index. */
const reasons = (goal: Goal): readonly Sql[] =>
  goal.reach === 'nearest'
    ? [dueByChange, sql`state.filled_until < ${neededDay(goal)}::date`]
    : [
        dueByChange,
        sql`state.filled_until < ${dateOf(goal.last)}::date`,
        sql`state.engine_version = any(${goal.olderEngines})`,
      ]

/** `offset 0` keeps PostgreSQL from starting with the masjids instead of an index of what is due. */
const dueFor = (goal: Goal, due: Sql): Sql =>
  joinSql(
    reasons(goal).map(
      reason => sql`
        select state.masjid_id from ${identifier(goal.schema, 'calculation_states')} state cross join lateral (
          select deleted_at from ${identifier(goal.schema, 'up_masjids')} where id = state.masjid_id offset 0) masjid
        where ${reason} and ${due}`,
    ),
    ' union ',
  )

export const countStaleMasjids = async (database: Queryable, goal: Goal): Promise<number> => {
  const due = goal.reach === 'nearest' ? dueNearest(goal) : sql`(${dueByChange} or ${dueByTime(goal)})`
  const row = await database.first<{ count: number }>(
    sql`select count(*)::int as count from (${dueFor(goal, due)}) due`,
  )
  return row?.count ?? 0
}

/** Whether a masjid whose days are stored has none at all for today and tomorrow; outdated ones are good enough. */
export const lackNearestTimes = async (database: Queryable, goal: Goal): Promise<boolean> => {
  const lacks = sql`masjid.deleted_at is null
    and coalesce(greatest(state.filled_until, state.near_until), '-infinity') < ${neededDay(goal)}::date`
  const row = await database.first<{ lacking: boolean }>(sql`select exists (${dueFor(goal, lacks)}) as lacking`)
  return row?.lacking === true
}
