// An event's recurrence (RFC 5545) and a window of local time → the local starts that fall into it.
import { createContext, Script } from 'node:vm'
import rrule from 'rrule'
import { zoneOffsetOf } from '../base/zone-offset.ts'

/** Local times are text without a zone (`2026-03-08T19:30:00`), computed as if they were UTC. */
export interface Recurrence {
  readonly starts_local: string
  readonly timezone: string
  readonly rrule: string | null
  readonly exdates: readonly string[]
}

/** Milliseconds of local time, both ends included. */
export interface LocalWindow {
  readonly from: number
  readonly until: number
}

export class RuleFault extends Error {}

/** A rule with more occurrences a year than this (hourly, by seconds) makes no sense for a masjid's events. */
const MOST_OCCURRENCES = 1500

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

const isPositive = (value: number | null | undefined): boolean =>
  value == null || (Number.isInteger(value) && value > 0)

/** The library searches for a matching day until the year 9999, so a rule that never matches is cut off. */
const LONGEST_MS = 2000
const sandbox = createContext({})
const callWork = new Script('work()')

const withinTime = <T>(work: () => T): T => {
  sandbox.work = work
  return callWork.runInContext(sandbox, { timeout: LONGEST_MS }) as T
}

const expand = ({ starts_local, timezone }: Recurrence, rule: string, window: LocalWindow): number[] => {
  const options = rrule.RRule.parseString(rule.replace(/(^|;)UNTIL=[^;]*/, ''))
  if (!isPositive(options.interval) || !isPositive(options.count))
    throw new Error('INTERVAL or COUNT is not above zero')
  const until = new Date(Math.min(readUntil(rule, timezone) ?? window.until, window.until))
  const series = new rrule.RRule({ ...options, dtstart: new Date(localMs(starts_local)), until }, true)
  const starts = withinTime(() =>
    series.between(new Date(window.from), until, true, (_date, count) => count < MOST_OCCURRENCES),
  )
  return starts.map(start => start.getTime())
}

const expandOrRefuse = (recurrence: Recurrence, rule: string, window: LocalWindow): number[] => {
  try {
    return expand(recurrence, rule, window)
  } catch (cause) {
    throw new RuleFault(`The rule ${rule} cannot be followed.`, { cause })
  }
}

/** @throws {RuleFault} for an invalid rule. */
export const expandRule = (recurrence: Recurrence, window: LocalWindow): string[] => {
  const { rrule: rule, starts_local, exdates } = recurrence
  const once = localMs(starts_local)
  const starts = rule === null ? [once] : expandOrRefuse(recurrence, rule, window)
  const leftOut = new Set(exdates.map(localMs))
  return starts.filter(start => start >= window.from && start <= window.until && !leftOut.has(start)).map(localText)
}
