// A masjid's parameters and a day → what each rule for high latitudes gives that day and at the summer solstice, how much it leaves out
// in the year that begins, and where it jumps.
import { type DayNumber, dateOf, dayNumberOf } from '../../base/civil-date.ts'
import { zoneOffsetOf } from '../../base/zone-offset.ts'
import { calculateDays, createAlmanac, type DayTimes, type Minute } from '../calculation/calculate-days.ts'
import { type HighLatitudeRuleName, highLatitudeRules } from '../calculation/high-latitude-rules.ts'
import type { MasjidParameters } from '../calculation/masjid-parameters.ts'

const comparedTimes = ['fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha'] as const
export type ComparedTime = (typeof comparedTimes)[number]

/** On the masjid's clock, as `2026-06-21T02:49:00`; null: there is none. */
type LocalTimes = Readonly<Record<ComparedTime, string | null>>

export interface Jump {
  readonly prayer: ComparedTime
  readonly minutes: number
  /** From this date to the next. */
  readonly date: string
}

export interface RuleTimes {
  readonly rule: HighLatitudeRuleName | null
  readonly today: LocalTimes
  readonly solstice: LocalTimes
  readonly jump: Jump
  /** On how many days of the year a time is missing. */
  readonly missing: Readonly<Record<ComparedTime, number>>
}

export interface RuleComparison {
  readonly today: string
  /** The next 21 June, or 21 December in the southern hemisphere. */
  readonly solstice: string
  /** The times that are not the same under all rules, at some time of the year. */
  readonly differing: readonly ComparedTime[]
  readonly rules: readonly RuleTimes[]
}

export interface ComparedMasjid extends Omit<MasjidParameters, 'announced' | 'high_latitude_rule'> {
  readonly today: string
}

const YEAR = 366
const DAY_MINUTES = 1440

const solsticeAfter = ({ latitude, today }: ComparedMasjid): string => {
  const day = latitude < 0 ? '12-21' : '06-21'
  const year = Number(today.slice(0, 4))
  return today <= `${year}-${day}` ? `${year}-${day}` : `${year + 1}-${day}`
}

const localOf = (minute: Minute, timezone: string): string | null => {
  if (minute === null) return null
  const moment = minute * 60_000
  return new Date(moment + (zoneOffsetOf(timezone)?.(moment) ?? 0)).toISOString().slice(0, 19)
}

const localTimes = (day: DayTimes | undefined, timezone: string): LocalTimes =>
  Object.fromEntries(comparedTimes.map(name => [name, localOf(day?.[name] ?? null, timezone)])) as LocalTimes

/** By elapsed time, so that changing the clocks is none. */
const largestJump = (days: readonly DayTimes[]): Jump => {
  let largest: Jump = { prayer: 'fajr', minutes: 0, date: dateOf(days[0]?.day ?? 0) }
  for (const [index, day] of days.entries())
    for (const prayer of comparedTimes) {
      const [now, next] = [day[prayer], days[index + 1]?.[prayer] ?? null]
      const minutes = now === null || next === null ? 0 : Math.abs(next - now - DAY_MINUTES)
      if (minutes > largest.minutes) largest = { prayer, minutes, date: dateOf(day.day) }
    }
  return largest
}

const missingIn = (days: readonly DayTimes[]): RuleTimes['missing'] =>
  Object.fromEntries(
    comparedTimes.map(name => [name, days.filter(day => day[name] === null).length]),
  ) as RuleTimes['missing']

export const compareRules = (masjid: ComparedMasjid): RuleComparison => {
  const { today, timezone } = masjid
  const first: DayNumber = dayNumberOf(today)
  const solstice = solsticeAfter(masjid)
  const almanac = createAlmanac()
  const years = highLatitudeRules.map(rule => {
    const parameters = {
      ...masjid,
      high_latitude_rule: rule,
      announced: { byAuthority: new Map(), byMasjid: new Map() },
    }
    return { rule, days: calculateDays(parameters, { first, days: YEAR }, almanac) }
  })
  const differing = comparedTimes.filter(name =>
    years.some(({ days }) => days.some((day, index) => day[name] !== years[0]?.days[index]?.[name])),
  )
  return {
    today,
    solstice,
    differing,
    rules: years.map(({ rule, days }) => ({
      rule,
      today: localTimes(days[0], timezone),
      solstice: localTimes(days[dayNumberOf(solstice) - first], timezone),
      jump: largestJump(days),
      missing: missingIn(days),
    })),
  }
}
