// A masjid's resolved times → a calendar, or a table.

import { writeCsv } from '../base/csv-text.ts'
import type { Queryable } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'
import { sessionName } from '../prayer/session-name.ts'
import { withUnstoredDays } from './calculated-times.ts'
import { type Component, escapeText, writeCalendar, writeProperties } from './calendar-text.ts'
import { type CalendarZone, createCalendarZone, utcText } from './calendar-zone.ts'
import { calendarOf, type FeedRequest, feedRelations, type HeldDays, placeOf, textProperty, titleOf } from './feed.ts'
import type { FeedTime } from './feed-time.ts'

export const timesRelations: readonly string[] = ['pc_prayer_times', 'pc_hijri_months', ...feedRelations]

const read = async (database: Queryable, request: FeedRequest): Promise<readonly FeedTime[]> => {
  const { schema, masjid, from, until } = request
  const stored = await database.query<FeedTime>(sql`
    select date, prayer, session, label, adhan_at, iqamah_at, khutbah_at, source, source_updated_at, is_ramadan,
      to_char(adhan_local, 'YYYY-MM-DD"T"HH24:MI:SS') as adhan_local,
      to_char(iqamah_local, 'YYYY-MM-DD"T"HH24:MI:SS') as iqamah_local,
      to_char(hijri_year, 'FM0000') || '-' || to_char(hijri_month, 'FM00') || '-' || to_char(hijri_day, 'FM00') as hijri
    from ${identifier(schema, 'pc_prayer_times')}
    where masjid_id = ${masjid.id} and date between ${from} and ${until}
    order by date, coalesce(iqamah_at, adhan_at), prayer, session`)
  return withUnstoredDays(database, request, stored)
}

const names: Readonly<Record<string, string>> = {
  fajr: 'Fajr',
  dhuhr: 'Dhuhr',
  asr: 'Asr',
  maghrib: 'Maghrib',
  isha: 'Isha',
  jumuah: 'Jumu’ah',
  taraweeh: 'Taraweeh',
  eid_fitr: 'Eid al-Fitr',
  eid_adha: 'Eid al-Adha',
}

const PRAYER_MS = 15 * 60_000

const summaryOf = (time: FeedTime): string => sessionName(names[time.prayer] ?? time.prayer, time)

const clockLine = (what: string, local: string | null): string =>
  local === null ? '' : `${what} ${local.slice(11, 16)}\\n`

/** Escaped: nothing else on it needs that. */
const descriptionOf = ({ adhan_local, iqamah_local, hijri, source }: FeedTime): string =>
  `${clockLine('Adhan', adhan_local)}${clockLine('Iqamah', iqamah_local)}Hijri ${hijri}\\nSource: ${escapeText(source)}`

/** Of all events of a calendar. */
interface Alike {
  readonly masjidId: string
  /** Most rows were last revised together. */
  readonly stamp: (revised: Date) => string
  /** Properties as they are written. */
  readonly same: string
}

const createStamp = (): Alike['stamp'] => {
  const known = new Map<number, string>()
  return revised => {
    const text = known.get(revised.getTime()) ?? utcText(revised)
    known.set(revised.getTime(), text)
    return text
  }
}

const alikeOf = (request: FeedRequest): Alike => ({
  masjidId: request.masjid.id,
  stamp: createStamp(),
  // Prayers do not block time in a calendar.
  same: writeProperties([...placeOf(request), ['CATEGORIES', 'PRAYER'], ['TRANSP', 'TRANSPARENT']]),
})

/** At the khutbah, else the iqamah, else the adhan. A prayer without any of them is left out. */
const toEvent = (time: FeedTime, zone: CalendarZone, { masjidId, stamp, same }: Alike): Component[] => {
  const congregation = time.iqamah_at ?? time.adhan_at
  if (congregation === null) return []
  return [
    {
      name: 'VEVENT',
      properties: [
        ['UID', `${masjidId}-${time.date}-${time.prayer}-${time.session}@prayer-times.minaret`],
        // RFC 5545 section 3.8.7.2: when the information was last revised. The current time would change the ETag on every request.
        ['DTSTAMP', stamp(time.source_updated_at)],
        zone.property('DTSTART', time.khutbah_at ?? congregation),
        zone.property('DTEND', new Date(congregation.getTime() + PRAYER_MS)),
        ...textProperty('SUMMARY', summaryOf(time)),
        ['DESCRIPTION', descriptionOf(time)],
      ],
      written: same,
    },
  ]
}

const heldIn = (times: readonly FeedTime[]): HeldDays => ({
  days: new Set(times.map(({ date }) => date)).size,
  from: times[0]?.date ?? '',
  until: times.at(-1)?.date ?? '',
})

export const prayerTimesCalendar = async (database: Queryable, request: FeedRequest): Promise<string> => {
  const times = await read(database, request)
  const zone = createCalendarZone(
    request.masjid.timezone,
    new Date(request.from),
    new Date(`${request.until}T23:59:59Z`),
  )
  const alike = alikeOf(request)
  const events = times.flatMap(time => toEvent(time, zone, alike))
  const description = request.describe?.(heldIn(times))
  const head = { description, title: titleOf(request, 'prayer times'), timezone: request.masjid.timezone }
  return writeCalendar(calendarOf(head, [zone.component, ...events]))
}

const columns = [
  'date',
  'hijri',
  'is_ramadan',
  'prayer',
  'session',
  'label',
  'adhan_at',
  'iqamah_at',
  'khutbah_at',
  'adhan_local',
  'iqamah_local',
  'source',
  'source_updated_at',
] as const satisfies readonly (keyof FeedTime)[]

export const prayerTimesTable = async (database: Queryable, request: FeedRequest): Promise<string> => {
  const times = await read(database, request)
  return writeCsv(
    [...columns, 'timezone'],
    times.map(time => [...columns.map(column => time[column]), request.masjid.timezone]),
  )
}
