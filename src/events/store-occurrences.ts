// Local starts of some events → occurrences: new ones inserted, known ones moved, obsolete ones removed.

import { dateOf } from '../base/civil-date.ts'
import type { Database } from '../db/database.ts'
import { identifier, type Sql, sql } from '../db/sql.ts'
import type { DueEvent, EventGoal } from './due-events.ts'
import { type ExpandedEvent, type ResolvedStart, resolveStarts } from './resolve-starts.ts'

interface Batch {
  readonly goal: EventGoal
  readonly events: readonly DueEvent[]
  /** By event, in their order. */
  readonly refused: readonly (string | null)[]
  readonly starts: readonly ResolvedStart[]
}

const wanted = ({ goal, events, starts }: Batch): Sql => sql`
  wanted as materialized (
    select event.id as event_id, event.masjid_id, start.starts_local, start.starts_at,
      start.starts_at + make_interval(mins => event.duration_minutes) as ends_at, event.status, event.capacity,
      event.id = any(${events.filter(({ isNew }) => isNew).map(({ id }) => id)}::uuid[]) as is_new
    from unnest(
      ${starts.map(start => start.event_id)}::uuid[],
      ${starts.map(start => start.starts_local)}::timestamp[],
      ${starts.map(start => start.starts_at)}::timestamptz[]
    ) start(event_id, starts_local, starts_at)
    join ${identifier(goal.schema, 'up_events')} event on event.id = start.event_id
  )`

/** If only the time of day changed, RSVPs for that day are kept. */
const keepSameDay = (batch: Batch): Sql => sql`
  with ${wanted(batch)},
  alone as (
    select event_id, min(starts_local) as starts_local from wanted group by event_id, starts_local::date having count(*) = 1
  )
  update ${identifier(batch.goal.schema, 'up_event_occurrences')} known set starts_local = alone.starts_local
  from alone
  where known.event_id = alone.event_id and known.starts_local::date = alone.starts_local::date
    and known.starts_local <> alone.starts_local and known.starts_at > ${batch.goal.now} and known.deleted_at is null
    and not exists (
      select from ${identifier(batch.goal.schema, 'up_event_occurrences')} other
      where other.event_id = known.event_id and other.starts_local::date = known.starts_local::date and other.id <> known.id)`

const upsert = (batch: Batch): Sql => sql`
  with ${wanted(batch)}
  insert into ${identifier(batch.goal.schema, 'up_event_occurrences')} as known
    (event_id, masjid_id, starts_local, starts_at, ends_at, status, capacity)
  select event_id, masjid_id, starts_local, starts_at, ends_at, status, capacity from wanted
  where is_new or starts_at > ${batch.goal.now}
  on conflict (event_id, starts_local) do update
    set starts_at = excluded.starts_at, ends_at = excluded.ends_at, masjid_id = excluded.masjid_id, deleted_at = null
  where not known.edited_by_hand
    and (known.starts_at, known.ends_at, known.masjid_id, known.deleted_at)
      is distinct from (excluded.starts_at, excluded.ends_at, excluded.masjid_id, null)`

/** Occurrences that have begun stay as they are, unless their event was deleted. */
const removeUnwanted = (batch: Batch): Sql => sql`
  with ${wanted(batch)}
  update ${identifier(batch.goal.schema, 'up_event_occurrences')} known set deleted_at = now()
  from unnest(
    ${batch.events.map(({ id }) => id)}::uuid[], ${batch.events.map(({ deleted }) => deleted)}::boolean[]
  ) event(id, deleted)
  where known.event_id = event.id and known.deleted_at is null and (known.starts_at > ${batch.goal.now} or event.deleted)
    and (not known.edited_by_hand or event.deleted)
    and not exists (
      select from wanted where wanted.event_id = known.event_id and wanted.starts_local = known.starts_local)`

/** A future occurrence follows its event's values, except those that were set on the occurrence itself. */
const passOn = (batch: Batch): Sql => sql`
  update ${identifier(batch.goal.schema, 'up_event_occurrences')} known
  set status = case when known.status = state.passed_status then event.status else known.status end,
    capacity = case when known.capacity is not distinct from state.passed_capacity then event.capacity
      else known.capacity end
  from ${identifier(batch.goal.schema, 'occurrence_states')} state
  join ${identifier(batch.goal.schema, 'up_events')} event on event.id = state.event_id
  where known.event_id = event.id and event.id = any(${batch.events.map(({ id }) => id)}::uuid[])
    and known.starts_at > ${batch.goal.now}
    and (state.passed_status <> event.status and known.status = state.passed_status
      or state.passed_capacity is distinct from event.capacity and state.passed_status is not null
        and known.capacity is not distinct from state.passed_capacity)`

/** Runs last, since a change to an event locks its state: an event that changed in the meantime stays due. */
const mark = ({ goal, events, refused }: Batch): Sql => sql`
  with claimed as materialized (
    select state.event_id, given.status, given.capacity, given.deleted, given.refused
    from ${identifier(goal.schema, 'occurrence_states')} state
    join unnest(
      ${events.map(({ id }) => id)}::uuid[], ${events.map(({ revision }) => revision)}::int[],
      ${events.map(({ status }) => status)}::text[], ${events.map(({ capacity }) => capacity)}::int[],
      ${events.map(({ deleted }) => deleted)}::boolean[], ${refused}::text[]
    ) given(event_id, revision, status, capacity, deleted, refused)
      on given.event_id = state.event_id and given.revision = state.revision
    for update of state skip locked
  )
  update ${identifier(goal.schema, 'occurrence_states')} state
  set filled_revision = state.revision,
    filled_until = case when claimed.deleted or claimed.refused is not null then 'infinity' else ${dateOf(goal.last)}::date end,
    refused_recurrence = claimed.refused,
    passed_status = claimed.status::${identifier(goal.schema, 'up_event_status')}, passed_capacity = claimed.capacity
  from claimed where claimed.event_id = state.event_id
  returning state.event_id`

/** @returns the ids of the finished events. */
export const storeOccurrences = (
  database: Database,
  goal: EventGoal,
  expanded: readonly ExpandedEvent[],
): Promise<Set<string>> =>
  database.transaction(async transaction => {
    // Read by the trigger that detects manual changes.
    await transaction.query(sql`select set_config('minaret.materialising', 'on', true)`)
    const starts = await resolveStarts(transaction, goal, expanded)
    const batch: Batch = {
      goal,
      events: expanded.map(({ event }) => event),
      refused: expanded.map(({ refused }) => refused),
      starts,
    }
    if (goal.reach === 'nearest') {
      await transaction.run(upsert(batch))
      return new Set(batch.events.map(({ id }) => id))
    }
    for (const statement of [keepSameDay, upsert, removeUnwanted, passOn]) await transaction.run(statement(batch))
    const rows = await transaction.query<{ event_id: string }>(mark(batch))
    return new Set(rows.map(row => row.event_id))
  })
