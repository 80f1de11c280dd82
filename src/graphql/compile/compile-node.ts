// The global id of a row, and the condition that a row is the one that an id names → SQL.
import type { Column, Table } from '../../catalog/model.ts'
import { operatorSign } from '../../catalog/operators.ts'
import { quoteLiteral } from '../../db/sql.ts'
import type { Condition } from '../plan/plan.ts'
import type { Written } from './json.ts'
import { opaqueText } from './opaque-text.ts'
import { castFirst, type Row } from './row.ts'
import { parameter, shownColumn, type Writer } from './writer.ts'

export const compileGlobalId = ({ name, primaryKey }: Table, { alias }: Row): Written => {
  const key = (primaryKey ?? []).map(column => `(${shownColumn(alias, column)})::text`)
  return { sql: opaqueText([quoteLiteral(name), ...key]), form: 'quoted' }
}

export const compileNode = (
  writer: Writer,
  { id, table, columns }: Condition & { kind: 'node' },
  { alias }: Row,
): string => {
  const isPart = (column: Column, index: number): string => {
    const slot = { kind: 'node', id, table: table.name, index, count: columns.length } as const
    const own = castFirst(shownColumn(alias, column), column.type)
    return `${own} ${operatorSign('=', column.type)} ${parameter(writer, slot, column.type.sql)}`
  }
  return `(${columns.map(isPart).join(' and ')})`
}
