// Where rows come from → an item of `from`, and what holds for each of its rows.
import { quoteIdentifier } from '../../db/sql.ts'
import type { From } from '../plan/plan.ts'
import { compileFunction } from './compile-arguments.ts'
import { type Hold, joinConditions, type Row, rowConditions, tableName } from './row.ts'
import { parameter, type Writer } from './writer.ts'
import { keptSource, writtenCondition, writtenSource } from './written-rows.ts'

const calculatedSource = (writer: Writer, from: From & { kind: 'calculated' }): string => {
  const rows = parameter(writer, { kind: 'calculated', from, columns: new Set() }, '"pg_catalog"."json"')
  return `"pg_catalog"."json_populate_recordset"(null::${tableName(from.table)}, ${rows})`
}

/** With its alias. */
export const sourceOf = (writer: Writer, from: From, row: Row, hold: Hold | undefined): string => {
  const alias = quoteIdentifier(row.alias)
  if (from.kind === 'table') return `${tableName(from.table)} ${alias}`
  if (from.kind === 'written') return writtenSource(writer, from, row)
  if (from.kind === 'kept') return keptSource(writer, from, row)
  if (from.kind === 'calculated') return `${calculatedSource(writer, from)} ${alias}`
  const of = from.of && hold && { row: hold.outer.row, argument: from.of }
  return `${compileFunction(writer, { ...from, schema: from.table.schema, of })} ${alias}`
}

/** If a function returns null instead of a row, PostgreSQL yields a row of nulls. */
const isThere = (writer: Writer, from: From, row: Row): string[] => {
  if (from.kind === 'written') return writtenCondition(writer, from, row)
  return from.kind === 'function' && from.single ? [`not (${row.row} is null)`] : []
}

export const sourceConditions = (writer: Writer, from: From, row: Row, hold: Hold | undefined): string[] => [
  ...(hold === undefined ? [] : joinConditions(hold, from.table, row)),
  ...isThere(writer, from, row),
  ...rowConditions(writer, from.table, row),
]
