// What a row needs to be in a list → the statement that reads those columns of some masjids' rows; and its result.
import { createHash } from 'node:crypto'
import { quoteIdentifier } from '../../db/sql.ts'
import type { TextStatement } from '../../db/text-channel.ts'
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
  return { text, name: `a${createHash('sha256').update(text).digest('hex').slice(0, 24)}` }
}

export const askFor = ({ name, text }: AdmissionStatement, masjids: readonly string[]): TextStatement => ({
  text,
  name,
  values: [`{${masjids.join()}}`],
  none: '{}',
  prepare: true,
  settings: undefined,
})

export const readValues = (text: string): ReadonlyMap<string, AdmissionValues> =>
  new Map(Object.entries(JSON.parse(text) as Record<string, AdmissionValues>))
