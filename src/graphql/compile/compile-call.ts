// One aggregate → the call of PostgreSQL's aggregate function.
import type { Table } from '../../catalog/model.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import type { Call } from '../plan/plan.ts'
import { castFirst, type Row } from './row.ts'
import { rowsOfValues } from './small-groups.ts'
import { shownColumn, type Writer } from './writer.ts'

interface Over {
  readonly table: Table
  readonly row: Row
}

const compileCount = (call: Call & { kind: 'count' }, row: Row): string => {
  const columns = call.columns.map(column => shownColumn(row.alias, column))
  if (columns.length === 0) return 'count(*)'
  const present = columns.map(column => `${column} is not null`).join(' and ')
  if (columns.length === 1) return `count(${call.distinct ? 'distinct ' : ''}${columns[0]})`
  return `count(${call.distinct ? `distinct (${columns.join(', ')})` : '*'}) filter (where ${present})`
}

export const compileCall = (writer: Writer, call: Call, { table, row }: Over): string => {
  if (call.kind === 'count') return compileCount(call, row)
  // A type with its own operators brings its own min and max aggregates.
  const { operators } = call.type
  const name = operators === undefined ? call.name : `${quoteIdentifier(operators)}.${call.name}`
  const tellsValues =
    call.name === 'min' || call.name === 'max' || call.name === 'bool_and' || call.name === 'bool_or' || call.distinct
  const rows = tellsValues ? rowsOfValues(writer, table, row) : undefined
  const filter = rows === undefined ? '' : ` filter (where ${rows})`
  const column = castFirst(shownColumn(row.alias, call.column), call.column.type)
  return `${name}(${call.distinct ? 'distinct ' : ''}${column})${filter}`
}
