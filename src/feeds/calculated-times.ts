// A feed's days that are not stored → their prayers, calculated: of a masjid that nobody looks after, and of days long past or far ahead.
import { dateOf, dayNumberOf } from '../base/civil-date.ts'
import { longZoneOffsetOf } from '../base/zone-offset.ts'
import type { Queryable } from '../db/database.ts'
import { calculateDays, type DayTimes, type Minute } from '../prayer/calculation/calculate-days.ts'
import { readMasjid } from '../prayer/calculation/read-masjid.ts'
import { type Days, prayersOf, unstoredIn } from '../prayer/on-demand/unstored-days.ts'
import type { FeedMasjid, FeedRequest } from './feed.ts'
import type { FeedTime } from './feed-time.ts'

const MINUTE_MS = 60_000

/** Of days that the database's rules of zones do not reach too. */
const localText = (moment: Date, zone: string): string =>
  new Date(moment.getTime() + (longZoneOffsetOf(zone)?.(moment.getTime()) ?? 0)).toISOString().slice(0, 19)

const two = (number: number): string => String(number).padStart(2, '0')

const adhanAt = (minute: Minute, zone: string): Pick<FeedTime, 'adhan_at' | 'adhan_local'> => {
  const adhan_at = minute === null ? null : new Date(minute * MINUTE_MS)
  return { adhan_at, adhan_local: adhan_at === null ? null : localText(adhan_at, zone) }
}

const timesOf = (
  { day, isRamadan, hijri: { year, month, day: dayOfMonth }, ...times }: DayTimes,
  masjid: FeedMasjid,
) => {
  const hijri = `${year}-${two(month)}-${two(dayOfMonth)}`
  const ofDay = {
    date: dateOf(day),
    hijri,
    is_ramadan: isRamadan,
    khutbah_at: null,
    source_updated_at: masjid.updatedAt,
  }
  return prayersOf(ofDay, prayer => adhanAt(times[prayer], masjid.timezone))
}

/** The stored ones among them too: they are left out afterwards. */
const calculate = async (
  database: Queryable,
  { schema, masjid }: FeedRequest,
  { from, until }: Days,
): Promise<FeedTime[]> => {
  const [first, last] = [dayNumberOf(from), dayNumberOf(until)]
  const parameters = await readMasjid(database, masjid.id, { schema, first, last })
  if (parameters === undefined) return []
  return calculateDays(parameters, { first, days: last - first + 1 }).flatMap(day => timesOf(day, masjid))
}

/** In the order of days. */
export const withUnstoredDays = async (
  database: Queryable,
  request: FeedRequest,
  stored: readonly FeedTime[],
): Promise<readonly FeedTime[]> => {
  const known = new Set(stored.map(({ date }) => date))
  const unstored = unstoredIn(request, known)
  if (unstored === undefined) return stored
  request.noteAsked(request.masjid.id)
  const others = (await calculate(database, request, unstored)).filter(({ date }) => !known.has(date))
  return [...stored, ...others].sort((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)))
}
