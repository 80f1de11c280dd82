// What a row needs to be in a list → the statement that reads those columns of some masjids' rows; and its result.
import { quoteIdentifier } from '../../db/sql.ts'
import { ownStatement, type TextStatement } from '../../db/text-channel.ts'
import { statementName } from '../compile/compile-plan.ts'
import type { Admitted } from './masjids.ts'

export interface AdmissionStatement {
  readonly name: string
  readonly text: string
}

/** The values of the columns; undefined if there is no such row. */
export type AdmissionValues = readonly (string | null)[] | undefined

export const admissionStatement = ({
  table,
  key,
  equal,
}: Pick<Admitted, 'table' | 'key' | 'equal'>): AdmissionStatement => {
  const id = quoteIdentifier(key.column)
  const columns = equal.map(({ column }) => quoteIdentifier(column.column)).join(', ')
  const text =
    `select coalesce(json_object_agg(${id}, json_build_array(${columns})), '{}')::text ` +
    `from ${quoteIdentifier(table.schema)}.${quoteIdentifier(table.relation)} where ${id} = any ($1::uuid[])`
  return { text, name: statementName(text) }
}

export const askFor = ({ name, text }: AdmissionStatement, masjids: readonly string[]): TextStatement =>
  ownStatement(name, text, [`{${masjids.join()}}`])

export const readValues = (text: string): ReadonlyMap<string, AdmissionValues> =>
  new Map(Object.entries(JSON.parse(text) as Record<string, AdmissionValues>))
