// The tables of a plan and the parameters of a request → what its result is read from.
import { isUuid } from '../../base/uuid.ts'
import type { ReadSource } from '../../db/changes/epoch.ts'
import type { LoggedTables } from './logged-tables.ts'

/** PostgreSQL reads other forms too, such as braces; the change log has this one. */

const list = /^\{(.*)\}$/

/** A value, or a list of them. */
const itemsOf = (text: string): readonly string[] => {
  const inner = list.exec(text)?.[1]
  return inner === undefined ? [text] : inner.split(',').map(item => item.replace(/^"(.*)"$/, '$1'))
}

/** Undefined if one of them is not written as in the log, or if there are none. */
const masjidsAt = (
  slots: readonly number[] | undefined,
  values: readonly (string | null)[],
): readonly string[] | undefined => {
  const masjids = (slots ?? []).flatMap(slot => itemsOf((values[slot] ?? '').toLowerCase()))
  return masjids.length > 0 && masjids.every(isUuid) ? masjids : undefined
}

export const readSources = (tables: LoggedTables, values: readonly (string | null)[]): readonly ReadSource[] =>
  [...tables].map(([table, slots]) => ({ table, masjids: masjidsAt(slots, values) }))
