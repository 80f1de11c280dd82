// Rows of a list and what its columns hold → people in the spelling that the database keeps, or what is wrong with a row.
import type { TableRow } from '../sheets/find-table.ts'
import { hasNoResult } from '../sheets/sheet.ts'
import type { ColumnRole } from './list-columns.ts'
import { asciiDigits, isDay, isEmail, isPhone, tidy } from './read-values.ts'

export interface ListedPerson {
  readonly given_name: string
  readonly family_name: string | undefined
  readonly email: string | undefined
  readonly phone: string | undefined
  readonly joined_on: string | undefined
  readonly household: string | undefined
  readonly api_sharing: boolean
}

export type RowFault =
  | 'noResult'
  | 'nameMissing'
  | 'nameTooLong'
  | 'emailWrong'
  | 'phoneWrong'
  | 'dayWrong'
  | 'sharingWrong'

export interface ListRow {
  /** The line in the list, counted from its first as 1. */
  readonly line: number
  readonly person: ListedPerson
  readonly fault: RowFault | undefined
}

const yes = /^(yes|y|true|1|x|✓|نعم|evet|oui|ya|ہاں)$/i
const no = /^(no|n|false|0|-|لا|hay[ıi]r|non|tidak|نہیں)?$/i

/** 29.2.2024 is day first everywhere; with slashes it differs by country, so that only a plain order is read. */
const dayOf = (text: string): string => {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? []
  return year === '' ? text.slice(0, 10) : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** What our exports put before text that starts like a formula. */
const withoutMark = (cell: string): string => cell.replace(/^'(?=[=+\-@])/, '').trim()

type Cells = Readonly<Record<ColumnRole, string>>

const personOf = (cells: Cells): ListedPerson => {
  const [first = '', ...rest] = tidy(cells.full_name).split(' ')
  return {
    given_name: tidy(cells.given_name) || first,
    family_name: tidy(cells.family_name) || (cells.given_name === '' ? rest.join(' ') : '') || undefined,
    email: cells.email.toLowerCase() || undefined,
    phone: asciiDigits(tidy(cells.phone)) || undefined,
    joined_on: cells.joined_on === '' ? undefined : dayOf(asciiDigits(cells.joined_on)),
    household: tidy(cells.household) || undefined,
    api_sharing: yes.test(cells.sharing),
  }
}

const LONGEST_NAME = 100
const LONGEST_HOUSEHOLD = 200

const faultOf = (person: ListedPerson, cells: Cells): RowFault | undefined => {
  if (Object.values(cells).some(hasNoResult)) return 'noResult'
  if (person.given_name === '') return 'nameMissing'
  if (person.given_name.length > LONGEST_NAME || (person.family_name ?? '').length > LONGEST_NAME) return 'nameTooLong'
  if ((person.household ?? '').length > LONGEST_HOUSEHOLD) return 'nameTooLong'
  if (person.email !== undefined && !isEmail(person.email)) return 'emailWrong'
  if (person.phone !== undefined && !isPhone(person.phone)) return 'phoneWrong'
  if (person.joined_on !== undefined && !isDay(person.joined_on)) return 'dayWrong'
  return yes.test(cells.sharing) || no.test(cells.sharing) ? undefined : 'sharingWrong'
}

const emptyCells: Cells = {
  given_name: '',
  family_name: '',
  full_name: '',
  email: '',
  phone: '',
  joined_on: '',
  household: '',
  sharing: '',
}

export const readList = (rows: readonly TableRow[], columns: readonly (ColumnRole | undefined)[]): ListRow[] =>
  rows.map(({ line, cells: row }) => {
    const known = columns.flatMap((role, column) =>
      role === undefined ? [] : [[role, withoutMark(row[column] ?? '')] as const],
    )
    const cells: Cells = { ...emptyCells, ...Object.fromEntries(known) }
    const person = personOf(cells)
    return { line, person, fault: faultOf(person, cells) }
  })
