// An event's recurrence (RFC 5545) and a window of local time → the local starts that fall into it.
import { zoneOffsetOf } from '../base/zone-offset.ts'
import { followRule, type LocalWindow } from './follow-rule.ts'

/** Local times are text without a zone (`2026-03-08T19:30:00`), computed as if they were UTC. */
export interface Recurrence {
  readonly starts_local: string
  readonly timezone: string
  readonly rrule: string | null
  readonly exdates: readonly string[]
}

export class RuleFault extends Error {}

export const localMs = (local: string): number => Date.parse(`${local.replace(' ', 'T')}Z`)

const localText = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 19)

/**
 * RFC 5545 section 3.3.10: "if the DTSTART property is specified as a date with local time and time zone reference, then the
 * UNTIL rule part MUST be specified as a date with UTC time". A bare date, which people write nevertheless, means all of that day.
 */
const readUntil = (rule: string, timezone: string): number | undefined => {
  const [, date, time, utc] = /(?:^|;)UNTIL=(\d{8})(?:T(\d{6})(Z)?)?(?:;|$)/.exec(rule) ?? []
  if (date === undefined) return undefined
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`
  if (time === undefined) return localMs(`${day}T23:59:59`)
  const moment = localMs(`${day}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}`)
  return utc === undefined ? moment : moment + (zoneOffsetOf(timezone)?.(moment) ?? 0)
}

const followOrRefuse = (recurrence: Recurrence, rule: string, window: LocalWindow): number[] => {
  const { starts_local, timezone } = recurrence
  const until = readUntil(rule, timezone) ?? Number.POSITIVE_INFINITY
  try {
    return followRule({ rule, first: localMs(starts_local), until, window })
  } catch (cause) {
    throw new RuleFault(`The rule ${rule} cannot be followed.`, { cause })
  }
}

/** @throws {RuleFault} for a rule that is invalid, or that has no start among as many days as anybody would look at. */
export const expandRule = (recurrence: Recurrence, window: LocalWindow): string[] => {
  const { rrule: rule, starts_local, exdates } = recurrence
  const once = localMs(starts_local)
  const starts = rule === null ? [once] : followOrRefuse(recurrence, rule, window)
  const leftOut = new Set(exdates.map(localMs))
  return starts.filter(start => start >= window.from && start <= window.until && !leftOut.has(start)).map(localText)
}
