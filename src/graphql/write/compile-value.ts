// A value sent for a column → the SQL expression that is stored.
import type { Table } from '../../catalog/model.ts'
import { quoteLiteral } from '../../db/sql.ts'
import { valueParameter, type Writer } from '../compile/writer.ts'
import { settingName } from '../compile/written-rows.ts'
import type { SentValue } from './write-plan.ts'

/** Without a cast: PostgreSQL takes the column's own type, whatever it is. A composite is read from JSON. */
export const compileSent = (writer: Writer, { column: { column }, value }: SentValue): string => {
  if (value.encoding === 'record')
    return `"pg_catalog"."jsonb_populate_record"(null::${value.type.sql}, ${valueParameter(writer, value)})`
  return `$${writer.slots.push({ kind: 'value', value, column })}`
}

/** A column of a row that was inserted before. */
export interface Linked {
  readonly setting: string
  readonly column: string
}

const typeOf = (table: Table, name: string): string | undefined =>
  [...table.columns.values()].find(({ column }) => column === name)?.type.sql

/** A hidden column has no type here: then it is text, which PostgreSQL refuses unless it fits. */
export const compileLinked = (writer: Writer, table: Table, own: string, { setting, column }: Linked): string =>
  `(current_setting(${settingName(writer, setting)})::jsonb ->> ${quoteLiteral(column)})::${typeOf(table, own) ?? 'text'}`
