// A time zone → a function from instants to its UTC offset, by the runtime's zone data.
import { lastUpTo, longZoneClockOf, type ZoneClock, zoneClockOf } from './zone-clock.ts'

/** Milliseconds ahead of UTC at a moment (milliseconds since 1970). */
export type ZoneOffset = (moment: number) => number

const offsetBy = (clock: ZoneClock | undefined): ZoneOffset | undefined =>
  clock && (moment => Number(clock.seconds[lastUpTo(clock.since, moment)]) * 1000)

/** As the database has it. Undefined if the runtime does not know the zone. */
export const zoneOffsetOf = (zone: string): ZoneOffset | undefined => offsetBy(zoneClockOf(zone))

/** From 1900 to 2173, for what is not stored. */
export const longZoneOffsetOf = (zone: string): ZoneOffset | undefined => offsetBy(longZoneClockOf(zone))
