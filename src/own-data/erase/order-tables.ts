// Tables with people in them → the order in which they are erased: referring tables before those they refer to, accounts last.
import { fullName, hasSubjects, type OwnTable } from '../own-table.ts'

const ACCOUNTS = 'minaret.users'

/** The longest way from the table to one that refers to nothing. Circles are cut. */
const depthOf = (table: OwnTable, byName: ReadonlyMap<string, OwnTable>, seen: ReadonlySet<string>): number => {
  const name = fullName(table)
  if (seen.has(name)) return 0
  const next = table.references.flatMap(other => byName.get(other) ?? [])
  const within = new Set([...seen, name])
  return next.length === 0 ? 0 : 1 + Math.max(...next.map(other => depthOf(other, byName, within)))
}

export const orderTables = (tables: readonly OwnTable[]): OwnTable[] => {
  const own = tables.filter(hasSubjects)
  const byName = new Map(own.map(table => [fullName(table), table]))
  const rank = (table: OwnTable): number =>
    fullName(table) === ACCOUNTS ? -1 : depthOf(table, byName, new Set<string>())
  return own
    .map(table => ({ table, rank: rank(table) }))
    .sort((one, other) => other.rank - one.rank || (fullName(one.table) < fullName(other.table) ? -1 : 1))
    .map(({ table }) => table)
}
