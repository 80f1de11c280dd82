// The iqamah of a prayer over many days → the simplest rule that gives it, and on how many days it does not.
import { dateOf, dayNumberOf } from '../../base/civil-date.ts'
import type { TimetableEntry } from '../read/read-timetable.ts'
import { onDay } from '../review/compare.ts'
import type { DailyPrayer } from '../words/heading-words.ts'

/** As pc_adopt_timetable_rules takes it. */
export interface FittedRule {
  readonly prayer: DailyPrayer
  readonly session: number
  readonly rule: 'fixed' | 'offset' | 'rounded_offset'
  readonly fixed_time?: string
  readonly offset_minutes?: number
  readonly round_to?: number
  /** ISO weekday on which the time changes. */
  readonly changes_on?: number
  readonly season?: 'daylight_time' | 'standard_time'
  readonly from?: string
  readonly until?: string
}

export interface Offer {
  readonly prayer: DailyPrayer
  readonly session: number
  readonly days: number
  readonly rules: readonly FittedRule[]
  /** Days that keep the time of the timetable. */
  readonly exceptions: number
}

export interface FitInput {
  readonly entries: readonly TimetableEntry[]
  /** The adhan of a day on the masjid's clock, of the timetable or as calculated. */
  readonly adhanOf: (date: string, prayer: DailyPrayer) => string | undefined
  readonly isDaylight: (date: string) => boolean
}

interface Day {
  readonly date: string
  readonly clock: string
  readonly minutes: number
}

interface Slot {
  readonly prayer: DailyPrayer
  readonly session: number
}

/** A rule with a tenth of its days as exceptions does not describe what people do. */
const MOST_EXCEPTIONS = 0.1
const MOST_RANGES = 12
const FEWEST_DAYS = 14
const offsets = Array.from({ length: 91 }, (_, minutes) => minutes)
const steps = [5, 10, 15, 20, 30]

const commonest = (days: readonly Day[]): string | undefined =>
  [...Map.groupBy(days, ({ clock }) => clock)].sort(([, one], [, other]) => other.length - one.length)[0]?.[0]

type Attempt = Pick<Offer, 'rules' | 'exceptions'> | undefined

const fixed = (slot: Slot, days: readonly Day[]): Attempt => {
  const clock = commonest(days)
  if (clock === undefined) return undefined
  return {
    rules: [{ ...slot, rule: 'fixed', fixed_time: clock }],
    exceptions: days.filter(day => day.clock !== clock).length,
  }
}

const bySeason = (slot: Slot, days: readonly Day[], { isDaylight }: FitInput): Attempt => {
  const [summer, winter] = [days.filter(({ date }) => isDaylight(date)), days.filter(({ date }) => !isDaylight(date))]
  const [one, other] = [fixed(slot, summer), fixed(slot, winter)]
  const [first, second] = [one?.rules[0], other?.rules[0]]
  if (one === undefined || other === undefined || first === undefined || second === undefined) return undefined
  return {
    rules: [
      { ...first, season: 'daylight_time' },
      { ...second, season: 'standard_time' },
    ],
    exceptions: one.exceptions + other.exceptions,
  }
}

const adhanMinutes = ({ adhanOf }: FitInput, { prayer }: Slot, date: string): number | undefined => {
  const clock = adhanOf(date, prayer)
  return clock === undefined ? undefined : onDay(clock, prayer)
}

const rounded = (minutes: number, step: number): number => Math.ceil(minutes / step) * step

/** The day whose adhan counts: the last one of this weekday, or the day itself. */
const countedDay = (date: string, changesOn: number | undefined): string => {
  if (changesOn === undefined) return date
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay() || 7
  return dateOf(dayNumberOf(date) - ((weekday - changesOn + 7) % 7))
}

const afterAdhan = (slot: Slot, days: readonly Day[], input: FitInput, changesOn?: number): Attempt => {
  const known = days.flatMap(day => {
    const own = adhanMinutes(input, slot, day.date)
    const counted = adhanMinutes(input, slot, countedDay(day.date, changesOn)) ?? own
    return own === undefined || counted === undefined ? [] : [{ day, own, counted }]
  })
  if (known.length < days.length * (1 - MOST_EXCEPTIONS)) return undefined
  const unknown = days.length - known.length
  const tries = [undefined, ...steps].flatMap(step =>
    offsets.map(minutes => {
      const gives = (counted: number): number =>
        step === undefined ? counted + minutes : rounded(counted + minutes, step)
      const exceptions =
        unknown + known.filter(({ day, own, counted }) => Math.max(gives(counted), own) !== day.minutes).length
      return { step, minutes, exceptions }
    }),
  )
  // Of rules that fit alike, round numbers are what people decided.
  const rank = (one: (typeof tries)[number]): number =>
    one.exceptions * 1000 + (one.minutes % 5 === 0 ? 0 : 100) + (one.step ?? 0)
  const [best] = tries.sort((one, other) => rank(one) - rank(other))
  if (best === undefined) return undefined
  const weekly = changesOn === undefined ? {} : { changes_on: changesOn }
  const rule: FittedRule =
    best.step === undefined
      ? { ...slot, rule: 'offset', offset_minutes: best.minutes, ...weekly }
      : { ...slot, rule: 'rounded_offset', offset_minutes: best.minutes, round_to: best.step, ...weekly }
  return { rules: [rule], exceptions: best.exceptions }
}

const weekly = (slot: Slot, days: readonly Day[], input: FitInput): Attempt =>
  [5, 6, 7, 1, 2, 3, 4]
    .flatMap(changesOn => afterAdhan(slot, days, input, changesOn) ?? [])
    .sort((one, other) => one.exceptions - other.exceptions)[0]

/** Runs of days with the same time. The last one goes on. */
const ranges = (slot: Slot, days: readonly Day[]): Attempt => {
  const runs: { clock: string; from: string }[] = []
  for (const { clock, date } of days) if (runs.at(-1)?.clock !== clock) runs.push({ clock, from: date })
  if (runs.length > MOST_RANGES) return undefined
  const rules = runs.map(({ clock, from }, index): FittedRule => {
    const next = runs[index + 1]?.from
    return {
      ...slot,
      rule: 'fixed',
      fixed_time: clock,
      from,
      ...(next === undefined ? {} : { until: dateOf(dayNumberOf(next) - 1) }),
    }
  })
  return { rules, exceptions: 0 }
}

const offerFor = (slot: Slot, days: readonly Day[], input: FitInput): Offer => {
  const allowed = Math.floor(days.length * MOST_EXCEPTIONS)
  const tries = [
    () => fixed(slot, days),
    () => bySeason(slot, days, input),
    () => afterAdhan(slot, days, input),
    () => weekly(slot, days, input),
    () => ranges(slot, days),
  ]
  const found = tries.flatMap(attempt => attempt() ?? [])
  const best = found.find(({ exceptions }) => exceptions === 0) ?? found.find(({ exceptions }) => exceptions <= allowed)
  return { ...slot, days: days.length, rules: best?.rules ?? [], exceptions: best?.exceptions ?? 0 }
}

export const fitRules = (input: FitInput): Offer[] => {
  const timed = input.entries.flatMap(({ date, prayer, session, iqamah }) =>
    iqamah === undefined ? [] : [{ prayer, session, date, clock: iqamah, minutes: onDay(iqamah, prayer) }],
  )
  return [...Map.groupBy(timed, ({ prayer, session }) => `${prayer}:${session}`).values()].flatMap(days => {
    const [first] = days
    if (first === undefined || days.length < FEWEST_DAYS) return []
    const sorted = days.toSorted((one, other) => one.date.localeCompare(other.date))
    return [offerFor({ prayer: first.prayer, session: first.session }, sorted, input)]
  })
}
