// The tables of a plan, the parameters of a request and its answer → what the answer is read from.
import { isUuid } from '../../base/uuid.ts'
import type { ReadSource } from '../../db/changes/epoch.ts'
import type { AdmissionStatement } from './admission-statement.ts'
import type { LoggedAdmission, LoggedTables, MasjidPlace } from './logged-tables.ts'
import type { Shown } from './masjids.ts'

/** Rows of other masjids may come to belong to the answer: those with these values. */
export interface Admission {
  readonly statement: AdmissionStatement
  readonly values: readonly (string | null)[]
}

export interface AnswerSource extends ReadSource {
  readonly admissions: readonly Admission[]
}

interface Read {
  readonly values: readonly (string | null)[]
  /** The rows of a list at the root of the answer; undefined if the answer is not known. */
  readonly rowsOf?: (list: string) => readonly Readonly<Record<string, unknown>>[]
}

const list = /^\{(.*)\}$/

/** A value, or a list of them. */
export const itemsOf = (text: string): readonly string[] => {
  const inner = list.exec(text)?.[1]
  return inner === undefined ? [text] : inner.split(',').map(item => item.replace(/^"(.*)"$/, '$1'))
}

/** PostgreSQL reads other forms too, such as braces; the change log has this one. */
const written = (masjids: readonly unknown[]): readonly string[] | undefined =>
  masjids.every(masjid => typeof masjid === 'string' && isUuid(masjid)) ? (masjids as string[]) : undefined

const namedAt = (slot: number, { values }: Read): readonly string[] | undefined =>
  written(itemsOf((values[slot] ?? '').toLowerCase()))

const shownIn = ({ list, field }: Shown, { rowsOf }: Read): readonly string[] | undefined =>
  rowsOf && written(rowsOf(list).map(row => row[field]))

const isAdmission = (place: MasjidPlace): place is LoggedAdmission =>
  typeof place !== 'number' && place.kind === 'admitted'

const masjidsAt = (place: number | Shown, read: Read): readonly string[] | undefined =>
  typeof place === 'number' ? namedAt(place, read) : shownIn(place, read)

const sourceOf = (table: string, places: readonly MasjidPlace[] | undefined, read: Read): AnswerSource => {
  const anywhere = { table, masjids: undefined, admissions: [] }
  if (places === undefined || places.length === 0) return anywhere
  const found = places.flatMap(place => (isAdmission(place) ? [] : [masjidsAt(place, read)]))
  if (!found.every(masjids => masjids !== undefined)) return anywhere
  const admissions = places
    .filter(isAdmission)
    .map(({ statement, slots }) => ({ statement, values: slots.map(slot => read.values[slot] ?? null) }))
  return { table, masjids: [...new Set(found.flat())], admissions }
}

export const readSources = (tables: LoggedTables, read: Read): readonly AnswerSource[] =>
  [...tables].map(([table, places]) => sourceOf(table, places, read))
