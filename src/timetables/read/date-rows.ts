// Rows of a sheet → the date of each, or what has to be asked: the order of day and month, the month, the year.
import { dayNumberOf } from '../../base/civil-date.ts'
import type { Sheet } from '../../sheets/sheet.ts'
import { monthOf, weekdayOf } from '../words/calendar-names.ts'
import { wordsIn } from '../words/plain-words.ts'
import { isHeading, monthTitle } from './guess-columns.ts'
import { civilDate, type DateParts, readDate } from './read-date.ts'
import { looksLikeTime } from './read-time.ts'
import type { Reading } from './roles.ts'

export type Question = 'date_column' | 'order' | 'month' | 'year' | 'plain' | 'weekdays' | 'headings' | 'no_times'

export interface DatedRow {
  /** As people count rows, from the first that is not blank. */
  readonly row: number
  readonly date: string
  readonly cells: readonly string[]
}

export interface RowProblem {
  readonly kind: 'date' | 'weekday'
  readonly row: number
  readonly text: string
}

export interface DatedRows {
  readonly rows: readonly DatedRow[]
  readonly questions: readonly Question[]
  readonly problems: readonly RowProblem[]
}

interface RawRow extends DateParts {
  readonly row: number
  readonly cells: readonly string[]
  readonly text: string
  readonly unreadable?: boolean
}

/** Between blocks of days: a month's name, the headings once more, a remark. */
const isBetween = (cells: readonly string[]): boolean => !cells.some(looksLikeTime)

const cellOf = (cells: readonly string[], { columns }: Reading, role: string): string =>
  cells[columns.indexOf(role as never)] ?? ''

const monthIn = (text: string): number | undefined => {
  const number = Number(wordsIn(text)[0])
  return monthOf(wordsIn(text)) ?? (number >= 1 && number <= 12 ? number : undefined)
}

/** Each row with what it, its columns and the titles above it say. */
const rawRows = ({ rows, since1904 }: Sheet, reading: Reading): RawRow[] => {
  const found: RawRow[] = []
  let above: { month: number | undefined; year: number | undefined } = { month: undefined, year: undefined }
  for (const [index, cells] of rows.entries()) {
    if (index < reading.first || isBetween(cells)) {
      const title = isHeading(cells) ? undefined : monthTitle(cells)
      if (title !== undefined) above = { month: title.month ?? above.month, year: title.year ?? above.year }
      continue
    }
    const text = cellOf(cells, reading, reading.columns.includes('date') ? 'date' : 'day')
    const parts = readDate(text, since1904)
    const month =
      parts?.month ??
      (parts?.pair === undefined ? (monthIn(cellOf(cells, reading, 'month')) ?? above.month) : undefined)
    const yearCell = Number(wordsIn(cellOf(cells, reading, 'year'))[0])
    const year = parts?.year ?? (yearCell >= 2000 && yearCell <= 2100 ? yearCell : above.year)
    const weekday = parts?.weekday ?? weekdayOf(wordsIn(cellOf(cells, reading, 'weekday')))
    found.push({
      row: index + 1,
      cells,
      text,
      ...parts,
      ...(month === undefined ? {} : { month }),
      ...(year === undefined ? {} : { year }),
      weekday,
      unreadable: parts === undefined,
    })
  }
  return found
}

/** No timetable reaches further from today; a typing error in a year does. */
const FARTHEST_DAYS = 2200

type Order = 'dmy' | 'mdy'

const steps = (rows: readonly RawRow[], order: Order): number => {
  const days = rows.flatMap(({ pair, year }) => {
    if (pair === undefined) return []
    const [day, month] = order === 'dmy' ? pair : [pair[1], pair[0]]
    return civilDate(year ?? 2024, month, day) ?? []
  })
  return days.filter((date, index) => index > 0 && dayNumberOf(date) - dayNumberOf(days[index - 1] ?? date) === 1)
    .length
}

/** A number over twelve is a day; otherwise days follow each other in one of the two orders only. */
const orderOf = (rows: readonly RawRow[], answered: Order | undefined): Order | 'asked' => {
  const pairs = rows.flatMap(({ pair }) => (pair === undefined ? [] : [pair]))
  const [first, second] = [pairs.some(([one]) => one > 12), pairs.some(([, two]) => two > 12)]
  if (pairs.length === 0) return answered ?? 'dmy'
  if (first !== second) return first ? 'dmy' : 'mdy'
  if (answered !== undefined || first) return answered ?? 'asked'
  const [dmy, mdy] = [steps(rows, 'dmy'), steps(rows, 'mdy')]
  if (dmy === mdy || Math.max(dmy, mdy) < pairs.length / 2) return 'asked'
  return dmy > mdy ? 'dmy' : 'mdy'
}

const ordered = (row: RawRow, order: Order): RawRow => {
  if (row.pair === undefined) return row
  const [day, month] = order === 'dmy' ? row.pair : [row.pair[1], row.pair[0]]
  return { ...row, day, month }
}

/** Days that start over belong to the next month. */
const withMonths = (rows: readonly RawRow[], start: number | undefined): RawRow[] => {
  let month = start
  let last = 0
  return rows.map(row => {
    if (row.month !== undefined || month === undefined || row.day === undefined) return row
    if (row.day < last) month = (month % 12) + 1
    last = row.day
    return { ...row, month }
  })
}

/** Months that start over belong to the next year. */
const withYears = (rows: readonly RawRow[], start: number | undefined): RawRow[] => {
  let year = start
  let last = 0
  return rows.map(row => {
    if (row.year !== undefined || year === undefined || row.month === undefined) return row
    if (row.month < last - 6) year += 1
    last = row.month
    return { ...row, year }
  })
}

const dateOfRow = ({ year, month, day }: RawRow): string | undefined =>
  year === undefined || month === undefined || day === undefined ? undefined : civilDate(year, month, day)

const isoWeekday = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7

const matches = (rows: readonly RawRow[]): { named: number; right: number } => {
  const named = rows.filter(row => row.weekday !== undefined && dateOfRow(row) !== undefined)
  return { named: named.length, right: named.filter(row => isoWeekday(dateOfRow(row) ?? '') === row.weekday).length }
}

/** The weekdays of a sheet fit one year in five or six: enough to tell last, this and next year apart. */
const yearByWeekdays = (rows: readonly RawRow[], today: string): number | undefined => {
  const current = Number(today.slice(0, 4))
  const fitting = [current - 1, current, current + 1].filter(year => {
    const { named, right } = matches(withYears(rows, year))
    return named >= 5 && right === named
  })
  return fitting.length === 1 ? fitting[0] : undefined
}

export const dateRows = (sheet: Sheet, reading: Reading, today: string): DatedRows => {
  const questions: Question[] = []
  const raw = rawRows(sheet, reading)
  if (!reading.columns.some(role => role === 'date' || role === 'day'))
    return { rows: [], questions: ['date_column'], problems: [] }
  const order = orderOf(raw, reading.order)
  if (order === 'asked') questions.push('order')
  const inOrder = raw.map(row => ordered(row, order === 'asked' ? 'dmy' : order))
  if (inOrder.some(({ day, month }) => day !== undefined && month === undefined) && reading.month === undefined)
    questions.push('month')
  const inMonths = withMonths(inOrder, reading.month)
  const missing = inMonths.some(({ day, year }) => day !== undefined && year === undefined)
  const year = reading.year ?? (missing && questions.length === 0 ? yearByWeekdays(inMonths, today) : undefined)
  if (missing && year === undefined) questions.push('year')
  const rows = withYears(inMonths, year)
  const { named, right } = matches(rows)
  if (questions.length === 0 && named >= 5 && right < named / 2) questions.push('weekdays')
  const nearDate = (row: RawRow): string | undefined => {
    const date = dateOfRow(row)
    return date !== undefined && Math.abs(dayNumberOf(date) - dayNumberOf(today)) <= FARTHEST_DAYS ? date : undefined
  }
  const dated = rows.flatMap(row => {
    const date = nearDate(row)
    return date === undefined ? [] : [{ row: row.row, date, cells: row.cells }]
  })
  // 29 February of a timetable for every year is not missed in the others.
  const undated = rows.filter(row => nearDate(row) === undefined && !(row.month === 2 && row.day === 29))
  const wrongDay = rows.filter(
    row =>
      row.weekday !== undefined && dateOfRow(row) !== undefined && isoWeekday(dateOfRow(row) ?? '') !== row.weekday,
  )
  const problems = [
    ...(questions.length > 0 ? [] : undated.map(({ row, text }) => ({ kind: 'date' as const, row, text }))),
    ...(questions.length > 0 ? [] : wrongDay.map(({ row, text }) => ({ kind: 'weekday' as const, row, text }))),
  ]
  return { rows: dated, questions, problems }
}
