// What every kind of file becomes: rows of cells as text.
import { withoutUnseen } from '../base/plain-text.ts'

export interface Sheet {
  readonly rows: readonly (readonly string[])[]
  /** Excel counts days from 1900, or from 1904 in workbooks that say so. */
  readonly since1904: boolean
}

/** Far more than a year of days, and than the columns of any timetable. */
export const MOST_ROWS = 2000
export const MOST_COLUMNS = 60
const MOST_CHARACTERS = 200
/** Of those that are looked at: blanks and unseen characters may come before what is read. */
const MOST_RAW = 1000
/** A year of times has some 50,000; 2,000 people with their addresses have a quarter of a million. */
const MOST_IN_ALL = 1_000_000

export type SheetReason =
  | 'empty'
  | 'too_large'
  | 'too_many_rows'
  | 'not_a_sheet'
  | 'old_excel'
  | 'broken'
  | 'dangerous'
  | 'no_events'
  | 'too_costly'

/** Why a file cannot be read: a code, which pages explain. */
export class SheetRefused extends Error {
  readonly reason: SheetReason
  constructor(reason: SheetReason) {
    super(`The sheet was refused: ${reason}`)
    this.reason = reason
  }
}

/** A formula whose result was not stored; whoever reads the column is asked about it. */
export const NO_RESULT = '#formula'

/** Of a formula, or the error that a spreadsheet shows instead. */
export const hasNoResult = (cell: string): boolean =>
  cell === NO_RESULT || /^#(REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!)$/.test(cell)

const isBlank = (row: readonly string[]): boolean => row.every(cell => cell === '')

const charactersIn = (rows: readonly (readonly string[])[]): number =>
  rows.reduce((sum, row) => row.reduce((ofRow, cell) => ofRow + cell.length, sum), 0)

/** Trims cells, and drops blank rows and what is beyond the last column. */
export const makeSheet = (rows: readonly (readonly string[])[], since1904 = false): Sheet => {
  const clean = rows
    .map(row =>
      row.slice(0, MOST_COLUMNS).map(cell => withoutUnseen(cell.slice(0, MOST_RAW)).trim().slice(0, MOST_CHARACTERS)),
    )
    .filter(row => !isBlank(row))
  if (clean.length === 0) throw new SheetRefused('empty')
  if (clean.length > MOST_ROWS) throw new SheetRefused('too_many_rows')
  if (charactersIn(clean) > MOST_IN_ALL) throw new SheetRefused('too_large')
  return { rows: clean, since1904 }
}
