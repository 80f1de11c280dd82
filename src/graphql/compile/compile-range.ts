// Which rows, in which order → the `from … where … order by … limit` of a select.
import type { Table } from '../../catalog/model.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import type { From, NamedValue, Range } from '../plan/plan.ts'
import {
  compileCondition,
  type Hold,
  joinConditions,
  type Row,
  rowAs,
  rowConditions,
  tableName,
  whereOf,
} from './compile-expression.ts'
import { compileAfter, compileOrder } from './compile-order.ts'
import { columnOf, valueParameter, type Writer } from './writer.ts'

export const compileArguments = (writer: Writer, all: readonly NamedValue[]): string[] =>
  all.map(([name, value]) => `${quoteIdentifier(name)} => ${valueParameter(writer, value)}`)

const sourceOf = (writer: Writer, from: From): string =>
  from.kind === 'table'
    ? tableName(from.table)
    : `${quoteIdentifier(from.table.schema)}.${quoteIdentifier(from.function)}(${compileArguments(writer, from.arguments).join(', ')})`

const conditionsOf = (writer: Writer, range: Range, row: Row, hold: Hold | undefined): string =>
  whereOf([
    ...(hold === undefined ? [] : joinConditions(hold, range.from.table, row)),
    ...rowConditions(writer, range.from.table, row),
    range.where === undefined ? undefined : compileCondition(writer, range.where, row),
    range.after === undefined ? undefined : compileAfter(writer, range.after, range, row),
  ])

/** The page size is a number of ours from 0 to 100, part of the statement so that PostgreSQL can plan for it. */
const pageOf = (writer: Writer, { limit, offset }: Range): string =>
  `${limit === undefined ? '' : ` limit ${Number(limit)}`}${offset === undefined ? '' : ` offset ${valueParameter(writer, offset)}`}`

const unordered = (writer: Writer, range: Range, row: Row, hold: Hold | undefined): string =>
  `from ${sourceOf(writer, range.from)} ${quoteIdentifier(row.alias)}${conditionsOf(writer, range, row, hold)}`

/** The column under which an inner select passes on the whole row. */
const WHOLE_ROW = 'whole row'

const columnsOf = (table: Table): string[] => [
  ...new Set([
    ...[...table.columns.values()].map(({ column }) => column),
    ...[...table.relations.values()].flatMap(({ join }) => join.map(([own]) => own)),
    ...(table.personal?.personColumns ?? []),
  ]),
]

export interface CompiledRange {
  readonly row: Row
  /** From, where, order and page, to stand after the items of a select. */
  readonly rest: string
}

/** First the page is cut in a select of its own, then its rows are looked at under the same alias. */
const pageFirst = (writer: Writer, range: Range, row: Row, hold: Hold | undefined): CompiledRange => {
  const { table } = range.from
  const distinct = range.distinctOn.map(({ column }) => columnOf(row.alias, column))
  // Among the items of a select `.*` alone would be all columns; cast to the row's own type it is one value.
  const whole = table.computed.size === 0 ? [] : [`(${row.row})::${tableName(table)} as ${quoteIdentifier(WHOLE_ROW)}`]
  const items = [...columnsOf(table).map(column => columnOf(row.alias, column)), ...whole].join(', ')
  const select = `select ${distinct.length === 0 ? '' : `distinct on (${distinct.join(', ')}) `}${items}`
  const rest = `${unordered(writer, range, row, hold)}${compileOrder(writer, range.order, row)}${pageOf(writer, range)}`
  return {
    row: { alias: row.alias, row: columnOf(row.alias, WHOLE_ROW) },
    rest: `from (${select} ${rest}) ${quoteIdentifier(row.alias)}`,
  }
}

export const compileRange = (writer: Writer, range: Range, alias: string, hold: Hold | undefined): CompiledRange => {
  const row = rowAs(alias)
  // PostgreSQL makes the items of every row that an offset skips, nested lists included: so the page is cut before.
  if (range.distinctOn.length > 0 || range.offset !== undefined) return pageFirst(writer, range, row, hold)
  const rest = `${unordered(writer, range, row, hold)}${compileOrder(writer, range.order, row)}${pageOf(writer, range)}`
  return { row, rest }
}

/** For totals: order matters only where it decides which rows are on the page. */
export const compileUnpaged = (writer: Writer, range: Range, alias: string, hold: Hold | undefined): CompiledRange => {
  const row = rowAs(alias)
  const paged = range.distinctOn.length > 0 || range.limit !== undefined || range.offset !== undefined
  return paged ? pageFirst(writer, range, row, hold) : { row, rest: unordered(writer, range, row, hold) }
}
