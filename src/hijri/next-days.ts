// A day, and the days that people ask for → when they come next.
import { type DayNumber, dayNumberOf } from '../base/civil-date.ts'
import { LAST_DATE } from '../place-times/parameters.ts'
import type { HijriCalendar, HijriDate } from '../prayer/calculation/hijri.ts'
import { dayOf, type HijriMonth, lengthOfMonth, nextMonth, startOfMonth } from './find-day.ts'

/** Both ends of it, in a month; undefined: not in this month. */
type Within = (month: HijriMonth, calendar: HijriCalendar) => readonly [first: number, last: number] | undefined

const on =
  (month: number, day: number): Within =>
  asked =>
    asked.month === month ? [day, day] : undefined

const DHU_AL_HIJJAH = 12

/** 13 Dhu al-Hijjah is a day of tashriq, on which nobody fasts. */
const whiteDays: Within = ({ month }) => [month === DHU_AL_HIJJAH ? 14 : 13, 15]

const ramadan: Within = (month, calendar) => {
  const length = month.month === 9 ? lengthOfMonth(calendar, month) : undefined
  return length === undefined ? undefined : [1, length]
}

const occasions = {
  ramadan,
  eid_al_fitr: on(10, 1),
  arafah: on(DHU_AL_HIJJAH, 9),
  eid_al_adha: on(DHU_AL_HIJJAH, 10),
  ashura: on(1, 10),
  white_days: whiteDays,
} as const satisfies Readonly<Record<string, Within>>

export type Occasion = keyof typeof occasions

export const occasionNames = Object.keys(occasions) as readonly Occasion[]

export interface Occurrence {
  readonly occasion: Occasion
  readonly first: DayNumber
  readonly last: DayNumber
  readonly hijri: { readonly first: HijriDate; readonly last: HijriDate }
}

const LAST = dayNumberOf(LAST_DATE)

const occurrenceIn = (calendar: HijriCalendar, month: HijriMonth, occasion: Occasion): Occurrence | undefined => {
  const within = occasions[occasion](month, calendar)
  if (within === undefined) return undefined
  const [start, end] = [
    { ...month, day: within[0] },
    { ...month, day: within[1] },
  ]
  const [first, last] = [dayOf(calendar, start), dayOf(calendar, end)]
  if (first === undefined || last === undefined || last > LAST) return undefined
  return { occasion, first, last, hijri: { first: start, last: end } }
}

export interface NextDays {
  readonly occasions: readonly Occasion[]
  readonly from: DayNumber
  /** Of each. */
  readonly count: number
}

/** A year of months, and the one that is under way. */
const MONTHS_EACH = 13
const LONGEST_MONTH = 30

/** How far ahead one has to look. */
export const lastLookedAt = ({ from, count }: Pick<NextDays, 'from' | 'count'>): DayNumber =>
  from + (count * MONTHS_EACH + 1) * LONGEST_MONTH

/** One that is under way counts. Nothing after the last day of the calendar. */
export const nextDays = (
  calendar: HijriCalendar,
  { occasions: asked, from, count }: NextDays,
): readonly Occurrence[] => {
  const found = new Map(asked.map(occasion => [occasion, [] as Occurrence[]]))
  let month: HijriMonth = calendar(from)
  for (let index = 0; index <= count * MONTHS_EACH; index += 1) {
    if ((startOfMonth(calendar, month) ?? LAST + 1) > LAST) break
    for (const [occasion, list] of found) {
      const one = list.length < count ? occurrenceIn(calendar, month, occasion) : undefined
      if (one !== undefined && one.last >= from) list.push(one)
    }
    month = nextMonth(month)
  }
  return [...found.values()].flat().toSorted((one, other) => one.first - other.first)
}
