// A time zone → a function from instants to its UTC offset, by the runtime's zone data.
import { LRUCache } from 'lru-cache'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const SECOND_MS = 1000

/** `GMT`, `GMT-05:00`, `GMT+05:30`, `GMT-00:44:30`. */
const parseOffset = (name: string): number => {
  const [, sign, hours, minutes, seconds = '0'] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? []
  if (sign === undefined) return 0
  const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS
  return sign === '-' ? -size : size
}

/** Milliseconds ahead of UTC at a moment (milliseconds since 1970). */
export type ZoneOffset = (moment: number) => number

const createOffset = (zone: string): ZoneOffset => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' })
  return moment => parseOffset(format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT')
}

/** A format costs as much as dozens of its uses, and holds nothing but the rules of its zone. More spellings than zones are never kept. */
const offsets = new LRUCache<string, ZoneOffset>({ max: 500 })

/** Undefined if the runtime does not know the zone. */
export const zoneOffsetOf = (zone: string): ZoneOffset | undefined => {
  try {
    const offset = offsets.get(zone) ?? createOffset(zone)
    offsets.set(zone, offset)
    return offset
  } catch {
    return undefined
  }
}
