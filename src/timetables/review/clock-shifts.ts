// A time zone → the days on which its clocks change, and the local times that such a change skips.
import { type DayNumber, dateOf, dayNumberOf, daysBetween, startOfDay } from '../../base/civil-date.ts'
import { zoneOffsetOf } from '../../base/zone-offset.ts'

const MINUTE_MS = 60_000
const HALF_DAY_MS = 43_200_000
/** Of a timetable, from its first day to its last. */
const MOST_DAYS = 5000

/** Minutes by which clocks are put forward during a day; negative: back. */
export const clockShifts = (timezone: string, first: string, last: string): Map<string, number> => {
  const offset = zoneOffsetOf(timezone) ?? (() => 0)
  const shifts = new Map<string, number>()
  // at local noon, since clocks change at night
  const at = (day: DayNumber): number => offset(startOfDay(day) + HALF_DAY_MS - offset(startOfDay(day) + HALF_DAY_MS))
  for (const day of daysBetween(dayNumberOf(first), dayNumberOf(last), MOST_DAYS)) {
    const shift = (at(day) - at(day - 1)) / MINUTE_MS
    if (shift !== 0) shifts.set(dateOf(day), shift)
  }
  return shifts
}

/** As is_daylight_time in the database: at noon, compared with the lesser offset of January and July. */
export const isDaylightIn = (timezone: string): ((date: string) => boolean) => {
  const offset = zoneOffsetOf(timezone) ?? (() => 0)
  const atNoon = (date: string): number => offset(Date.parse(`${date}T12:00:00Z`))
  return date => atNoon(date) > Math.min(atNoon(`${date.slice(0, 4)}-01-01`), atNoon(`${date.slice(0, 4)}-07-01`))
}

/** False for a time that clocks skip. */
export const existsIn = (timezone: string): ((date: string, clock: string) => boolean) => {
  const offset = zoneOffsetOf(timezone) ?? (() => 0)
  return (date, clock) => {
    const local = Date.parse(`${date}T${clock}:00Z`)
    return [offset(local - HALF_DAY_MS), offset(local + HALF_DAY_MS)].some(
      ahead => local - ahead + offset(local - ahead) === local,
    )
  }
}
