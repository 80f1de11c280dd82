// A feed's days that are not stored → their prayers, calculated: of a masjid that nobody looks after, and of days long past or far ahead.
import { dateOf, dayNumberOf } from '../base/civil-date.ts'
import { longZoneOffsetOf } from '../base/zone-offset.ts'
import type { Queryable } from '../db/database.ts'
import { calculateDays, type DayTimes } from '../prayer/calculation/calculate-days.ts'
import { FIRST_DATE, LAST_DATE } from '../prayer/calculation/known-dates.ts'
import { readMasjid } from '../prayer/calculation/read-masjid.ts'
import type { FeedRequest } from './feed.ts'
import type { FeedTime } from './feed-time.ts'

const prayers = ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'] as const

const MINUTE_MS = 60_000

/** Of days that the database's rules of zones do not reach too. */
const localText = (moment: Date, zone: string): string =>
  new Date(moment.getTime() + (longZoneOffsetOf(zone)?.(moment.getTime()) ?? 0)).toISOString().slice(0, 19)

const two = (number: number): string => String(number).padStart(2, '0')

const prayersOf = (times: DayTimes, { masjid }: FeedRequest): FeedTime[] =>
  prayers.map(prayer => {
    const minute = times[prayer]
    const adhan = minute === null ? null : new Date(minute * MINUTE_MS)
    const { year, month, day } = times.hijri
    return {
      date: dateOf(times.day),
      prayer,
      session: 1,
      label: null,
      adhan_at: adhan,
      iqamah_at: null,
      khutbah_at: null,
      adhan_local: adhan === null ? null : localText(adhan, masjid.timezone),
      iqamah_local: null,
      hijri: `${year}-${two(month)}-${two(day)}`,
      is_ramadan: times.isRamadan,
      source: 'calculated',
      source_updated_at: masjid.updatedAt,
    }
  })

const later = (one: string, other: string): string => (one > other ? one : other)
const earlier = (one: string, other: string): string => (one < other ? one : other)

/** The stored ones among them too: they are left out afterwards. */
const calculate = async (database: Queryable, request: FeedRequest): Promise<FeedTime[]> => {
  const { schema, masjid, from, until } = request
  const [first, last] = [dayNumberOf(later(from, FIRST_DATE)), dayNumberOf(earlier(until, LAST_DATE))]
  const parameters = first > last ? undefined : await readMasjid(database, masjid.id, { schema, first, last })
  if (parameters === undefined) return []
  const days = calculateDays(parameters, { first, days: last - first + 1 })
  return days.flatMap(day => prayersOf(day, request))
}

/** In the order of days. */
export const withUnstoredDays = async (
  database: Queryable,
  request: FeedRequest,
  stored: readonly FeedTime[],
): Promise<readonly FeedTime[]> => {
  const known = new Set(stored.map(({ date }) => date))
  if (known.size === dayNumberOf(request.until) - dayNumberOf(request.from) + 1) return stored
  request.noteAsked(request.masjid.id)
  const others = (await calculate(database, request)).filter(({ date }) => !known.has(date))
  return [...stored, ...others].sort((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)))
}
