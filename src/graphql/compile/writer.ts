// What compiling collects: parameters in order, and aliases that are the same for the same plan.
import type { Column } from '../../catalog/model.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import type { Source } from '../plan/input.ts'
import type { From, Value } from '../plan/plan.ts'

/** What is bound to one parameter. */
export type Slot =
  /** `column` is the one in the database that it is stored in, if it is written. */
  | { readonly kind: 'value'; readonly value: Value; readonly column?: string }
  /** One of the keys in a cursor. `order` is the fingerprint of the order it must have been made for. */
  | {
      readonly kind: 'cursor'
      readonly cursor: Source
      readonly order: string
      readonly index: number
      readonly count: number
    }
  /** One of the values of a primary key that a global id holds. */
  | {
      readonly kind: 'node'
      readonly id: Source
      readonly table: string
      readonly index: number
      readonly count: number
    }
  /** The same for every request, such as the name of a setting. */
  | { readonly kind: 'text'; readonly text: string }
  /** The result of an introspection field, computed beforehand. */
  | { readonly kind: 'introspection'; readonly key: string }
  /** Rows that are calculated before the statement is sent, as a list in JSON. */
  | {
      readonly kind: 'calculated'
      readonly from: From & { readonly kind: 'calculated' }
      /** Those that the statement reads, by their names in the database: the others are null. */
      readonly columns: ReadonlySet<string>
    }

/** Who a statement is written for. */
export interface Audience {
  /** The server's major version. */
  readonly server: number
  /** Whether it is for a user's token: it then contains the predicate of the rows a user sees, so that indexes can be used. */
  readonly forUser: boolean
}

export interface Writer {
  readonly slots: Slot[]
  readonly known: Map<string, string>
  /** The slots that hold offsets. */
  readonly offsets: Set<number>
  aliases: number
  /** The number of conditions on related rows so far. */
  existences: number
  readonly forUser: boolean
  /** Converts one value to JSON. Both write the same; the newer looks up the value's type once, not for every row. */
  readonly toJson: 'json_scalar' | 'to_json'
}

/** The first version with `json_scalar`. */
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

/** A parameter whose length is checked is never shared with one that is not: the first would stand for both. */
const valueKey = ({ source, encoding, measure }: Value, type: string): unknown[] => [
  source,
  encoding,
  measure?.kind,
  type,
]

/** Wherever it is asked for, the same question has the same rows. */
const calculatedKey = ({ from }: Slot & { kind: 'calculated' }): unknown[] => [
  from.function,
  from.arguments.map(({ argument, value }) => [argument.name, value.source]),
]

const slotKey = (slot: Slot, type: string): unknown[] => {
  if (slot.kind === 'value') return valueKey(slot.value, type)
  return slot.kind === 'calculated' ? calculatedKey(slot) : [slot, type]
}

/** `$n` with its type; equal values are bound once. */
export const parameter = (writer: Writer, slot: Slot, type: string): string => {
  const key = JSON.stringify(slotKey(slot, type))
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

/** A column's value as the reader may see it. Row-level security decides who gets the exact one. */
export const shownColumn = (alias: string, { column, exact }: Column): string => {
  const stored = columnOf(alias, column)
  if (exact === undefined) return stored
  const relation = `${quoteIdentifier(exact.schema)}.${quoteIdentifier(exact.relation)}`
  const found = `select ${columnOf('exact', exact.value)} from ${relation} "exact" where ${columnOf('exact', exact.key)} = ${columnOf(alias, exact.rowKey)}`
  return `coalesce((${found}), ${stored})`
}
