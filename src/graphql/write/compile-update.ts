// An update or a restoration → its statements.
import type { Table } from '../../catalog/model.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import { compileCondition } from '../compile/compile-expression.ts'
import { rowAs, tableName } from '../compile/row.ts'
import { columnOf, valueParameter, type Writer } from '../compile/writer.ts'
import { compileMarks, type Marks, marksFor, returningOf } from './compile-marks.ts'
import { isSameKey, lockOf, refuseTooMany, selectKeys, WRITTEN, whereTarget } from './compile-target.ts'
import { compileSent } from './compile-value.ts'
import { addStep, raise, refusals, type Steps } from './step.ts'
import type { Change, Target, Write } from './write-plan.ts'

const changed = (writer: Writer, change: Change, alias: string): string => {
  const old = columnOf(alias, change.column.column)
  const { operator } = change
  if (operator === '_set') return compileSent(writer, change)
  const value = valueParameter(writer, change.value)
  if (operator === '_inc') return `${old} + ${value}`
  if (operator === '_append') return `${old} || ${value}`
  if (operator === '_prepend') return `${value} || ${old}`
  return operator === '_delete_at_path' ? `${old} #- ${value}` : `${old} - ${value}`
}

const compileChanges = (writer: Writer, changes: readonly Change[], alias: string): string =>
  changes.map(change => `${quoteIdentifier(change.column.column)} = ${changed(writer, change, alias)}`).join(', ')

interface Updating {
  readonly table: Table
  readonly target: Target
  readonly changes: readonly Change[]
  readonly marks: Marks
}

const updateByKey = (writer: Writer, { table, target, changes, marks }: Updating): string => {
  const row = rowAs(WRITTEN)
  const update = `update ${tableName(table)} as "${WRITTEN}" set ${compileChanges(writer, changes, WRITTEN)}${whereTarget(writer, table, target, row)} ${returningOf(table, marks, WRITTEN)}`
  return `with "new" as (${update}) select ${compileMarks(writer, table, marks)} from "new"`
}

const updateWhere = (writer: Writer, { table, target, changes, marks }: Updating): string => {
  const update = `update ${tableName(table)} as "${WRITTEN}" set ${compileChanges(writer, changes, WRITTEN)} from "old" where ${isSameKey(table, WRITTEN, 'old')} ${returningOf(table, marks, WRITTEN)}`
  return `with "old" as (${selectKeys(writer, table, target)}), "new" as (${update}) select ${compileMarks(writer, table, marks)}${refuseTooMany(table, target)} from "new"`
}

/** Nothing is written or locked. PostgreSQL knows no update without a column. */
const updateNothing = (writer: Writer, { table, marks }: Updating): string => {
  const [column] = table.writing?.updateColumns ?? []
  const name = quoteIdentifier(column?.column ?? '')
  const update = `update ${tableName(table)} as "${WRITTEN}" set ${name} = ${columnOf(WRITTEN, column?.column ?? '')} where false`
  return `with "new" as (${update} ${returningOf(table, marks, WRITTEN)}) select ${compileMarks(writer, table, marks)} from "new"`
}

const statementFor = ({ target, changes }: Updating): typeof updateByKey => {
  if (changes.length === 0) return updateNothing
  return target.kind === 'key' ? updateByKey : updateWhere
}

/** The row is locked, so its version is still the same when it is written. */
export const checkVersion = (steps: Steps, { table, path, target }: Write & { kind: 'update' | 'delete' }): void => {
  const column = table.writing?.version
  if (target.kind !== 'key' || target.version === undefined || column === undefined) return
  const { version } = target
  const row = rowAs(WRITTEN)
  addStep(steps, { table, path }, writer => {
    const differs = `${columnOf(WRITTEN, column.column)} is distinct from ${valueParameter(writer, version)}`
    return `select case when ${differs} then ${raise(table, refusals.version)} end from ${tableName(table)} "${WRITTEN}"${whereTarget(writer, table, target, row)}${lockOf(table, row)}`
  })
}

export const compileUpdate = (steps: Steps, write: Write & { kind: 'update' }): void => {
  const { table, target, changes, shown, number } = write
  if (changes.length > 0) checkVersion(steps, write)
  const updating = { table, target, changes, marks: marksFor(shown, number) }
  addStep(steps, write, writer => statementFor(updating)(writer, updating))
}

/** The deleted row is found by its key alone: the usual conditions leave deleted rows out. */
export const compileRestore = (steps: Steps, write: Write & { kind: 'restore' }): void => {
  const { table, target, shown, number } = write
  const marks = marksFor(shown, number)
  const mark = quoteIdentifier(table.softDelete ?? '')
  addStep(steps, write, writer => {
    const where = compileCondition(writer, target.where, rowAs(WRITTEN))
    const update = `update ${tableName(table)} as "${WRITTEN}" set ${mark} = null where ${where} and "${WRITTEN}".${mark} is not null ${returningOf(table, marks, WRITTEN)}`
    return `with "new" as (${update}) select ${compileMarks(writer, table, marks)} from "new"`
  })
}
