// Aggregates over people → conditions that keep them from revealing one person, whatever they are compared with.
//
// Access differs by row. The masjid's own people and apps see its rows in full, one by one: their aggregates are exact, and
// null below five people. A user's own rows count whatever their number. All other rows (an app's, outside its own masjids)
// are aggregated in whole groups that the table's comment fixes, each of at least five people; so two aggregates differ by
// whole groups or not at all. Whether a filter selects whole groups depends on the query alone, never on the data: a filter
// allowed for some values and refused for others would answer the very questions that it refuses.
import type { Table } from '../../catalog/model.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import { limits } from '../limits/limits.ts'
import type { Condition, Expression, Join } from '../plan/plan.ts'
import { listedIn, type Row, rowAs, tableName, whereOf } from './row.ts'
import { columnOf, nextAlias, type Writer } from './writer.ts'

const HIGHEST = "'ffffffff-ffff-ffff-ffff-ffffffffffff'"

const inFull = ({ schema, fullRows }: Table, row: Row): string => {
  if (fullRows === undefined) return 'false'
  const column = columnOf(row.alias, fullRows.column)
  const call = (name: string): string => `(select ${quoteIdentifier(schema)}.${quoteIdentifier(name)}())`
  return `(${column} = any (${call(fullRows.list)}::uuid[]) or ${column} between ${call(fullRows.all)} and ${HIGHEST})`
}

/** A user sees only their own rows and rows in full, where the table's comment says which these are. */
const mayHoldOthers = ({ forUser }: Writer, { personal, userRows }: Table): boolean =>
  personal !== undefined && !(forUser && userRows.length > 0)

/** The number of people that the rows are about. */
const countPeople = ({ personal }: Table, row: Row): string => {
  const columns = (personal?.personColumns ?? []).map(column => columnOf(row.alias, column))
  if (columns.length === 0) return 'count(*)'
  return columns.length === 1
    ? `count(distinct ${columns[0]})`
    : `count(distinct coalesce(${columns.map(column => `${column}::text`).join(', ')}))`
}

/** No aggregate over fewer than five people; beside the user's own rows, over none or at least five others. */
export const enoughPeople = (writer: Writer, table: Table, row: Row): string | undefined => {
  if (table.personal === undefined) return undefined
  const people = countPeople(table, row)
  if (!writer.forUser || table.ownRows.length === 0) return `${people} >= ${limits.people}`
  const others = ` filter (where ${listedIn(table, table.ownRows, row)} is not true)`
  return `(count(*)${others} = 0 or ${people}${others} >= ${limits.people})`
}

/** The minimum and maximum always belong to one person, and so does one more distinct value. */
export const rowsOfValues = (writer: Writer, table: Table, row: Row): string | undefined =>
  mayHoldOthers(writer, table) ? inFull(table, row) : undefined

const usesGroups = (groups: readonly string[], expression: Expression): boolean => {
  switch (expression.kind) {
    case 'column':
      return groups.includes(expression.column.column)
    case 'computed':
      return false
    case 'cast':
      return usesGroups(groups, expression.expression)
    case 'related':
    case 'total':
      return expression.from.kind === 'table' && expression.join.every(([own]) => groups.includes(own))
  }
}

const dividesGroups = (groups: readonly string[], condition: Condition): boolean => {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.some(part => dividesGroups(groups, part))
    case 'not':
      return dividesGroups(groups, condition.part)
    case 'compare':
    case 'null':
      return !usesGroups(groups, condition.left)
    case 'exists':
      return condition.from.kind !== 'table' || !condition.join.every(([own]) => groups.includes(own))
    case 'node':
      return true
  }
}

export interface Narrowing {
  readonly where: Condition | undefined
  /** How the rows are joined to their parent row. */
  readonly join: Join | undefined
}

/** Whether rows are filtered only by the columns that form the groups: then each group is taken whole or not at all. */
export const takesWholeGroups = ({ personal }: Table, { where, join }: Narrowing): boolean => {
  const groups = personal?.groups ?? []
  if (where !== undefined && dividesGroups(groups, where)) return false
  return join === undefined || join.every(([, target]) => groups.includes(target))
}

interface Chosen {
  readonly row: Row
  /** The conditions that select whole groups; undefined where groups may be split. */
  readonly narrowed: ((row: Row) => readonly (string | undefined)[]) | undefined
}

const inLargeGroup = (writer: Writer, table: Table, { row, narrowed }: Chosen): string => {
  const groups = table.personal?.groups ?? []
  const other = rowAs(`t${nextAlias(writer)}`)
  const columnsOf = ({ alias }: Row): string => groups.map(column => columnOf(alias, column)).join(', ')
  // Rows seen in full would make a small group look large where groups span masjids.
  const mixed = table.fullRows !== undefined && !groups.includes(table.fullRows.column)
  const where = whereOf([...(narrowed?.(other) ?? []), mixed ? `not ${inFull(table, other)}` : undefined])
  const from = `from ${tableName(table)} ${quoteIdentifier(other.alias)}${where}`
  const people = `${countPeople(table, other)} >= ${limits.people}`
  if (groups.length === 0) return `(select ${people} ${from})`
  return `(${columnsOf(row)}) in (select ${columnsOf(other)} ${from} group by ${columnsOf(other)} having ${people})`
}

/** Which of the selected rows count in aggregates; undefined: all. */
export const countedRows = (writer: Writer, table: Table, chosen: Chosen): string | undefined => {
  if (!mayHoldOthers(writer, table)) return undefined
  const full = inFull(table, chosen.row)
  return chosen.narrowed === undefined ? full : `(${full} or ${inLargeGroup(writer, table, chosen)})`
}
