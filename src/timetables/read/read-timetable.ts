// A sheet and what its columns are → the times of each day, what has to be asked, and what could not be read.

import type { Sheet } from '../../sheets/sheet.ts'
import { NO_RESULT } from '../../sheets/sheet.ts'
import type { DailyPrayer } from '../words/heading-words.ts'
import { type DatedRow, dateRows, type Question, type RowProblem } from './date-rows.ts'
import { guessColumns, isHeading } from './guess-columns.ts'
import { clockText, type ReadTime, readTime } from './read-time.ts'
import { type Reading, type TimeRole, timeRoleOf } from './roles.ts'

export interface TimetableEntry {
  readonly date: string
  readonly prayer: DailyPrayer
  readonly session: number
  /** Clock times of the masjid on that day. */
  readonly adhan?: string
  readonly iqamah?: string
}

export type Problem =
  | RowProblem
  | { readonly kind: 'time' | 'formula' | 'no_adhan' | 'twice'; readonly row: number; readonly text: string }

export interface ReadTimetable {
  readonly entries: readonly TimetableEntry[]
  readonly questions: readonly Question[]
  readonly problems: readonly Problem[]
}

/** What the masjid's settings give, for minutes after an adhan that the sheet does not have. */
type CalculatedAdhan = (date: string, prayer: DailyPrayer) => string | undefined

export interface ReadInput {
  readonly sheet: Sheet
  readonly reading: Reading
  /** On the masjid's clock. */
  readonly today: string
  readonly calculated: CalculatedAdhan
}

interface TimeColumn extends TimeRole {
  readonly column: number
}

const isFriday = (date: string): boolean => new Date(`${date}T00:00:00Z`).getUTCDay() === 5

const timeColumns = ({ columns }: Reading): TimeColumn[] =>
  columns.flatMap((role, column) => {
    const time = timeRoleOf(role)
    return time === undefined ? [] : [{ ...time, column }]
  })

/** One time after 12:59, or before 1:00, anywhere means that the sheet has 24 hours. */
const hasTwelveHours = (rows: readonly DatedRow[], columns: readonly TimeColumn[]): boolean =>
  !rows.some(({ cells }) =>
    columns.some(({ column }) => {
      const time = readTime(cells[column] ?? '')
      return time.kind === 'clock' && time.half === undefined && (time.hour > 12 || time.hour === 0)
    }),
  )

const plus = (clock: string, minutes: number): string => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  const total = (hour * 60 + minute + minutes) % 1440
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`
}

interface Found {
  readonly entries: TimetableEntry[]
  readonly problems: Problem[]
}

const readRow = (
  row: DatedRow,
  columns: readonly TimeColumn[],
  twelveHours: boolean,
  { calculated }: ReadInput,
): Found => {
  const problems: Problem[] = []
  const textOf = (column: number): string => row.cells[column] ?? ''
  const note = (kind: 'time' | 'formula' | 'no_adhan', text: string): undefined =>
    void problems.push({ kind, row: row.row, text })
  const value = ({ column, prayer }: TimeColumn, adhan: string | undefined): string | undefined => {
    const time: ReadTime = readTime(textOf(column))
    if (time.kind === 'clock') return clockText(time, prayer, twelveHours)
    if (time.kind === 'unreadable')
      return note(textOf(column).startsWith(NO_RESULT) ? 'formula' : 'time', textOf(column))
    if (time.kind === 'blank') return undefined
    const base = adhan ?? calculated(row.date, prayer)
    return base === undefined ? note('no_adhan', textOf(column)) : plus(base, time.minutes)
  }
  const slots = Map.groupBy(columns, ({ prayer, session }) => `${prayer}:${session}`)
  const entries = [...slots.values()].flatMap((ofSlot): TimetableEntry[] => {
    const [{ prayer, session } = { prayer: 'fajr' as const, session: 1 }] = ofSlot
    if (prayer === 'jumuah' && !isFriday(row.date)) return []
    const [first, second] = [ofSlot.find(({ kind }) => kind === 'adhan'), ofSlot.find(({ kind }) => kind === 'iqamah')]
    const adhan = first === undefined ? undefined : value(first, undefined)
    const iqamah = second === undefined ? undefined : value(second, adhan)
    if (adhan === undefined && iqamah === undefined) return []
    return [
      {
        date: row.date,
        prayer,
        session,
        ...(adhan === undefined ? {} : { adhan }),
        ...(iqamah === undefined ? {} : { iqamah }),
      },
    ]
  })
  return { entries, problems }
}

/** Of two rows for one day the first counts; the second is asked about unless it says the same. */
const withoutRepeats = (rows: readonly DatedRow[]): { rows: DatedRow[]; problems: Problem[] } => {
  const byDate = new Map<string, DatedRow>()
  const problems: Problem[] = []
  for (const row of rows) {
    const before = byDate.get(row.date)
    if (before === undefined) byDate.set(row.date, row)
    else if (before.cells.join('\t') !== row.cells.join('\t'))
      problems.push({ kind: 'twice', row: row.row, text: row.date })
  }
  return { rows: [...byDate.values()].sort((one, other) => one.date.localeCompare(other.date)), problems }
}

/** Later sheets or blocks whose headings are in another order would be read wrong. */
const headingsDiffer = ({ sheet, reading }: ReadInput): boolean => {
  const timed = (columns: Reading['columns']): string =>
    columns
      .map(role => timeRoleOf(role)?.prayer ?? '')
      .join()
      .replace(/,+$/, '')
  const blocks = sheet.rows.flatMap((row, index) => (isHeading(row) ? [index] : []))
  if (blocks.length < 2) return false
  const guesses = blocks.map((start, index) =>
    timed(guessColumns({ ...sheet, rows: sheet.rows.slice(start, blocks[index + 1]) }).columns),
  )
  return guesses.some(guess => guess !== guesses[0]) && reading.columns.length > 0
}

export const readTimetable = (input: ReadInput): ReadTimetable => {
  const { rows, questions, problems } = dateRows(input.sheet, input.reading, input.today)
  const columns = timeColumns(input.reading)
  const asked: Question[] = [...questions]
  if (columns.length === 0) asked.push('no_times')
  if (columns.some(({ kind }) => kind === 'time')) asked.push('plain')
  if (headingsDiffer(input)) asked.push('headings')
  if (asked.length > 0) return { entries: [], questions: asked, problems: [] }
  const once = withoutRepeats(rows)
  const twelveHours = hasTwelveHours(once.rows, columns)
  const found = once.rows.map(row => readRow(row, columns, twelveHours, input))
  return {
    entries: found.flatMap(({ entries }) => entries),
    questions: [],
    problems: [...problems, ...once.problems, ...found.flatMap(one => one.problems)],
  }
}
