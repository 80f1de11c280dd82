// A time zone → a function from instants to its UTC offset, by the runtime's zone data.
import { lastUpTo, zoneClockOf } from './zone-clock.ts'

/** Milliseconds ahead of UTC at a moment (milliseconds since 1970). */
export type ZoneOffset = (moment: number) => number

/** Undefined if the runtime does not know the zone. */
export const zoneOffsetOf = (zone: string): ZoneOffset | undefined => {
  const clock = zoneClockOf(zone)
  return clock && (moment => Number(clock.seconds[lastUpTo(clock.since, moment)]) * 1000)
}
