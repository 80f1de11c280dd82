// The database → the masjids whose times are due for calculation, the latest change first.

import { type DayNumber, dateOf, dayNumberOf } from '../../base/civil-date.ts'
import type { DataSchema } from '../../db/data-schema.ts'
import type { Queryable } from '../../db/database.ts'
import { identifier, type Sql, sql } from '../../db/sql.ts'
import { isOlderEngine } from '../calculation/engine-version.ts'
import type { MasjidParameters } from '../calculation/masjid-parameters.ts'

/** Each masjid's own yesterday lies within a day of this, and its 400th day ahead as well. */
const DAYS_BACK = 2
const DAYS_AHEAD = 401

/** What has to be there, and with what it has to be calculated. */
export interface Goal {
  readonly schema: DataSchema
  readonly first: DayNumber
  readonly last: DayNumber
  readonly engine: string
  readonly olderEngines: readonly string[]
}

export interface StaleMasjid extends MasjidParameters {
  readonly id: string
  readonly revision: number
  readonly deleted: boolean
  /** Never calculated, so that nothing is stored. */
  readonly isNew: boolean
  /** The first day to calculate: where nothing changed, only the end of the stretch is missing. */
  readonly from: DayNumber
}

export const readGoal = async (
  database: Queryable,
  { schema, today, engine }: { schema: DataSchema; today: DayNumber; engine: string },
): Promise<Goal> => {
  const stored = await database.query<{ engine_version: string }>(sql`
    select distinct engine_version from ${identifier(schema, 'calculation_states')} where engine_version is not null`)
  const olderEngines = stored.map(row => row.engine_version).filter(version => isOlderEngine(version, engine))
  return { schema, first: today - DAYS_BACK, last: today + DAYS_AHEAD, engine, olderEngines }
}

const dueByChange = sql`state.filled_revision is distinct from state.revision`
const dueByTime = ({ last, olderEngines }: Goal): Sql => sql`(
  state.filled_revision = state.revision and masjid.deleted_at is null
  and (state.filled_until < ${dateOf(last)}::date or state.engine_version = any(${olderEngines})))`

interface StaleRow extends Omit<StaleMasjid, 'from'> {
  readonly by_change: boolean
  readonly filled_until: string | null
  readonly engine_version: string | null
}

const select = async (database: Queryable, goal: Goal, due: Sql, { skip, limit }: Page): Promise<StaleRow[]> =>
  database.query<StaleRow>(sql`
    select masjid.id, masjid.latitude, masjid.longitude, masjid.timezone, masjid.calculation_method, masjid.madhab,
      masjid.high_latitude_rule, masjid.adjustments, masjid.hijri_adjustment, state.revision,
      masjid.deleted_at is not null as deleted, state.filled_revision is null as "isNew",
      ${dueByChange} as by_change, state.filled_until, state.engine_version
    from ${identifier(goal.schema, 'calculation_states')} state
    join ${identifier(goal.schema, 'up_masjids')} masjid on masjid.id = state.masjid_id
    where ${due} and state.masjid_id <> all(${skip}::uuid[])
    order by state.touched_at desc limit ${limit}`)

export interface Page {
  /** Being written at this moment, or held by somebody else. */
  readonly skip: readonly string[]
  readonly limit: number
}

const fromOf = (row: StaleRow, goal: Goal): DayNumber =>
  row.by_change || row.filled_until === null || row.engine_version !== goal.engine
    ? goal.first
    : Math.max(goal.first, dayNumberOf(row.filled_until) + 1)

/** Changes first: somebody waits for them, while the end of the stretch is 400 days away. */
export const nextStaleMasjids = async (database: Queryable, goal: Goal, page: Page): Promise<StaleMasjid[]> => {
  const changed = await select(database, goal, dueByChange, page)
  const rows = changed.length > 0 ? changed : await select(database, goal, dueByTime(goal), page)
  return rows.map(row => ({ ...row, from: fromOf(row, goal) }))
}

export const countStaleMasjids = async (database: Queryable, goal: Goal): Promise<number> => {
  const row = await database.first<{ count: number }>(sql`
    select count(*)::int as count from ${identifier(goal.schema, 'calculation_states')} state
    join ${identifier(goal.schema, 'up_masjids')} masjid on masjid.id = state.masjid_id
    where ${dueByChange} or ${dueByTime(goal)}`)
  return row?.count ?? 0
}
