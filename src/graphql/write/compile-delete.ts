// A deletion → its statements: the keys are noted, then the response is read, then the rows are deleted, or marked as such.
import type { Table } from '../../catalog/model.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import { rowAs, tableName } from '../compile/row.ts'
import type { Writer } from '../compile/writer.ts'
import { settingName, writtenSource } from '../compile/written-rows.ts'
import { keyJson } from './compile-marks.ts'
import { refuseTooMany, selectKeys } from './compile-target.ts'
import { checkVersion } from './compile-update.ts'
import { affectedSetting, keysSetting } from './settings.ts'
import { addStep, raise, refusals, type Steps } from './step.ts'
import type { Write } from './write-plan.ts'

const noteKeys = (writer: Writer, { table, target, number }: Write & { kind: 'delete' }): string => {
  const keys = `set_config(${settingName(writer, keysSetting(number))}, coalesce(string_agg(${keyJson(table)}, ','), ''), true)`
  const affected = `set_config(${settingName(writer, affectedSetting(number))}, count(*)::text, true)`
  return `with "old" as (${selectKeys(writer, table, target)}) select count(*)::text, ${keys}, ${affected}${refuseTooMany(table, target)} from "old"`
}

/** What is noted must be deleted: the response has been read, and says so. */
const deleteNoted = (writer: Writer, table: Table, number: number): string => {
  const mark = table.softDelete
  const row = rowAs('t1')
  const from = { kind: 'written', table, keys: keysSetting(number), single: false } as const
  const noted = `select ${(table.primaryKey ?? []).map(({ column }) => `"t1".${quoteIdentifier(column)}`).join(', ')} from ${writtenSource(writer, from, row)}`
  const same = (table.primaryKey ?? []).map(({ column }) => `"t0".${quoteIdentifier(column)}`).join(', ')
  const gone =
    mark === undefined
      ? `delete from ${tableName(table)} as "t0" where (${same}) in (${noted}) returning 1`
      : `update ${tableName(table)} as "t0" set ${quoteIdentifier(mark)} = now() where (${same}) in (${noted}) returning 1`
  const count = `current_setting(${settingName(writer, affectedSetting(number))})::bigint`
  return `with "gone" as (${gone}) select case when count(*) <> ${count} then ${raise(table, refusals.notPermitted, 'Some of these rows are not yours to delete.')} end from "gone"`
}

/** `answer` adds the step that reads the response. */
export const compileDelete = (steps: Steps, write: Write & { kind: 'delete' }, answer: () => void): void => {
  checkVersion(steps, write)
  addStep(steps, write, writer => noteKeys(writer, write))
  answer()
  addStep(steps, write, writer => deleteNoted(writer, write.table, write.number))
}
