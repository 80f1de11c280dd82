// Dates without a time zone: `2026-02-18` and its day number since 1970, so that the process's time zone cannot shift them.
// Only of the years 1 to 9999: beyond them, dates as text are in no order.
import { Fault } from './fault.ts'

const DAY_MS = 86_400_000

/** Days since 1970-01-01. */
export type DayNumber = number

const FIRST: DayNumber = Date.parse('0001-01-01T00:00:00Z') / DAY_MS
const LAST: DayNumber = Date.parse('9999-12-31T00:00:00Z') / DAY_MS

const outOfRange = (what: string): Fault =>
  new Fault({ code: 'bad_request', status: 400, message: `${what} is not a day of the years 1 to 9999.` })

/** NaN if the text is no date. @throws {Fault} `bad_request` for a day of another year */
export const dayNumberOf = (date: string): DayNumber => {
  const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS
  if (day < FIRST || day > LAST) throw outOfRange(date)
  return day
}

/** Four centuries, in days. */
const ERA = 146_097
/** From 1 March of the year 0. */
const TO_1970 = 719_468
const TWO_DIGITS: readonly string[] = Array.from({ length: 32 }, (_, number) => String(number).padStart(2, '0'))

/** Years that begin in March, so that leap days are last: a tenth of what a Date and its text take. */
const civilText = (day: DayNumber): string => {
  const shifted = Math.floor(day) + TO_1970
  const era = Math.floor(shifted / ERA)
  const inEra = shifted - era * ERA
  const leapDays = Math.floor(inEra / 1460) - Math.floor(inEra / 36_524) + Math.floor(inEra / 146_096)
  const yearInEra = Math.floor((inEra - leapDays) / 365)
  const inYear = inEra - (365 * yearInEra + Math.floor(yearInEra / 4) - Math.floor(yearInEra / 100))
  const fromMarch = Math.floor((5 * inYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = yearInEra + era * 400 + (month <= 2 ? 1 : 0)
  const dayOfMonth = inYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  return `${year > 999 ? year : String(year).padStart(4, '0')}-${TWO_DIGITS[month]}-${TWO_DIGITS[dayOfMonth]}`
}

/** @throws {Fault} `bad_request` for a day of a year that dates cannot have */
export const dateOf = (day: DayNumber): string => {
  if (!(day >= FIRST && day <= LAST)) throw outOfRange('The day that this leads to')
  return civilText(day)
}

/** A day that the calendar has: 30 February is none. */
export const isDate = (text: string): boolean => {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) / DAY_MS : Number.NaN
  return day >= FIRST && day <= LAST && dateOf(day) === text
}

export const addDays = (date: string, days: number): string => dateOf(dayNumberOf(date) + days)

export const dayNumberAt = (moment: Date): DayNumber => Math.floor(moment.getTime() / DAY_MS)

/** Midnight UTC of the day, in milliseconds. */
export const startOfDay = (day: DayNumber): number => day * DAY_MS

/**
 * The days from one to another, both included. How many is known before the first, so that no date that somebody sends makes a loop
 * without an end. @throws {Fault} `bad_request` if there are more than `most`
 */
export const daysBetween = (first: DayNumber, last: DayNumber, most: number): DayNumber[] => {
  const count = Math.max(0, last - first + 1)
  if (!(count <= most))
    throw new Fault({ code: 'bad_request', status: 400, message: `These are more than ${most} days.` })
  return Array.from({ length: count }, (_, index) => first + index)
}
