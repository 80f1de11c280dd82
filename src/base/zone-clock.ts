// A time zone → its offsets from UTC since 1970, by the runtime's rules. The database has the same in zone_offsets, and reads it in the
// same way, so that both show the same times. And those of longer years, which the database has not.
import { LRUCache } from 'lru-cache'

/** Each offset with the moment since which it holds; the first since ever. Moments in milliseconds, offsets in seconds. */
export interface ZoneClock {
  readonly since: readonly number[]
  /**
   * The local time (as if it were UTC) from which on the offset is meant: a change takes effect after the times that
   * it skips or repeats.
   */
  readonly sinceLocal: readonly number[]
  readonly seconds: readonly number[]
}

/** Before, the first offset holds; after, the last. */
interface Years {
  readonly first: string
  readonly last: string
}

const stored: Years = { first: '1970-01-01T00:00:00Z', last: '2100-01-01T00:00:00Z' }
/** As far as the calendars of places, and some days more at both ends. */
const long: Years = { first: '1899-12-25T00:00:00Z', last: '2174-01-07T00:00:00Z' }

const secondsAt = (moment: Temporal.ZonedDateTime): number => moment.offsetNanoseconds / 1e9

const readClock = (zone: string, { first, last }: Years): ZoneClock => {
  const lastMs = Date.parse(last)
  let moment: Temporal.ZonedDateTime | null = Temporal.Instant.from(first).toZonedDateTimeISO(zone)
  const since = [Number.NEGATIVE_INFINITY]
  const sinceLocal = [Number.NEGATIVE_INFINITY]
  const seconds = [secondsAt(moment)]
  for (;;) {
    const before = secondsAt(moment)
    moment = moment.getTimeZoneTransition('next')
    if (moment === null || moment.epochMilliseconds > lastMs) return { since, sinceLocal, seconds }
    since.push(moment.epochMilliseconds)
    sinceLocal.push(moment.epochMilliseconds + Math.max(before, secondsAt(moment)) * 1000)
    seconds.push(secondsAt(moment))
  }
}

/** More spellings than zones are never kept. */
const MOST_KEPT = 500

const keptClocks = (years: Years): ((zone: string) => ZoneClock | undefined) => {
  const clocks = new LRUCache<string, ZoneClock>({ max: MOST_KEPT })
  return zone => {
    const known = clocks.get(zone)
    if (known !== undefined) return known
    try {
      const clock = readClock(zone, years)
      clocks.set(zone, clock)
      return clock
    } catch {
      return undefined
    }
  }
}

/** Undefined if the runtime does not know the zone. */
export const zoneClockOf = keptClocks(stored)

/** From 1900 to 2173. */
export const longZoneClockOf = keptClocks(long)

/** The index of the last of ascending numbers that is not above the value. */
export const lastUpTo = (ascending: readonly number[], value: number): number => {
  let [low, high] = [0, ascending.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (Number(ascending[middle]) <= value) low = middle
    else high = middle
  }
  return low
}
