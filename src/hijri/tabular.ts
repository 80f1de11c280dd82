// Days ↔ hijri dates by arithmetic alone: months of 30 and 29 days in turn, and eleven leap years in thirty. The civil epoch, a Friday.
import { type DayNumber, dayNumberOf } from '../base/civil-date.ts'
import type { HijriCalendar } from '../prayer/calculation/hijri.ts'

/** 1 Muharram 1, on the Gregorian calendar. */
const EPOCH: DayNumber = dayNumberOf('0622-07-19')
const CYCLE_YEARS = 30
const CYCLE_DAYS = 10_631
const YEAR_DAYS = 354

/** Leap years are the 2nd, 5th, 7th, 10th, 13th, 16th, 18th, 21st, 24th, 26th and 29th of each cycle. */
const startOfYear = (year: number): DayNumber =>
  EPOCH + (year - 1) * YEAR_DAYS + Math.floor((3 + 11 * year) / CYCLE_YEARS)

export const startOfTabularMonth = (year: number, month: number): DayNumber =>
  startOfYear(year) + Math.ceil(29.5 * (month - 1))

export const tabular: HijriCalendar = day => {
  const year = Math.floor((CYCLE_YEARS * (day - EPOCH) + CYCLE_DAYS + 15) / CYCLE_DAYS)
  const month = Math.min(12, Math.floor((day - startOfYear(year)) / 29.5) + 1)
  return { year, month, day: day - startOfTabularMonth(year, month) + 1 }
}
