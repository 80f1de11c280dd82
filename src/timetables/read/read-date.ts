// The text of a cell → what it says of a date: all of it, or parts whose order and year have to be found out.
import { excelDate } from '../../sheets/excel-numbers.ts'
import { isDateWord, monthOf, weekdayOf } from '../words/calendar-names.ts'
import { plainText, wordsIn } from '../words/plain-words.ts'

export interface DateParts {
  readonly day?: number
  readonly month?: number
  readonly year?: number
  /** Two numbers whose order is not known: 3/4. */
  readonly pair?: readonly [number, number]
  /** ISO, if the cell names it. */
  readonly weekday?: number | undefined
}

const fullYear = (text: string): number => (text.length === 2 ? 2000 + Number(text) : Number(text))

const numeric = (text: string): DateParts | undefined => {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ t]+[\d:.]+)?$/.exec(text)
  if (iso !== null) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
  const pair = /^(\d{1,2})\s?[-/.]\s?(\d{1,2})(?:\s?[-/.]\s?(\d{4}|\d{2}))?\.?(?: 0?0:00(?::00)?)?$/.exec(text)
  if (pair === null) return undefined
  return { pair: [Number(pair[1]), Number(pair[2])], ...(pair[3] === undefined ? {} : { year: fullYear(pair[3]) }) }
}

const serial = (text: string, since1904: boolean): DateParts | undefined => {
  if (!/^\d{5}(\.0+)?$/.test(text) || Number(text) < 20_000 || Number(text) > 80_000) return undefined
  return numeric(excelDate(Number(text), since1904))
}

/** "Thursday, 1 January 2026", "Jan 1", "1-Oca-26". */
const named = (words: readonly string[]): DateParts | undefined => {
  const month = monthOf(words)
  const numbers = words.filter(word => /^\d+$/.test(word))
  const [first, second] = numbers
  if (month === undefined || first === undefined || numbers.length > 2 || !words.every(isDateWord)) return undefined
  const [day, year] = first.length === 4 ? [second, first] : [first, second]
  if (day === undefined || Number(day) < 1 || Number(day) > 31) return undefined
  return { day: Number(day), month, ...(year === undefined ? {} : { year: fullYear(year) }) }
}

const withoutWeekday = (text: string): string =>
  plainText(text)
    .replace(/[\p{L}]+/gu, word => (weekdayOf([word]) === undefined || monthOf([word]) !== undefined ? word : ' '))
    .replace(/^[\s,.]+|[\s,.]+$/g, '')

export const readDate = (cell: string, since1904: boolean): DateParts | undefined => {
  const words = wordsIn(cell)
  const weekday = weekdayOf(words.filter(word => monthOf([word]) === undefined))
  const text = withoutWeekday(cell)
  const found =
    numeric(text) ??
    serial(text, since1904) ??
    named(wordsIn(text)) ??
    (/^\d{1,2}$/.test(text) ? { day: Number(text) } : undefined)
  return found === undefined ? undefined : { ...found, weekday }
}

/** More than a number alone. */
export const looksLikeDate = (cell: string, since1904: boolean): boolean => {
  const parts = readDate(cell, since1904)
  return parts !== undefined && (parts.pair !== undefined || parts.month !== undefined)
}

/** Undefined if there is no such day: 31 February. */
export const civilDate = (year: number, month: number, day: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 2000 && year <= 2100
    ? date.toISOString().slice(0, 10)
    : undefined
}
