// Files, pasted lists and drafts → what they say, read on a thread of their own: masjids take turns, and what takes too long is refused.
import type { ComparedRow } from '../../people/compare-list.ts'
import { type Sheet, SheetRefused } from '../../sheets/sheet.ts'
import { createSideThread, type SideThread } from '../../threads/side-thread.ts'
import { TookTooMuch } from '../../threads/took-too-much.ts'
import type { Offer } from '../fit/fit-rules.ts'
import type { ReadTimetable } from '../read/read-timetable.ts'
import type { Reading } from '../read/roles.ts'
import type { Compared } from '../review/compare.ts'
import type { CompareInput, Given, PeopleInput, ReadingTasks, RulesInput, TimesInput } from './reading-tasks.ts'

/** All of them @throws {SheetRefused}, and {Fault} if too many wait. */
export interface MasjidReader {
  file(bytes: Uint8Array, timezone: string): Promise<Sheet>
  list(text: string): Promise<Sheet>
  columns(sheet: Sheet): Promise<Reading>
  times(input: TimesInput): Promise<ReadTimetable>
  compare(input: CompareInput): Promise<Compared>
  /** Rules that give the same times. */
  rules(input: RulesInput): Promise<readonly Offer[]>
  /** A list of people, compared with the members. */
  people(input: PeopleInput): Promise<readonly ComparedRow[]>
}

export interface SheetReader {
  /** Whose turn it is. */
  of(masjidId: string): MasjidReader
  end(): Promise<void>
}

const sheetOf = (given: Given): Sheet => {
  if ('refused' in given) throw new SheetRefused(given.refused)
  return given.sheet
}

const orTooCostly = async <Read>(reading: Promise<Read>): Promise<Read> => {
  try {
    return await reading
  } catch (error) {
    throw error instanceof TookTooMuch ? new SheetRefused('too_costly') : error
  }
}

const readerOf = ({ run }: SideThread<ReadingTasks>, masjidId: string): MasjidReader => ({
  file: async (bytes, timezone) => sheetOf(await orTooCostly(run(masjidId, 'file', { bytes, timezone }))),
  list: async text => sheetOf(await orTooCostly(run(masjidId, 'list', text))),
  columns: sheet => orTooCostly(run(masjidId, 'columns', sheet)),
  times: input => orTooCostly(run(masjidId, 'times', input)),
  compare: input => orTooCostly(run(masjidId, 'compare', input)),
  rules: input => orTooCostly(run(masjidId, 'rules', input)),
  people: input => orTooCostly(run(masjidId, 'people', input)),
})

export const createSheetReader = (): SheetReader => {
  const script = new URL('./reading-thread.ts', import.meta.url)
  const thread = createSideThread<ReadingTasks>({ script, name: 'reading' })
  return { of: masjidId => readerOf(thread, masjidId), end: thread.end }
}
