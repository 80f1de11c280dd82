// A row of a table under an alias, and the conditions that apply to it wherever its table is named.
import type { ListedRows, Table } from '../../catalog/model.ts'
import { operatorSign } from '../../catalog/operators.ts'
import type { ValueType } from '../../catalog/value-type.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import type { Join } from '../plan/plan.ts'
import { columnOf, type Writer } from './writer.ts'

/** A row of a table under an alias; `row` is the whole row as an argument of a function. */
export interface Row {
  readonly alias: string
  readonly row: string
}

/** With `.*`, since the alias alone could be taken for a column of that name, of this table or an outer one. */
export const rowAs = (alias: string): Row => ({ alias, row: `${quoteIdentifier(alias)}.*` })

export const tableName = (table: Table): string => `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.relation)}`

export const whereOf = (conditions: readonly (string | undefined)[]): string => {
  const present = conditions.filter(condition => condition !== undefined)
  return present.length === 0 ? '' : ` where ${present.join(' and ')}`
}

/** Rows whose column is in the array that a function returns, for one of the pairs. */
export const listedIn = (table: Table, pairs: readonly ListedRows[], row: Row): string => {
  const parts = pairs.map(
    ([column, name]) =>
      `${columnOf(row.alias, column)} = any ((select ${quoteIdentifier(table.schema)}.${quoteIdentifier(name)}())::uuid[])`,
  )
  return `(${parts.join(' or ')})`
}

/** What applies to every row that is read from a table. */
export const rowConditions = (writer: Writer, table: Table, row: Row): string[] => [
  ...(table.softDelete === undefined ? [] : [`${columnOf(row.alias, table.softDelete)} is null`]),
  // Row-level security says the same; but its plan is made for everyone, and would scan all rows.
  ...(writer.forUser && table.userRows.length > 0 ? [listedIn(table, table.userRows, row)] : []),
]

/** How rows are joined to their parent row. */
export interface Hold {
  readonly join: Join
  readonly outer: Row
}

/** In a form that PostgreSQL can compare. */
export const castFirst = (expression: string, type: ValueType): string =>
  type.castFirst ? `(${expression})::${type.sql}` : expression

/** Only the target's type is known here: a column that refers to an enum may be a domain over it. */
const isJoined = (own: string, target: string, type: ValueType | undefined): string => {
  if (type === undefined) return `${target} = ${own}`
  const pointer = castFirst(own, type.family === 'enum' ? { ...type, castFirst: true } : type)
  return `${castFirst(target, type)} ${operatorSign('=', type)} ${pointer}`
}

export const joinConditions = ({ join, outer }: Hold, table: Table, row: Row): string[] =>
  join.map(([own, target]) => {
    const found = [...table.columns.values()].find(({ column }) => column === target)
    return isJoined(columnOf(outer.alias, own), columnOf(row.alias, target), found?.type)
  })
