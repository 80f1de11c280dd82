// What is shown of the written rows → the statement that reads it, with the reading side's own selects.
import { quoteLiteral } from '../../db/sql.ts'
import { listRows, selectRows } from '../compile/compile-plan.ts'
import { type Item, jsonObject, jsonRow, type Written, writtenJson } from '../compile/json.ts'
import type { Writer } from '../compile/writer.ts'
import { settingName } from '../compile/written-rows.ts'
import { limits } from '../limits/limits.ts'
import { affectedSetting, BYTES_SETTING } from './settings.ts'
import { addStep, raise, refusals, type Steps } from './step.ts'
import type { ResponseField, Shown, Write } from './write-plan.ts'

const responseItem = (writer: Writer, field: ResponseField, number: number): Written => {
  if (field.kind === 'typename') return { words: JSON.stringify(field.name) }
  if (field.kind === 'returning') return listRows(writer, field.rows, undefined)
  const count = `current_setting(${settingName(writer, affectedSetting(number))}, true)`
  return writtenJson(`coalesce(nullif(${count}, ''), '0')`)
}

const shownJson = (writer: Writer, shown: Shown, number: number): Written => {
  if (shown.kind === 'row') return jsonRow(writer, selectRows(writer, shown.rows, undefined))
  if (shown.kind === 'list') return listRows(writer, shown.rows, undefined)
  const items = shown.fields.map((field): Item => [field.key, responseItem(writer, field, number)])
  return jsonObject(writer, items)
}

/** Bytes of the whole response: one row of the protocol must hold each part of it. */
const MOST_BYTES = limits.answerBytes - 1024 * 1024

/** How many bytes the response has so far. */
const bytesSoFar = (writer: Writer): string => {
  const name = settingName(writer, BYTES_SETTING)
  const before = `coalesce(nullif(current_setting(${name}, true), ''), '0')::bigint`
  return `set_config(${name}, (${before} + octet_length("data"))::text, true)::bigint`
}

/** A response that is too long to be sent must be refused here, or its changes would be committed. */
export const compileAnswer = (steps: Steps, { table, path, shown, number }: Write): void =>
  addStep(steps, { table, path }, writer => {
    const written = shownJson(writer, shown, number)
    const data = 'words' in written ? quoteLiteral(written.words) : written.sql
    return `select case when ${bytesSoFar(writer)} > ${MOST_BYTES} then ${raise(table, refusals.tooLong)} else "data" end from (select ${data} as "data" offset 0) "answer"`
  })
