// A time zone → a function from instants to its UTC offset, by the runtime's zone data.
import { lastUpTo, longZoneClockOf, type ZoneClock, zoneClockOf } from './zone-clock.ts'

/** Milliseconds ahead of UTC at a moment (milliseconds since 1970). */
export type ZoneOffset = (moment: number) => number

/** Most questions are about the same half year as the one before. */
const offsetBy = (clock: ZoneClock | undefined): ZoneOffset | undefined => {
  if (clock === undefined) return undefined
  const { since, seconds } = clock
  const answer = { from: Number.NaN, until: Number.NaN, offset: 0 }
  return moment => {
    if (moment >= answer.from && moment < answer.until) return answer.offset
    const index = lastUpTo(since, moment)
    answer.from = index === 0 ? Number.NEGATIVE_INFINITY : Number(since[index])
    answer.until = Number(since[index + 1] ?? Number.POSITIVE_INFINITY)
    answer.offset = Number(seconds[index]) * 1000
    return answer.offset
  }
}

/** As the database has it. Undefined if the runtime does not know the zone. */
export const zoneOffsetOf = (zone: string): ZoneOffset | undefined => offsetBy(zoneClockOf(zone))

/** From 1900 to 2173, for what is not stored. */
export const longZoneOffsetOf = (zone: string): ZoneOffset | undefined => offsetBy(longZoneClockOf(zone))
