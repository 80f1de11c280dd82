// A hijri date and a calendar → the day it is.
import type { DayNumber } from '../base/civil-date.ts'
import type { HijriCalendar, HijriDate } from '../prayer/calculation/hijri.ts'
import { startOfTabularMonth } from './tabular.ts'

/** No calendar that people follow is further from the arithmetic one. */
export const FURTHEST = 8

export interface HijriMonth {
  readonly year: number
  readonly month: number
}

export const nextMonth = ({ year, month }: HijriMonth): HijriMonth =>
  month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 }

const offsets = Array.from({ length: FURTHEST * 2 + 1 }, (_, index) => index - FURTHEST)

/** Undefined if the calendar has no such month near where it should be. */
export const startOfMonth = (calendar: HijriCalendar, { year, month }: HijriMonth): DayNumber | undefined => {
  const near = startOfTabularMonth(year, month)
  return offsets
    .map(offset => near + offset)
    .find(day => {
      const date = calendar(day)
      return date.day === 1 && date.month === month && date.year === year
    })
}

export const lengthOfMonth = (calendar: HijriCalendar, month: HijriMonth): number | undefined => {
  const [first, next] = [startOfMonth(calendar, month), startOfMonth(calendar, nextMonth(month))]
  return first === undefined || next === undefined ? undefined : next - first
}

/** Undefined if the month has no such day. */
export const dayOf = (calendar: HijriCalendar, date: HijriDate): DayNumber | undefined => {
  const first = startOfMonth(calendar, date)
  const day = first === undefined ? undefined : first + date.day - 1
  return day !== undefined && calendar(day).month === date.month ? day : undefined
}
