// The events whose occurrences are due: masjids take turns, each with its most recently changed event first.

import { type DayNumber, dateOf } from '../base/civil-date.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Queryable } from '../db/database.ts'
import { identifier, type Sql, sql } from '../db/sql.ts'
import type { Recurrence } from './expand-rule.ts'

export interface DueEvent extends Recurrence {
  readonly id: string
  readonly masjid_id: string
  readonly revision: number
  readonly deleted: boolean
  /** Never materialised: recent past occurrences are created as well. */
  readonly isNew: boolean
  readonly status: string
  readonly capacity: number | null
  /** What gave no dates when it was last followed. */
  readonly refused: string | null
}

export interface EventGoal {
  readonly schema: DataSchema
  readonly now: Date
  /** The last day that is materialised: a year ahead, or a week of events that have no occurrences yet. */
  readonly last: DayNumber
  readonly reach: 'nearest' | 'all'
}

const dueByChange = sql`state.filled_revision is distinct from state.revision`
const dueByTime = ({ last }: EventGoal): Sql => sql`(
  state.filled_revision = state.revision and event.deleted_at is null and state.filled_until < ${dateOf(last)}::date)`

const neverFilled = sql`state.filled_revision is null and event.deleted_at is null`

export interface EventPage {
  readonly skip: readonly string[]
  readonly limit: number
  /** How many turns masjids have had that took long: others come before them. */
  readonly turns: ReadonlyMap<string, number>
}

/** So many of them take turns. */
const MOST_STATES = 2000

const dueStates = (goal: EventGoal, due: Sql, { skip }: EventPage): Sql => sql`
  select state.event_id, state.revision, state.filled_revision, state.touched_at, state.refused_recurrence
  from ${identifier(goal.schema, 'occurrence_states')} state
  join ${identifier(goal.schema, 'up_events')} event on event.id = state.event_id
  where ${due} and state.event_id <> all(${skip}::uuid[])`

const newestOf = (states: Sql): Sql => sql`(${states} order by touched_at desc limit ${MOST_STATES})`
/** A masjid that changes its events all the time hides neither new changes nor those that have waited. */
const bothEndsOf = (states: Sql): Sql => sql`
  ${newestOf(states)} union (${states} order by touched_at limit ${MOST_STATES})`

const select = (database: Queryable, goal: EventGoal, due: Sql, page: EventPage): Promise<DueEvent[]> =>
  database.query<DueEvent>(sql`
    with due as (${due})
    select event.id, event.masjid_id, due.revision, event.deleted_at is not null as deleted, due.filled_revision is null as "isNew",
      event.starts_local::text, event.timezone, event.rrule, event.exdates::text[],
      event.status, event.capacity, due.refused_recurrence as refused
    from due join ${identifier(goal.schema, 'up_events')} event on event.id = due.event_id
      left join unnest(${[...page.turns.keys()]}::uuid[], ${[...page.turns.values()]}::int[]) had (masjid_id, turns)
        on had.masjid_id = event.masjid_id
    order by coalesce(had.turns, 0) + row_number() over (partition by event.masjid_id order by due.touched_at desc), due.touched_at desc
    limit ${page.limit}`)

/** Two queries, since the index of changed events serves only a query for those alone. */
export const nextDueEvents = async (database: Queryable, goal: EventGoal, page: EventPage): Promise<DueEvent[]> => {
  const states = (due: Sql): Sql => dueStates(goal, due, page)
  if (goal.reach === 'nearest') return select(database, goal, newestOf(states(neverFilled)), page)
  const changed = await select(database, goal, bothEndsOf(states(dueByChange)), page)
  return changed.length > 0 ? changed : select(database, goal, newestOf(states(dueByTime(goal))), page)
}

/**
 * Stops counting at `most`, of each kind: callers only need to know whether there are few. Each kind has its index, and `offset 0`
 * keeps PostgreSQL from starting with the events instead.
 */
export const countDueEvents = async (database: Queryable, goal: EventGoal, most: number): Promise<number> => {
  const due = (kind: Sql): Sql => sql`(
    select from ${identifier(goal.schema, 'occurrence_states')} state cross join lateral (
      select deleted_at from ${identifier(goal.schema, 'up_events')} where id = state.event_id offset 0) event
    where ${kind} limit ${most})`
  const row = await database.first<{ count: number }>(
    sql`select count(*)::int as count from (${due(dueByChange)} union all ${due(dueByTime(goal))}) due`,
  )
  return row?.count ?? 0
}
