// Rows that an earlier step of the transaction wrote or returned → where a select finds them: by what the step left in a setting.

import { textType } from '../../catalog/aggregates.ts'
import type { Column, Table } from '../../catalog/model.ts'
import { operatorSign } from '../../catalog/operators.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import type { From } from '../plan/plan.ts'
import { castFirst, type Row, tableName } from './row.ts'
import { columnOf, parameter, type Writer } from './writer.ts'

/** The name of a setting is a parameter, so that the same statement serves every object of a list. */
export const settingName = (writer: Writer, name: string): string =>
  parameter(writer, { kind: 'text', text: name }, textType.sql)

const isKey = (row: Row, column: Column, key: string): string => {
  const own = castFirst(columnOf(row.alias, column.column), column.type)
  return `${own} ${operatorSign('=', column.type)} ${key}::${column.type.sql}`
}

const isKeyed = ({ primaryKey = [] }: Table, row: Row, keys: string): string =>
  primaryKey.map((column, index) => isKey(row, column, `(${keys} ->> ${index})`)).join(' and ')

const keysAlias = ({ alias }: Row): string => `k${alias}`

type Written = Extract<From, { kind: 'written' }>

/** Every key in its place. The keys of a single row are a condition instead. */
export const writtenSource = (writer: Writer, { table, keys, single }: Written, row: Row): string => {
  const target = `${tableName(table)} ${quoteIdentifier(row.alias)}`
  if (single) return target
  const alias = keysAlias(row)
  const list = `concat('[', current_setting(${settingName(writer, keys)}, true), ']')::jsonb`
  const on = isKeyed(table, row, columnOf(alias, 'key'))
  return `jsonb_array_elements(${list}) with ordinality ${quoteIdentifier(alias)} ("key", "place") join ${target} on ${on}`
}

export const writtenCondition = (writer: Writer, { table, keys, single }: Written, row: Row): string[] => {
  if (!single) return []
  return [isKeyed(table, row, `nullif(current_setting(${settingName(writer, keys)}, true), '')::jsonb`)]
}

export const writtenOrder = ({ single }: Written, row: Row): string =>
  single ? '' : ` order by ${columnOf(keysAlias(row), 'place')}`

export const keptSource = (writer: Writer, { table, rows }: Extract<From, { kind: 'kept' }>, row: Row): string =>
  `json_populate_recordset(null::${tableName(table)}, current_setting(${settingName(writer, rows)})::json) ${quoteIdentifier(row.alias)}`
