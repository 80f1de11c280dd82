// A masjid's occurrences → a calendar, or a table.

import { writeCsv } from '../base/csv-text.ts'
import type { Queryable } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'
import { type Component, writeCalendar } from './calendar-text.ts'
import { type CalendarZone, createCalendarZone, utcText } from './calendar-zone.ts'
import { calendarOf, daysOf, type FeedRequest, feedRelations, placeOf, textProperty, titleOf } from './feed.ts'

interface Occurrence {
  readonly event_id: string
  readonly occurrence_id: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly audience: string
  readonly mode: string
  readonly location: string | null
  readonly online_url: string | null
  readonly status: 'scheduled' | 'postponed' | 'cancelled'
  readonly starts_at: Date
  readonly ends_at: Date
  readonly starts_local: string
  readonly timezone: string
  readonly capacity: number | null
  readonly going_count: number
  readonly updated_at: Date
}

/** The next ones; a masjid has a few a day. Writing them takes the thread that serves a fraction of a second at most. */
const MOST_OCCURRENCES = 2000
/** Describing a zone costs as much as writing dozens of events. Times in others are in UTC. */
const MOST_ZONES = 8

export const eventsRelations: readonly string[] = ['up_events', 'up_event_occurrences', ...feedRelations]

const read = (database: Queryable, { schema, masjid, from, until }: FeedRequest): Promise<Occurrence[]> =>
  database.query<Occurrence>(sql`
    select event.id as event_id, occurrence.id as occurrence_id, event.title, event.description, event.category,
      event.audience, event.mode, event.location, event.online_url, occurrence.status, occurrence.starts_at,
      occurrence.ends_at,
      to_char(${identifier(schema, 'local_time')}(occurrence.starts_at, zone.clock), 'YYYY-MM-DD"T"HH24:MI:SS') as starts_local,
      event.timezone, occurrence.capacity, occurrence.going_count,
      greatest(event.updated_at, occurrence.updated_at) as updated_at
    from ${identifier(schema, 'up_event_occurrences')} occurrence
    join ${identifier(schema, 'up_events')} event on event.id = occurrence.event_id and event.deleted_at is null
    join ${identifier(schema, 'zone_offsets')} zone on zone.zone = event.timezone
    where occurrence.masjid_id = ${masjid.id} and occurrence.deleted_at is null
      and occurrence.starts_at >= ${identifier(schema, 'local_instant')}(${from}::date::timestamp, ${masjid.timezone})
      and occurrence.starts_at < ${identifier(schema, 'local_instant')}((${until}::date + 1)::timestamp, ${masjid.timezone})
    order by occurrence.starts_at, occurrence.id limit ${MOST_OCCURRENCES}`)

/** RFC 5545 section 3.8.1.11. A postponed occurrence is one whose time is not sure. */
const statuses = { scheduled: 'CONFIRMED', postponed: 'TENTATIVE', cancelled: 'CANCELLED' } as const

const descriptionOf = ({ description, online_url }: Occurrence): string =>
  [description, online_url ?? ''].filter(text => text !== '').join('\n\n')

const toEvent = (occurrence: Occurrence, zone: CalendarZone | undefined, request: FeedRequest): Component => {
  const property: CalendarZone['property'] = (name, instant) =>
    zone === undefined ? [name, utcText(instant)] : zone.property(name, instant)
  return {
    name: 'VEVENT',
    properties: [
      ['UID', `${occurrence.occurrence_id}@events.minaret`],
      ['DTSTAMP', utcText(occurrence.updated_at)],
      ['LAST-MODIFIED', utcText(occurrence.updated_at)],
      property('DTSTART', occurrence.starts_at),
      property('DTEND', occurrence.ends_at),
      ['STATUS', statuses[occurrence.status]],
      ...textProperty('SUMMARY', occurrence.title),
      ...textProperty('DESCRIPTION', descriptionOf(occurrence)),
      ...(occurrence.location === null ? placeOf(request) : textProperty('LOCATION', occurrence.location)),
      ...textProperty('CATEGORIES', occurrence.category.toUpperCase()),
      ...(occurrence.online_url === null ? [] : ([['URL', occurrence.online_url]] as const)),
    ],
  }
}

export const eventsCalendar = async (database: Queryable, request: FeedRequest): Promise<string> => {
  const occurrences = await read(database, request)
  const [from, until] = [new Date(request.from), new Date(`${request.until}T23:59:59Z`)]
  const names = new Set([request.masjid.timezone, ...occurrences.map(({ timezone }) => timezone)])
  const zones = new Map([...names].slice(0, MOST_ZONES).map(name => [name, createCalendarZone(name, from, until)]))
  const description = request.describe?.(daysOf(request))
  const head = { description, title: titleOf(request, 'events'), timezone: request.masjid.timezone }
  return writeCalendar(
    calendarOf(head, [
      ...[...zones.values()].map(({ component }) => component),
      ...occurrences.map(occurrence => toEvent(occurrence, zones.get(occurrence.timezone), request)),
    ]),
  )
}

const columns = [
  'occurrence_id',
  'event_id',
  'title',
  'category',
  'audience',
  'mode',
  'status',
  'starts_at',
  'ends_at',
  'starts_local',
  'timezone',
  'location',
  'online_url',
  'capacity',
  'going_count',
  'updated_at',
] as const satisfies readonly (keyof Occurrence)[]

export const eventsTable = async (database: Queryable, request: FeedRequest): Promise<string> => {
  const occurrences = await read(database, request)
  return writeCsv(
    columns,
    occurrences.map(occurrence => columns.map(column => occurrence[column])),
  )
}
