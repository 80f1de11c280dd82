// What all feeds share: the masjid, the range of days, the resulting text.

import { dateOf, dayNumberOf } from '../base/civil-date.ts'
import { isUuidInAnyCase } from '../base/uuid.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Queryable } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'
import type { NoteAsked } from '../prayer/on-demand/asked-masjids.ts'
import { type Component, escapeText, type Property } from './calendar-text.ts'

export interface FeedMasjid {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly latitude: number
  readonly longitude: number
  readonly timezone: string
  /** When its row last changed. */
  readonly updatedAt: Date
  /** The current date at the masjid. */
  readonly today: string
  /** When the server that it was read from started, in seconds since 1970. */
  readonly server: string
}

export interface FeedRequest {
  readonly schema: DataSchema
  readonly masjid: FeedMasjid
  /** Whether the credential may read the directory; otherwise the feed does not name the masjid. */
  readonly named: boolean
  /** First and last day, on the masjid's clock. */
  readonly from: string
  readonly until: string
  /** Told that somebody asks for times of a masjid that are not stored. */
  readonly noteAsked: NoteAsked
  /** What the calendar says about itself; nothing by default. */
  readonly describe?: (held: HeldDays) => string
}

/** Those that a calendar has: fewer than were asked for where the rest is not known yet. */
export interface HeldDays extends Pick<FeedRequest, 'from' | 'until'> {
  readonly days: number
}

/** How a feed is written, and the tables and views that it is read from besides its masjid. */
export interface FeedWriter {
  readonly relations: readonly string[]
  readonly write: (database: Queryable, request: FeedRequest) => Promise<string>
}

/** Of every feed: its masjid, and the clock there. */
export const feedRelations: readonly string[] = ['up_masjids', 'zone_offsets']

/** A masjid by its id or its slug. */
export const findFeedMasjid = (
  database: Queryable,
  { schema, masjid, now }: { schema: DataSchema; masjid: string; now: Date },
): Promise<FeedMasjid | undefined> =>
  database.first<FeedMasjid>(sql`
    select id, name, concat_ws(', ', address, city, state, postal_code) as address, latitude, longitude, timezone,
      updated_at as "updatedAt",
      ${identifier(schema, 'local_time')}(${now}::timestamptz, timezone)::date as today,
      extract(epoch from pg_postmaster_start_time())::text as server
    from ${identifier(schema, 'up_masjids')}
    where deleted_at is null and ${isUuidInAnyCase(masjid) ? sql`id = ${masjid}` : sql`slug = ${masjid}`}`)

export const daysOf = ({ from, until }: FeedRequest): HeldDays => ({
  days: dayNumberOf(until) - dayNumberOf(from) + 1,
  from,
  until,
})

export const lastDay = (from: string, days: number): string => dateOf(dayNumberOf(from) + days - 1)

const REFRESH = 'PT6H'

/** REFRESH-INTERVAL, NAME and DESCRIPTION are of RFC 7986; the X- names are what calendars understood before it. */
export interface CalendarHead {
  readonly description?: string | undefined
  readonly title: string
  readonly timezone: string
}

export const calendarOf = (
  { title, timezone, description = '' }: CalendarHead,
  components: readonly Component[],
): Component => ({
  name: 'VCALENDAR',
  properties: [
    ['VERSION', '2.0'],
    ['PRODID', '-//Minaret//Masjid feeds//EN'],
    ['CALSCALE', 'GREGORIAN'],
    ['METHOD', 'PUBLISH'],
    ['NAME', escapeText(title)],
    ['X-WR-CALNAME', escapeText(title)],
    ...textProperty('DESCRIPTION', description),
    ...textProperty('X-WR-CALDESC', description),
    ['X-WR-TIMEZONE', timezone],
    ['REFRESH-INTERVAL;VALUE=DURATION', REFRESH],
    ['X-PUBLISHED-TTL', REFRESH],
  ],
  components,
})

export const placeOf = ({ named, masjid }: FeedRequest): Property[] =>
  named
    ? [
        ['LOCATION', escapeText(`${masjid.name}, ${masjid.address}`)],
        ['GEO', `${masjid.latitude};${masjid.longitude}`],
      ]
    : []

export const titleOf = ({ named, masjid }: FeedRequest, what: string): string =>
  named ? `${masjid.name}: ${what}` : what

/** Omits empty properties. */
export const textProperty = (name: string, text: string | null): Property[] =>
  text === null || text === '' ? [] : [[name, escapeText(text)]]
