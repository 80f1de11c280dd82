// The rows that an update or a deletion is about → their keys, locked, and refused if there are too many.
import type { Table } from '../../catalog/model.ts'
import { operatorSign } from '../../catalog/operators.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import { compileCondition } from '../compile/compile-expression.ts'
import { castFirst, type Row, rowAs, rowConditions, tableName, whereOf } from '../compile/row.ts'
import { columnOf, type Writer } from '../compile/writer.ts'
import { raise, refusals } from './step.ts'
import type { Target } from './write-plan.ts'

/** The alias of the written row. Conditions on related rows have aliases from t1 on. */
export const WRITTEN = 't0'

export const whereTarget = (writer: Writer, table: Table, { where }: Target, row: Row): string =>
  whereOf([
    ...rowConditions(writer, table, row),
    where === undefined ? undefined : compileCondition(writer, where, row),
  ])

/** Locking takes the right to update; without it, the deletion itself finds out what is gone in the meantime. */
export const lockOf = ({ writing, softDelete }: Table, row: Row): string =>
  writing?.update === true || softDelete !== undefined ? ` for update of ${quoteIdentifier(row.alias)}` : ''

const keyColumns = ({ primaryKey = [] }: Table, alias: string): string =>
  primaryKey.map(({ column }) => columnOf(alias, column)).join(', ')

/** One more than allowed, to see whether there are more. */
export const selectKeys = (writer: Writer, table: Table, target: Target): string => {
  const row = rowAs(WRITTEN)
  const limit = target.kind === 'where' ? ` limit ${Number(target.most) + 1}` : ''
  return `select ${keyColumns(table, row.alias)} from ${tableName(table)} ${quoteIdentifier(row.alias)}${whereTarget(writer, table, target, row)}${limit}${lockOf(table, row)}`
}

/** An item of a select: an error if `old` has more rows than allowed. */
export const refuseTooMany = (table: Table, target: Target): string =>
  target.kind === 'key'
    ? ''
    : `, case when (select count(*) from "old") > ${Number(target.most)} then ${raise(table, refusals.tooManyRows, String(target.most))} end`

export const isSameKey = ({ primaryKey = [] }: Table, one: string, other: string): string =>
  primaryKey
    .map(({ column, type }) => {
      const left = castFirst(columnOf(one, column), type)
      return `${left} ${operatorSign('=', type)} ${castFirst(columnOf(other, column), type)}`
    })
    .join(' and ')
