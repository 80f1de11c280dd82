// The clock of a masjid: what day and time it is there, and which instant a local time is.
import { dateOf, dayNumberOf } from '../../../base/civil-date.ts'
import { zoneOffsetOf } from '../../../base/zone-offset.ts'

/** The moment on the masjid's clock, as `2026-11-16T19:45:00`. */
export const localNow = (timezone: string, moment: Date): string => {
  const offset = zoneOffsetOf(timezone)?.(moment.getTime()) ?? 0
  return new Date(moment.getTime() + offset).toISOString().slice(0, 19)
}

export const todayAt = (timezone: string, moment: Date): string => localNow(timezone, moment).slice(0, 10)

export const addDays = (date: string, days: number): string => dateOf(dayNumberOf(date) + days)

/** The first Friday on or after a day. */
export const fridayFrom = (date: string): string =>
  addDays(date, (12 - (new Date(`${date}T00:00:00Z`).getUTCDay() || 7)) % 7)

/** RFC 5545 section 3.3.5: a time that occurs twice is its first occurrence; one that is skipped is read with the offset before the gap. */
export const instantOf = (timezone: string, local: string): Date => {
  const offset = zoneOffsetOf(timezone) ?? (() => 0)
  const naive = Date.parse(`${local}Z`)
  const before = offset(naive - offset(naive) - 3 * 3_600_000)
  const first = naive - before
  const usual = naive - offset(naive - offset(naive))
  const isUsual = first + offset(first) !== naive && usual + offset(usual) === naive
  return new Date(isUsual ? usual : first)
}
