// A recurrence rule, its first start and a window → the starts in the window, after a number of steps that is known beforehand.
import rrule from 'rrule'

/** Milliseconds of local time, both ends included. */
export interface LocalWindow {
  readonly from: number
  readonly until: number
}

export interface Course {
  readonly rule: string
  readonly first: number
  /** The rule's own end. */
  readonly until: number
  readonly window: LocalWindow
}

/** A rule with more occurrences a year than this (hourly, by seconds) makes no sense for a masjid's events. */
const MOST_OCCURRENCES = 1500
/** Days that are looked at, times the starts on each: over 50 years of days. The next 29 February is at most eight years away. */
const MOST_CANDIDATES = 20_000
const DAY_MS = 86_400_000

type Options = rrule.RRule['options']

const isPositive = (value: number | null | undefined): boolean =>
  value == null || (Number.isInteger(value) && value > 0)

/** How many days a period has at least, and how many of its days the rule looks at. */
const periodOf = ({ freq, bymonth }: Options): { days: number; candidates: number } => {
  if (freq === rrule.RRule.DAILY) return { days: 1, candidates: 1 }
  if (freq === rrule.RRule.WEEKLY) return { days: 7, candidates: 7 }
  if (freq === rrule.RRule.MONTHLY) return { days: 28, candidates: 31 }
  if (freq === rrule.RRule.YEARLY) return { days: 365, candidates: Math.min(366, 31 * (bymonth?.length || 12)) }
  throw new Error('The rule recurs within a day.')
}

const monthOf = (moment: Date): number => moment.getUTCFullYear() * 12 + moment.getUTCMonth()

/**
 * The start of a later period of the rule, before which nothing can fall into the window. What the rule takes from its first
 * start (time, weekday, day of the month) stands in its options by then. A rule that counts is followed from its first start.
 */
const skipAhead = ({ freq, interval, dtstart, count }: Options, from: number): Date => {
  if (count != null || dtstart.getTime() >= from) return dtstart
  if (freq === rrule.RRule.DAILY || freq === rrule.RRule.WEEKLY) {
    const length = interval * (freq === rrule.RRule.DAILY ? 1 : 7) * DAY_MS
    // One more, as the week in which a rule begins is not a whole one.
    const periods = Math.floor((from - dtstart.getTime()) / length) - 1
    return periods > 0 ? new Date(dtstart.getTime() + periods * length) : dtstart
  }
  const months = interval * (freq === rrule.RRule.MONTHLY ? 1 : 12)
  const periods = Math.floor((monthOf(new Date(from)) - monthOf(dtstart)) / months)
  const year = freq === rrule.RRule.YEARLY ? dtstart.getUTCFullYear() * 12 : monthOf(dtstart)
  return periods > 0 ? new Date(Date.UTC(1970, year + periods * months - 1970 * 12)) : dtstart
}

/** The library looks at the interval whenever it goes on to the next period, and ends if it is zero. */
const endAfter = (options: Options, steps: number): { readonly isOver: () => boolean } => {
  const { interval } = options
  let looks = 0
  const most = 2 * steps
  Object.defineProperty(options, 'interval', { get: () => (++looks > most + 1 ? 0 : interval) })
  return { isOver: () => looks > most + 1 }
}

const readSeries = ({ rule, first, until }: Course): rrule.RRule => {
  const options = rrule.RRule.parseString(rule.replace(/(^|;)UNTIL=[^;]*/, ''))
  if (!isPositive(options.interval) || !isPositive(options.count))
    throw new Error('INTERVAL or COUNT is not above zero')
  const end = until === Number.POSITIVE_INFINITY ? {} : { until: new Date(until) }
  return new rrule.RRule({ ...options, dtstart: new Date(first), ...end }, true)
}

/** How many candidates the rule has in each of its periods: days and the places in a list of them, times the starts on each. */
const candidatesOf = (options: Options): number =>
  (periodOf(options).candidates + (options.bysetpos?.length ?? 0)) *
  (options.byhour?.length || 1) *
  (options.byminute?.length || 1) *
  (options.bysecond?.length || 1)

interface Steps {
  /** To the end of the window, or of the rule. */
  readonly needed: number
  /** To the end of the rule. */
  readonly toEnd: number
  readonly allowed: number
}

const countSteps = (options: Options, start: Date, { until, window }: Course): Steps => {
  const length = periodOf(options).days * options.interval * DAY_MS
  const stepsTo = (end: number): number => Math.max(0, Math.floor((end - start.getTime()) / length) + 2)
  const toEnd = stepsTo(until)
  const most = Math.floor(MOST_CANDIDATES / candidatesOf(options))
  return { needed: stepsTo(Math.min(until, window.until)), toEnd, allowed: Math.min(most, toEnd) }
}

/**
 * Looks beyond the window, if there is nothing in it, for the next start: a rule without one may never have any.
 * @throws if the rule is invalid, or uses up its candidates.
 */
export const followRule = (course: Course): number[] => {
  const { window, until } = course
  const series = readSeries(course)
  const start = skipAhead(series.options, window.from)
  const { needed, toEnd, allowed } = countSteps(series.options, start, course)
  if (toEnd === 0 || until < window.from) return []
  if (allowed === 0) throw new Error('The rule has too many starts a day.')
  Object.assign(series.options, { dtstart: start })
  const { isOver } = endAfter(series.options, allowed)
  const starts = series.between(
    new Date(window.from),
    new Date(window.until),
    true,
    (_date, count) => count < MOST_OCCURRENCES,
  )
  if (isOver() && (allowed < needed || (starts.length === 0 && allowed < toEnd)))
    throw new Error(`The rule uses up ${MOST_CANDIDATES} candidates.`)
  return starts.map(date => date.getTime())
}
