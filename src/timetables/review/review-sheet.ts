// A sheet of a masjid, and how it is read → its times beside what stands: what a person looks at, and what a job decides by.
import { dateOf, dayNumberOf } from '../../base/civil-date.ts'
import type { Queryable } from '../../db/database.ts'
import type { Sheet } from '../../sheets/sheet.ts'
import type { Question } from '../read/date-rows.ts'
import type { Problem } from '../read/read-timetable.ts'
import type { Reading } from '../read/roles.ts'
import type { MasjidReader } from '../reading/sheet-reader.ts'
import { readCalculated, readKnown } from '../store/known-days.ts'
import type { CalculatedDay, Compared } from './compare.ts'

export interface ReviewedSheet {
  readonly questions: readonly Question[]
  readonly problems: readonly Problem[]
  readonly compared: Compared
  readonly calculated: ReadonlyMap<string, CalculatedDay>
}

export interface ReviewInput {
  readonly masjid: { readonly id: string; readonly timezone: string }
  readonly sheet: Sheet
  readonly reading: Reading
}

const localToday = (timezone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(new Date())

/** @throws {SheetRefused} */
export const reviewSheet = async (
  queryable: Queryable,
  reader: MasjidReader,
  { masjid, sheet, reading }: ReviewInput,
): Promise<ReviewedSheet> => {
  const today = localToday(masjid.timezone)
  const around = { masjidId: masjid.id, timezone: masjid.timezone }
  const [from, until] = [dateOf(dayNumberOf(today) - 40), dateOf(dayNumberOf(today) + 402)]
  const near = await readCalculated(queryable, { ...around, first: from, last: until })
  const read = await reader.times({ sheet, reading, today, near })
  const dates = read.entries.map(({ date }) => date).sort()
  const [first, last] = [dates[0], dates.at(-1)]
  if (first === undefined || last === undefined)
    return {
      questions: read.questions,
      problems: read.problems,
      compared: { entries: [], missing: [] },
      calculated: new Map(),
    }
  const known = await readKnown(queryable, { ...around, first, last })
  return {
    questions: read.questions,
    problems: read.problems,
    compared: await reader.compare({ entries: read.entries, known }),
    calculated: new Map(known.calculated.map(day => [day.date, day])),
  }
}
