// Local starts → instants, resolved once by the database: by the clock, or by the prayer of that day.
import type { Queryable } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'
import type { DueEvent, EventGoal } from './due-events.ts'

export interface ExpandedEvent {
  readonly event: DueEvent
  readonly starts: readonly string[]
  /** What cannot be followed, so that it is not tried again until it changes. */
  readonly refused: string | null
}

export interface ResolvedStart {
  readonly event_id: string
  readonly starts_local: string
  readonly starts_at: Date
}

/** An anchored event follows the prayer's iqamah, or its adhan if no iqamah is known; a day without either has no start. */
export const resolveStarts = (
  database: Queryable,
  { schema }: EventGoal,
  expanded: readonly ExpandedEvent[],
): Promise<ResolvedStart[]> =>
  database.query<ResolvedStart>(sql`
    select start.event_id, start.starts_local::text, moment.starts_at
    from unnest(
      ${expanded.flatMap(({ event, starts }) => starts.map(() => event.id))}::uuid[],
      ${expanded.flatMap(({ starts }) => starts)}::timestamp[]
    ) start(event_id, starts_local)
    join ${identifier(schema, 'up_events')} event on event.id = start.event_id
    cross join lateral (
      select ${identifier(schema, 'local_instant')}(start.starts_local, event.timezone) as starts_at
      where event.anchor_prayer is null
      union all
      select coalesce(times.iqamah_at, times.adhan_at) + make_interval(mins => event.anchor_offset)
      from ${identifier(schema, 'pc_prayer_times')} times
      where times.masjid_id = event.masjid_id and times.date = start.starts_local::date
        and times.prayer = event.anchor_prayer and times.session = 1
    ) moment
    where moment.starts_at is not null`)
