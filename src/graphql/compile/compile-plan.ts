// A plan → one statement: its text, and what is bound to each parameter. Pure: the same plan gives the same text.
import { createHash } from 'node:crypto'
import { quoteIdentifier } from '../../db/sql.ts'
import type { Aggregate, AggregateField, Field, Plan, RootField, Rows } from '../plan/plan.ts'
import type { Row } from './compile-expression.ts'
import { compileCursor } from './compile-order.ts'
import { compileArguments, compileRange, type Hold } from './compile-range.ts'
import { compileGroups, compileTotals, typenameOf } from './compile-totals.ts'
import { type Item, type JsonSelect, jsonList, jsonRow, jsonStatement } from './json.ts'
import { columnOf, createWriter, nextAlias, parameter, type Slot, valueParameter, type Writer } from './writer.ts'

export interface CompiledStatement {
  readonly text: string
  /** The same for the same text: the name it is prepared under. */
  readonly name: string
  readonly slots: readonly Slot[]
}

const fieldExpression = (writer: Writer, field: Field, row: Row, rows: Rows): string => {
  switch (field.kind) {
    case 'typename':
      return typenameOf(field.name)
    case 'column': {
      const column = columnOf(row.alias, field.column.column)
      return field.path === undefined ? column : `(${column} #> ${valueParameter(writer, field.path)})`
    }
    case 'cursor':
      return compileCursor(writer, rows.order, row)
    case 'computed': {
      const { schema } = rows.from.table
      const all = [row.row, ...compileArguments(writer, field.arguments)].join(', ')
      return `${quoteIdentifier(schema)}.${quoteIdentifier(field.field.function)}(${all})`
    }
    case 'object':
      return jsonRow(selectRows(writer, field.rows, { join: field.join, outer: row }))
    case 'array':
      return jsonList(selectRows(writer, field.rows, { join: field.join, outer: row }))
    case 'aggregate':
      return compileAggregate(writer, field.aggregate, { join: field.join, outer: row })
  }
}

const selectRows = (writer: Writer, rows: Rows, hold: Hold | undefined): JsonSelect => {
  const number = nextAlias(writer)
  const { row, rest } = compileRange(writer, rows, `t${number}`, hold)
  const items = rows.fields.map((field): Item => [field.key, fieldExpression(writer, field, row, rows)])
  return { items, rest, alias: `r${number}` }
}

const aggregateItem = (writer: Writer, field: AggregateField, { range }: Aggregate, hold: Hold | undefined): string => {
  switch (field.kind) {
    case 'typename':
      return typenameOf(field.name)
    case 'totals':
      return compileTotals(writer, range, field.fields, hold)
    case 'nodes':
      return jsonList(selectRows(writer, field.rows, hold))
    case 'groups':
      return compileGroups(writer, range, field.groups, hold)
  }
}

const compileAggregate = (writer: Writer, aggregate: Aggregate, hold: Hold | undefined): string => {
  const alias = `r${nextAlias(writer)}`
  const items = aggregate.fields.map((field): Item => [field.key, aggregateItem(writer, field, aggregate, hold)])
  return jsonRow({ items, rest: '', alias })
}

const rootExpression = (writer: Writer, field: RootField): string => {
  switch (field.kind) {
    case 'typename':
      return typenameOf(field.name)
    case 'introspection':
      return parameter(writer, { kind: 'introspection', key: field.key }, '"pg_catalog"."json"')
    case 'list':
      return jsonList(selectRows(writer, field.rows, undefined))
    case 'one':
      return jsonRow(selectRows(writer, field.rows, undefined))
    case 'aggregate':
      return compileAggregate(writer, field.aggregate, undefined)
  }
}

export const compilePlan = (plan: Plan, forUser: boolean): CompiledStatement => {
  const writer = createWriter(forUser)
  const items = plan.fields.map((field): Item => [field.key, rootExpression(writer, field)])
  const text = jsonStatement({ items, rest: '', alias: 'root' })
  const name = `q${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
  return { text, name, slots: writer.slots }
}
