// Events and RSVPs for a test: the columns that matter are given, the rest is made up.
import { randomUUID } from 'node:crypto'
import type { Queryable } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'

export interface TestEvent {
  readonly title?: string
  readonly starts_local?: string
  readonly timezone?: string
  readonly rrule?: string | null
  readonly exdates?: readonly string[]
  readonly anchor_prayer?: string | null
  readonly anchor_offset?: number | null
  readonly capacity?: number | null
}

export const insertEvent = async (database: Queryable, masjid: string, given: TestEvent = {}): Promise<string> => {
  const row = await database.first<{ id: string }>(sql`
    insert into up_events (masjid_id, title, starts_local, timezone, rrule, exdates, anchor_prayer, anchor_offset, capacity)
    values (${masjid}, ${given.title ?? 'Tafsir halaqah'}, ${given.starts_local ?? '2026-03-06 19:30'},
      ${given.timezone ?? 'America/New_York'}, ${given.rrule ?? null}, ${given.exdates ?? []}::timestamp[],
      ${given.anchor_prayer ?? null}, ${given.anchor_offset ?? null}, ${given.capacity ?? null})
    returning id`)
  if (row === undefined) throw new Error('The event was not written.')
  return row.id
}

/** An occurrence far ahead, with its own event, which the job of a running service takes for one that staff moved. */
export const insertOccurrence = async (
  database: Queryable,
  masjid: string,
  capacity: number | null,
): Promise<string> => {
  const event = await insertEvent(database, masjid, { capacity })
  const row = await database.first<{ id: string }>(sql`
    insert into up_event_occurrences (event_id, masjid_id, starts_local, starts_at, ends_at, capacity, edited_by_hand)
    values (${event}, ${masjid}, '2099-01-01 19:30', '2099-01-02T00:30Z', '2099-01-02T01:30Z', ${capacity}, true) returning id`)
  if (row === undefined) throw new Error('The occurrence was not written.')
  return row.id
}

/** An occurrence that its event has as well, so that the job of a running service leaves it alone. */
export const holdOccurrence = async (
  database: Queryable,
  masjid: string,
  capacity: number | null = null,
): Promise<string> => {
  const row = await database.first<{ id: string }>(sql`
    with event as (
      insert into public.up_events (masjid_id, title, starts_local, timezone, capacity)
      values (${masjid}, 'Open house', current_date + 30 + time '19:00', 'UTC', ${capacity}) returning *)
    insert into public.up_event_occurrences (event_id, masjid_id, starts_local, starts_at, ends_at, capacity)
    select id, masjid_id, starts_local, starts_local at time zone 'UTC', starts_local at time zone 'UTC' + interval '1 hour', capacity
    from event returning id`)
  if (row === undefined) throw new Error('The occurrence was not written.')
  return row.id
}

export interface Answer {
  readonly id: string
  readonly status: string
}

export const answer = async (database: Queryable, occurrence: string, party = 1): Promise<Answer> => {
  const row = await database.first<Answer>(sql`
    insert into up_event_rsvps (occurrence_id, guest_name, guest_email, party_size, responded_at)
    values (${occurrence}, 'Sample Guest', ${`${randomUUID()}@example.org`}, ${party}, clock_timestamp()) returning id, status`)
  if (row === undefined) throw new Error('The RSVP was not written.')
  return row
}
