// What compiling gathers: parameters in their order, and aliases that are the same for the same plan.
import type { Column } from '../../catalog/model.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import type { Source } from '../plan/input.ts'
import type { Value } from '../plan/plan.ts'

/** What is bound to one parameter. */
export type Slot =
  | { readonly kind: 'value'; readonly value: Value }
  /** One of the keys that a cursor holds. `order` is the fingerprint of the order it must have been made for. */
  | {
      readonly kind: 'cursor'
      readonly cursor: Source
      readonly order: string
      readonly index: number
      readonly count: number
    }
  /** The answer to a question about the schema, made beforehand. */
  | { readonly kind: 'introspection'; readonly key: string }

/** Whom a statement is written for. */
export interface Audience {
  /** The server's major version. */
  readonly server: number
  /** Whether it is for a user's token: it then says itself which rows a user sees, so that indexes serve. */
  readonly forUser: boolean
}

export interface Writer {
  readonly slots: Slot[]
  readonly known: Map<string, string>
  /** Which of the slots say how many rows to skip. */
  readonly offsets: Set<number>
  aliases: number
  /** How many conditions on related rows were written. */
  existences: number
  readonly forUser: boolean
  /** Makes JSON of one value. Both write the same; the newer looks the value's type up once, not for every row. */
  readonly toJson: 'json_scalar' | 'to_json'
}

/** The first one that has `json_scalar`. */
const JSON_SCALAR_SERVER = 17

export const createWriter = ({ server, forUser }: Audience): Writer => ({
  slots: [],
  known: new Map(),
  offsets: new Set(),
  aliases: 0,
  existences: 0,
  forUser,
  toJson: server >= JSON_SCALAR_SERVER ? 'json_scalar' : 'to_json',
})

export const nextAlias = (writer: Writer): number => {
  writer.aliases += 1
  return writer.aliases
}

/** What is measured is another parameter than what is not: else the first would pass for both. */
const valueKey = ({ source, encoding, measure }: Value, type: string): unknown[] => [
  source,
  encoding,
  measure?.kind,
  type,
]

/** `$n` with its type; the same value is bound once. */
export const parameter = (writer: Writer, slot: Slot, type: string): string => {
  const key = JSON.stringify(slot.kind === 'value' ? valueKey(slot.value, type) : [slot, type])
  const known = writer.known.get(key)
  if (known !== undefined) return known
  const text = `$${writer.slots.push(slot)}::${type}`
  writer.known.set(key, text)
  return text
}

const parameterType = ({ encoding, type }: Value): string => {
  if (encoding === 'path') return '"pg_catalog"."text"[]'
  return encoding === 'record' ? '"pg_catalog"."jsonb"' : type.sql
}

export const valueParameter = (writer: Writer, value: Value): string =>
  parameter(writer, { kind: 'value', value }, parameterType(value))

export const offsetParameter = (writer: Writer, offset: Value): string => {
  const text = valueParameter(writer, offset)
  writer.offsets.add(Number.parseInt(text.slice(1), 10) - 1)
  return text
}

/** `alias` is one of our own names, `column` one of the database's. */
export const columnOf = (alias: string, column: string): string =>
  `${quoteIdentifier(alias)}.${quoteIdentifier(column)}`

/** A column's value as the reader may see it. Row-level security decides who finds the exact one. */
export const shownColumn = (alias: string, { column, exact }: Column): string => {
  const stored = columnOf(alias, column)
  if (exact === undefined) return stored
  const relation = `${quoteIdentifier(exact.schema)}.${quoteIdentifier(exact.relation)}`
  const found = `select ${columnOf('exact', exact.value)} from ${relation} "exact" where ${columnOf('exact', exact.key)} = ${columnOf(alias, exact.rowKey)}`
  return `coalesce((${found}), ${stored})`
}
