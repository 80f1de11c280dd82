// One table and a person → the statement that deletes the person's rows or empties their values. Repeating it changes nothing.
import { identifier, joinSql, type Sql, sql } from '../../db/sql.ts'
import type { OwnColumn, OwnTable } from '../own-table.ts'
import type { Person } from '../person.ts'
import { replacementFor } from '../replacement.ts'
import { isTheirs, rowsOf } from '../rows-of.ts'

const isEmptied = ({ rule, isRuled }: OwnColumn): boolean =>
  isRuled && (rule?.action === 'delete' || rule?.action === 'anonymise')

const emptied = (table: OwnTable, column: OwnColumn, person: Person): Sql => {
  const value = column.rule?.action === 'delete' ? sql`null` : (replacementFor(table, column) ?? sql`null`)
  const theirs = isTheirs(column, person)
  const name = identifier(column.name)
  return theirs === undefined
    ? sql`${name} = ${value}`
    : sql`${name} = case when ${theirs} then ${value} else ${identifier('own', column.name)} end`
}

/** Undefined if nothing of the table is erased. */
export const eraseStatement = (table: OwnTable, person: Person): Sql | undefined => {
  const target = identifier(table.schema, table.name)
  const rows = rowsOf(table, person)
  if (table.rule?.action === 'delete') return sql`delete from ${target} own where ${rows}`
  const columns = table.columns.filter(isEmptied)
  if (columns.length === 0) return undefined
  return sql`update ${target} own set ${joinSql(columns.map(column => emptied(table, column, person)))} where ${rows}`
}
