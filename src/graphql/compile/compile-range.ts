// Which rows, in which order → the `from … where … order by … limit` of a select.
import type { Table } from '../../catalog/model.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import type { Range } from '../plan/plan.ts'
import { compileCondition } from './compile-expression.ts'
import { compileAfter, compileBefore, compileOrder, orderOfPage } from './compile-order.ts'
import { sourceConditions, sourceOf } from './compile-source.ts'
import { impliedDates, nearestDates } from './near-dates.ts'
import { type Hold, type Row, rowAs, tableName, whereOf } from './row.ts'
import { columnOf, offsetParameter, shownColumn, type Writer } from './writer.ts'
import { writtenOrder } from './written-rows.ts'

/** What restricts a range from outside: the parent row, and a further condition on its rows. */
interface Limits {
  readonly hold: Hold | undefined
  readonly only?: ((row: Row) => string | undefined) | undefined
}

const conditionsOf = (writer: Writer, range: Range, row: Row, { hold, only }: Limits): string =>
  whereOf([
    ...sourceConditions(writer, range.from, row, hold),
    range.where === undefined ? undefined : compileCondition(writer, range.where, row),
    range.after === undefined ? undefined : compileAfter(writer, range.after, range, row),
    range.before === undefined ? undefined : compileBefore(writer, range.before, range, row),
    only?.(row),
    ...impliedDates(writer, range, row),
  ])

/** The page size is an integer from 0 to 100, part of the statement so that PostgreSQL can plan for it. */
const pageOf = (writer: Writer, { limit, offset }: Range): string =>
  `${limit === undefined ? '' : ` limit ${Number(limit)}`}${offset === undefined ? '' : ` offset ${offsetParameter(writer, offset)}`}`

const unordered = (writer: Writer, range: Range, row: Row, limits: Limits): string =>
  `from ${sourceOf(writer, range.from, row, limits.hold)}${conditionsOf(writer, range, row, limits)}`

/** The column in which an inner select passes on the whole row. */
const WHOLE_ROW = 'whole row'

const columnsOf = (table: Table): string[] => [
  ...new Set([
    ...[...table.columns.values()].map(({ column }) => column),
    ...[...table.relations.values()].flatMap(({ join }) => join.map(([own]) => own)),
    ...[...table.columns.values()].flatMap(({ exact }) => (exact === undefined ? [] : [exact.rowKey])),
    ...(table.personal?.personColumns ?? []),
    ...table.ownRows.map(([column]) => column),
    ...(table.fullRows === undefined ? [] : [table.fullRows.column]),
  ]),
]

/** Whether only some of the rows that match the conditions are taken. */
export const isPaged = ({ distinctOn, limit, offset }: Range): boolean =>
  distinctOn.length > 0 || limit !== undefined || offset !== undefined

export interface CompiledRange {
  readonly row: Row
  /** From, where, order and page, to follow the items of a select. */
  readonly rest: string
}

/** The page is cut in a subquery first, then its rows are read under the same alias. */
const pageFirst = (writer: Writer, range: Range, row: Row, limits: Limits): CompiledRange => {
  const { table } = range.from
  const distinct = range.distinctOn.map(column => shownColumn(row.alias, column))
  // As a select item `.*` alone would mean all columns; cast to the row's own type it is one value.
  const whole =
    table.computed.size + table.computedRows.size === 0
      ? []
      : [`(${row.row})::${tableName(table)} as ${quoteIdentifier(WHOLE_ROW)}`]
  const items = [...columnsOf(table).map(column => columnOf(row.alias, column)), ...whole].join(', ')
  const select = `select ${distinct.length === 0 ? '' : `distinct on (${distinct.join(', ')}) `}${items}`
  const rest = `${unordered(writer, range, row, limits)}${compileOrder(writer, orderOfPage(range), row)}${pageOf(writer, range)}`
  return {
    row: { alias: row.alias, row: columnOf(row.alias, WHOLE_ROW) },
    rest: `from (${select} ${rest}) ${quoteIdentifier(row.alias)}`,
  }
}

export const compileRange = (writer: Writer, range: Range, alias: string, hold: Hold | undefined): CompiledRange => {
  const row = rowAs(alias)
  // PostgreSQL computes the items of every row that an offset skips, including nested lists: so the page is cut first.
  if (range.distinctOn.length > 0 || range.offset !== undefined) return pageFirst(writer, range, row, { hold })
  const near = nearestDates(range, hold !== undefined, {
    row,
    from: (near, condition) => unordered(writer, range, near, { hold, only: () => condition }),
  })
  const chosen = unordered(writer, range, row, near === undefined ? { hold } : { hold, only: () => near })
  const order =
    range.from.kind === 'written' ? writtenOrder(range.from, row) : compileOrder(writer, orderOfPage(range), row)
  return { row, rest: `${chosen}${order}${pageOf(writer, range)}` }
}

/** For aggregates: order matters only if it decides which rows are on the page. */
export const compileUnpaged = (writer: Writer, range: Range, alias: string, limits: Limits): CompiledRange => {
  const row = rowAs(alias)
  return isPaged(range) ? pageFirst(writer, range, row, limits) : { row, rest: unordered(writer, range, row, limits) }
}
