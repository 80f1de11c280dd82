// What all feeds share: the masjid, the range of days, the resulting text.

import { dateOf, dayNumberOf } from '../base/civil-date.ts'
import { isUuidInAnyCase } from '../base/uuid.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Queryable } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'
import { type Component, escapeText, type Property } from './calendar-text.ts'

export interface FeedMasjid {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly latitude: number
  readonly longitude: number
  readonly timezone: string
  /** The current date at the masjid. */
  readonly today: string
}

export interface FeedRequest {
  readonly schema: DataSchema
  readonly masjid: FeedMasjid
  /** Whether the credential may read the directory; otherwise the feed does not name the masjid. */
  readonly named: boolean
  /** First and last day, on the masjid's clock. */
  readonly from: string
  readonly until: string
}

/** A masjid by its id or its slug. */
export const findFeedMasjid = (
  database: Queryable,
  { schema, masjid, now }: { schema: DataSchema; masjid: string; now: Date },
): Promise<FeedMasjid | undefined> =>
  database.first<FeedMasjid>(sql`
    select id, name, concat_ws(', ', address, city, state, postal_code) as address, latitude, longitude, timezone,
      ${identifier(schema, 'local_time')}(${now}::timestamptz, timezone)::date as today
    from ${identifier(schema, 'up_masjids')}
    where deleted_at is null and ${isUuidInAnyCase(masjid) ? sql`id = ${masjid}` : sql`slug = ${masjid}`}`)

export const lastDay = (from: string, days: number): string => dateOf(dayNumberOf(from) + days - 1)

const REFRESH = 'PT6H'

/** REFRESH-INTERVAL and NAME are of RFC 7986; the X- names are what calendars understood before it. */
export const calendarOf = (title: string, timezone: string, components: readonly Component[]): Component => ({
  name: 'VCALENDAR',
  properties: [
    ['VERSION', '2.0'],
    ['PRODID', '-//Minaret//Masjid feeds//EN'],
    ['CALSCALE', 'GREGORIAN'],
    ['METHOD', 'PUBLISH'],
    ['NAME', escapeText(title)],
    ['X-WR-CALNAME', escapeText(title)],
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
