// A plan → one statement: its text, and what is bound to each parameter. Pure: the same plan gives the same text.
import { createHash } from 'node:crypto'
import type { Column } from '../../catalog/model.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import type { Aggregate, AggregateField, Field, Plan, RootField, Rows } from '../plan/plan.ts'
import { compileFunction } from './compile-arguments.ts'
import { compileConnection } from './compile-connection.ts'
import { compileGlobalId } from './compile-node.ts'
import { compileCursor } from './compile-order.ts'
import { compileRange } from './compile-range.ts'
import { compileGroups, compileTotals, typenameOf } from './compile-totals.ts'
import {
  anyValue,
  type Item,
  type JsonSelect,
  jsonList,
  jsonObject,
  jsonRow,
  jsonRowStatement,
  jsonStatement,
  jsonStreamStatement,
  type Written,
  writtenJson,
} from './json.ts'
import type { Hold, Row } from './row.ts'
import {
  type Audience,
  createWriter,
  nextAlias,
  parameter,
  type Slot,
  shownColumn,
  valueParameter,
  type Writer,
} from './writer.ts'

export interface CompiledStatement {
  readonly text: string
  /** The same for the same text: its name as a prepared statement. */
  readonly name: string
  readonly slots: readonly Slot[]
  /** The slots that hold offsets. */
  readonly offsets: readonly number[]
  /** The result when there is no row. */
  readonly none: string
  /** Of a stream: what is read once rows were sent. */
  readonly next?: CompiledStatement
}

/** A function may return rows with nulls in columns that a table declares not null. */
const isPlainKey = ({ notNull, type }: Column, { from }: Rows): boolean =>
  notNull && (from.kind === 'table' || from.kind === 'written') && type.sql === '"pg_catalog"."uuid"'

const fieldExpression = (writer: Writer, field: Field, row: Row, rows: Rows): Written => {
  switch (field.kind) {
    case 'typename':
      return typenameOf(field.name)
    case 'column': {
      const sql = shownColumn(row.alias, field.column)
      if (field.path !== undefined) return anyValue(`(${sql} #> ${valueParameter(writer, field.path)})`)
      return { sql, form: isPlainKey(field.column, rows) ? 'quoted' : 'any' }
    }
    case 'cursor':
      return anyValue(compileCursor(writer, rows, row))
    case 'global-id':
      return compileGlobalId(rows.from.table, row)
    case 'computed': {
      const { schema } = rows.from.table
      const of = { row: row.row, argument: field.field.row }
      const call = { schema, function: field.field.function, of, arguments: field.arguments }
      return anyValue(compileFunction(writer, call))
    }
    case 'object':
      return jsonRow(writer, selectRows(writer, field.rows, { join: field.join, outer: row }))
    case 'array':
      return listRows(writer, field.rows, { join: field.join, outer: row })
    case 'aggregate':
      return compileAggregate(writer, field.aggregate, { join: field.join, outer: row })
    case 'connection':
      return compileConnection(writer, field.connection, { hold: { join: field.join, outer: row }, fieldExpression })
  }
}

export const selectRows = (
  writer: Writer,
  rows: Rows,
  hold: Hold | undefined,
  number = nextAlias(writer),
): JsonSelect => {
  const { row, rest } = compileRange(writer, rows, `t${number}`, hold)
  return { items: rows.fields.map((field): Item => [field.key, fieldExpression(writer, field, row, rows)]), rest }
}

export const listRows = (writer: Writer, rows: Rows, hold: Hold | undefined): Written => {
  const number = nextAlias(writer)
  return jsonList(writer, selectRows(writer, rows, hold, number), `r${number}`)
}

const aggregateItem = (
  writer: Writer,
  field: AggregateField,
  { range }: Aggregate,
  hold: Hold | undefined,
): Written => {
  switch (field.kind) {
    case 'typename':
      return typenameOf(field.name)
    case 'totals':
      return compileTotals(writer, range, field.fields, hold)
    case 'nodes':
      return listRows(writer, field.rows, hold)
    case 'groups':
      return compileGroups(writer, range, field.groups, hold)
  }
}

const compileAggregate = (writer: Writer, aggregate: Aggregate, hold: Hold | undefined): Written => {
  const items = aggregate.fields.map((field): Item => [field.key, aggregateItem(writer, field, aggregate, hold)])
  return jsonObject(writer, items)
}

const rootExpression = (writer: Writer, field: RootField): Written => {
  switch (field.kind) {
    case 'typename':
      return typenameOf(field.name)
    case 'introspection':
      return writtenJson(parameter(writer, { kind: 'introspection', key: field.key }, '"pg_catalog"."text"'))
    case 'list':
      return listRows(writer, field.rows, undefined)
    case 'one':
      return jsonRow(writer, selectRows(writer, field.rows, undefined))
    case 'aggregate':
      return compileAggregate(writer, field.aggregate, undefined)
    case 'connection':
      return compileConnection(writer, field.connection, { hold: undefined, fieldExpression })
    case 'stream':
      throw new Error('a stream is a statement of its own')
  }
}

const streamText = (writer: Writer, key: string, rows: Rows): string => {
  const number = nextAlias(writer)
  const { row, rest } = compileRange(writer, rows, `t${number}`, undefined)
  const shown = rows.fields.map((field): Item => [field.key, fieldExpression(writer, field, row, rows)])
  return jsonStreamStatement(writer, key, { items: [...shown, ['', anyValue(compileCursor(writer, rows, row))]], rest })
}

const statementText = (writer: Writer, fields: readonly RootField[]): string => {
  const [first] = fields
  if (first?.kind === 'one' && fields.length === 1)
    return jsonRowStatement(writer, first.key, selectRows(writer, first.rows, undefined))
  return jsonStatement(
    writer,
    fields.map((field): Item => [field.key, rootExpression(writer, field)]),
  )
}

export const statementName = (text: string): string =>
  `q${createHash('sha256').update(text).digest('hex').slice(0, 24)}`

/** Columns are named in quotes, wherever they are read; a whole row is written as `.*`. */
const withColumns = (slot: Slot, text: string): Slot => {
  if (slot.kind !== 'calculated') return slot
  const wholeRows = text.includes('".*')
  const all = [...slot.from.table.columns.values()].map(({ column }) => column)
  return { ...slot, columns: new Set(all.filter(column => wholeRows || text.includes(`.${quoteIdentifier(column)}`))) }
}

const compile = (audience: Audience, none: string, write: (writer: Writer) => string): CompiledStatement => {
  const writer = createWriter(audience)
  const text = write(writer)
  const slots = writer.slots.map(slot => withColumns(slot, text))
  return { text, name: statementName(text), slots, offsets: [...writer.offsets], none }
}

export const compilePlan = ({ fields }: Plan, audience: Audience): CompiledStatement => {
  const [field] = fields
  const none = `{"${field?.key}":null}`
  if (field?.kind !== 'stream') return compile(audience, none, writer => statementText(writer, fields))
  return {
    ...compile(audience, none, writer => streamText(writer, field.key, field.first)),
    next: compile(audience, none, writer => streamText(writer, field.key, field.next)),
  }
}
