// The database → the events whose occurrences are due, the latest change first.

import { type DayNumber, dateOf } from '../base/civil-date.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Queryable } from '../db/database.ts'
import { identifier, type Sql, sql } from '../db/sql.ts'
import type { Recurrence } from './expand-rule.ts'

export interface DueEvent extends Recurrence {
  readonly id: string
  readonly revision: number
  readonly deleted: boolean
  /** Never materialised: then what took place lately is made as well. */
  readonly isNew: boolean
  readonly status: string
  readonly capacity: number | null
}

export interface EventGoal {
  readonly schema: DataSchema
  readonly now: Date
  /** The last day that is materialised: a year ahead. */
  readonly last: DayNumber
}

const dueByChange = sql`state.filled_revision is distinct from state.revision`
const dueByTime = ({ last }: EventGoal): Sql => sql`(
  state.filled_revision = state.revision and event.deleted_at is null and state.filled_until < ${dateOf(last)}::date)`

export interface EventPage {
  readonly skip: readonly string[]
  readonly limit: number
}

const select = (database: Queryable, goal: EventGoal, due: Sql, page: EventPage): Promise<DueEvent[]> =>
  database.query<DueEvent>(sql`
    select event.id, state.revision, event.deleted_at is not null as deleted, state.filled_revision is null as "isNew",
      event.starts_local::text, event.timezone, event.rrule, event.exdates::text[],
      event.status, event.capacity
    from ${identifier(goal.schema, 'occurrence_states')} state
    join ${identifier(goal.schema, 'up_events')} event on event.id = state.event_id
    where ${due} and state.event_id <> all(${page.skip}::uuid[])
    order by state.touched_at desc limit ${page.limit}`)

/** One after the other, since the index of what changed serves only a question for nothing else. */
export const nextDueEvents = async (database: Queryable, goal: EventGoal, page: EventPage): Promise<DueEvent[]> => {
  const changed = await select(database, goal, dueByChange, page)
  return changed.length > 0 ? changed : select(database, goal, dueByTime(goal), page)
}

/** Counts no further than `most`: whether there are few is all that anybody asks. */
export const countDueEvents = async (database: Queryable, goal: EventGoal, most: number): Promise<number> => {
  const row = await database.first<{ count: number }>(sql`
    select count(*)::int as count from (
      select from ${identifier(goal.schema, 'occurrence_states')} state
      join ${identifier(goal.schema, 'up_events')} event on event.id = state.event_id
      where ${dueByChange} or ${dueByTime(goal)} limit ${most}
    ) due`)
  return row?.count ?? 0
}
