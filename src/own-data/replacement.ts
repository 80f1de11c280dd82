// A column that is anonymised → the value that takes its place: empty where that is allowed, otherwise one that says nothing.
import { identifier, type Sql, sql } from '../db/sql.ts'
import type { OwnColumn, OwnTable } from './own-table.ts'

const isText = (type: string): boolean => /^(text|character)/.test(type)

/** Addresses are unique, so each has the identifier of its row; `.invalid` reaches nobody (RFC 6761). */
const emptyAddress = (key: string): Sql => sql`'erased-' || ${identifier(key)} || '@erased.invalid'`

export const replacementFor = (
  { key }: Pick<OwnTable, 'key'>,
  { name, type, notNull }: Pick<OwnColumn, 'name' | 'type' | 'notNull'>,
): Sql | undefined => {
  if (!notNull) return sql`null`
  if (isText(type)) return /email/.test(name) && key[0] !== undefined ? emptyAddress(key[0]) : sql`'Erased'`
  if (type === 'boolean') return sql`false`
  return type === 'jsonb' ? sql`'{}'` : undefined
}
