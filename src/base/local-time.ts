// A zone's local times ↔ instants. Local times are text without a zone: `2026-11-16T05:12`.
import { type DayNumber, dateOf } from './civil-date.ts'
import { lastUpTo, zoneClockOf } from './zone-clock.ts'
import { zoneOffsetOf } from './zone-offset.ts'

const offsetAt = (zone: string, moment: number): number => zoneOffsetOf(zone)?.(moment) ?? 0

/** `2026-11-16T05:12:00` on the zone's clock. */
export const localTimeAt = (moment: Date, zone: string): string =>
  new Date(moment.getTime() + offsetAt(zone, moment.getTime())).toISOString().slice(0, 19)

/** `2026-11-16` on the zone's calendar. */
export const localDateAt = (moment: Date, zone: string): string => localTimeAt(moment, zone).slice(0, 10)

const isLocalTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/

/**
 * Undefined if the text is no local time. Where clocks go forward over it, the time counts from before the change; where they go
 * back over it, the first of the two is meant.
 */
export const instantOf = (local: string, zone: string): Date | undefined => {
  const read = isLocalTime.test(local) ? new Date(`${local}Z`) : undefined
  if (read === undefined || Number.isNaN(read.getTime()) || !read.toISOString().startsWith(local)) return undefined
  const clock = zoneClockOf(zone)
  const ahead = clock?.seconds[lastUpTo(clock.sinceLocal, read.getTime())] ?? 0
  return new Date(read.getTime() - ahead * 1000)
}

/** When the next day begins on the zone's clocks, in milliseconds; in UTC if the runtime does not know the zone. */
export const endOfDay = (day: DayNumber, zone: string): number => Number(instantOf(`${dateOf(day + 1)}T00:00`, zone))
