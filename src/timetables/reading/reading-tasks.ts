// What the thread beside the one that serves does with a file, a pasted list or a draft: read it, guess its columns, read its times,
// compare them with what stands, find rules that give the same; with a list of people, compare it with the members there are.
import { type ComparedRow, compareList } from '../../people/compare-list.ts'
import type { KnownMember } from '../../people/known-members.ts'
import type { ColumnRole } from '../../people/list-columns.ts'
import { readList } from '../../people/read-list.ts'
import type { TableRow } from '../../sheets/find-table.ts'
import { readCsv } from '../../sheets/read-csv.ts'
import { readSheet } from '../../sheets/read-sheet.ts'
import { type Sheet, type SheetReason, SheetRefused } from '../../sheets/sheet.ts'
import { fitRules, type Offer } from '../fit/fit-rules.ts'
import { guessColumns } from '../read/guess-columns.ts'
import { type ReadTimetable, readTimetable, type TimetableEntry } from '../read/read-timetable.ts'
import type { Reading } from '../read/roles.ts'
import { isDaylightIn } from '../review/clock-shifts.ts'
import { type CalculatedDay, type Compared, calculatedAdhan, compare } from '../review/compare.ts'
import { type KnownDays, knownOf } from '../review/known.ts'

/** Errors lose their class between threads. */
export type Given = { readonly sheet: Sheet } | { readonly refused: SheetReason }

export interface FileInput {
  readonly bytes: Uint8Array
  readonly timezone: string
}

export interface TimesInput {
  readonly sheet: Sheet
  readonly reading: Reading
  /** On the masjid's clock. */
  readonly today: string
  /** What the masjid's settings give, for minutes after an adhan that the sheet does not have. */
  readonly near: readonly CalculatedDay[]
}

export interface RulesInput {
  readonly entries: readonly TimetableEntry[]
  readonly calculated: readonly CalculatedDay[]
  readonly timezone: string
}

export interface CompareInput {
  readonly entries: ReadTimetable['entries']
  readonly known: KnownDays
}

export interface PeopleInput {
  readonly rows: readonly TableRow[]
  readonly columns: readonly (ColumnRole | undefined)[]
  /** As `findKnownMembers` gives them. */
  readonly known: string
}

const orRefused = async (read: () => Sheet | Promise<Sheet>): Promise<Given> => {
  try {
    return { sheet: await read() }
  } catch (error) {
    if (error instanceof SheetRefused) return { refused: error.reason }
    throw error
  }
}

export const readingTasks = {
  file: ({ bytes, timezone }: FileInput): Promise<Given> =>
    orRefused(() => readSheet(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), timezone)),
  list: (text: string): Promise<Given> => orRefused(() => readCsv(text)),
  columns: (sheet: Sheet): Reading => guessColumns(sheet),
  times: ({ near, ...input }: TimesInput): ReadTimetable => {
    const days = new Map(near.map(day => [day.date, day]))
    return readTimetable({ ...input, calculated: (date, prayer) => calculatedAdhan(days.get(date), prayer) })
  },
  rules: ({ entries, calculated, timezone }: RulesInput): Offer[] => {
    const own = new Map(entries.map(({ date, prayer, adhan }) => [`${date} ${prayer}`, adhan]))
    const days = new Map(calculated.map(day => [day.date, day]))
    return fitRules({
      entries,
      adhanOf: (date, prayer) => own.get(`${date} ${prayer}`) ?? calculatedAdhan(days.get(date), prayer),
      isDaylight: isDaylightIn(timezone),
    })
  },
  compare: ({ entries, known }: CompareInput): Compared => compare(entries, knownOf(known)),
  people: ({ rows, columns, known }: PeopleInput): ComparedRow[] =>
    compareList(readList(rows, columns), JSON.parse(known) as KnownMember[]),
}

export type ReadingTasks = typeof readingTasks
