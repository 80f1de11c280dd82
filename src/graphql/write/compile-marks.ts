// What a step leaves behind for later ones: the keys of its rows, their number, and columns for linked rows.
import type { Table } from '../../catalog/model.ts'
import { quoteIdentifier, quoteLiteral } from '../../db/sql.ts'
import type { Writer } from '../compile/writer.ts'
import { settingName } from '../compile/written-rows.ts'
import { affectedSetting, keysSetting } from './settings.ts'
import { raise, refusals } from './step.ts'
import type { Shown } from './write-plan.ts'

export interface Marks {
  /** Undefined if nobody asks for it. */
  readonly keys: string | undefined
  readonly affected: string | undefined
  readonly link: Link | undefined
}

export interface Link {
  readonly setting: string
  /** Names in the database. */
  readonly columns: readonly string[]
}

export const marksFor = (shown: Shown, number: number): Marks => {
  const isShown = (kind: 'affected' | 'returning'): boolean =>
    shown.kind === 'response' && shown.fields.some(field => field.kind === kind)
  return {
    keys: shown.kind === 'row' || isShown('returning') ? keysSetting(number) : undefined,
    affected: isShown('affected') ? affectedSetting(number) : undefined,
    link: undefined,
  }
}

/** Without any, PostgreSQL does not ask whether the row may be seen. */
export const returningOf = (table: Table, { keys, link }: Marks, alias: string): string => {
  const key = keys === undefined ? [] : (table.primaryKey ?? []).map(({ column }) => column)
  const columns = [...new Set([...key, ...(link?.columns ?? [])])]
  if (columns.length === 0) return 'returning 1 as "one"'
  return `returning ${columns.map(column => `${quoteIdentifier(alias)}.${quoteIdentifier(column)}`).join(', ')}`
}

export const keyJson = ({ primaryKey = [] }: Table, alias?: string): string => {
  const prefix = alias === undefined ? '' : `${quoteIdentifier(alias)}.`
  return `json_build_array(${primaryKey.map(({ column }) => prefix + quoteIdentifier(column)).join(', ')})::text`
}

const addKeys = (writer: Writer, table: Table, setting: string): string => {
  const name = settingName(writer, setting)
  return `set_config(${name}, concat_ws(',', nullif(current_setting(${name}, true), ''), string_agg(${keyJson(table)}, ',')), true)`
}

const addAffected = (writer: Writer, setting: string): string => {
  const name = settingName(writer, setting)
  return `set_config(${name}, (coalesce(nullif(current_setting(${name}, true), ''), '0')::bigint + count(*))::text, true)`
}

/** A row that was left as it was has nothing that others could be linked to. */
const keepLink = (writer: Writer, table: Table, { setting, columns }: Link): string => {
  const pairs = columns.map(column => `${quoteLiteral(column)}, ${quoteIdentifier(column)}`).join(', ')
  const row = `min(json_build_object(${pairs})::text)`
  return `set_config(${settingName(writer, setting)}, coalesce(${row}, ${raise(table, refusals.noParent, table.name)}), true)`
}

/** The items of a select from the written rows. */
export const compileMarks = (writer: Writer, table: Table, { keys, affected, link }: Marks): string =>
  [
    'count(*)::text',
    ...(affected === undefined ? [] : [addAffected(writer, affected)]),
    ...(keys === undefined ? [] : [addKeys(writer, table, keys)]),
    ...(link === undefined ? [] : [keepLink(writer, table, link)]),
  ].join(', ')
