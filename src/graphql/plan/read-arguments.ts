// A field's arguments → page, order, filter and cursor.

import { bigintType } from '../../catalog/aggregates.ts'
import type { Column, Table } from '../../catalog/model.ts'
import { limits } from '../limits/limits.ts'
import { type Place, type PlanContext, refuse, spend, useColumn } from './context.ts'
import { type Input, inputSource, isNullInput, knownInput, readInput } from './input.ts'
import type { Condition, From, Order, Range, Value } from './plan.ts'
import { planOrder } from './plan-order.ts'
import { planColumns, planWhere } from './plan-where.ts'

export type Arguments = ReadonlyMap<string, Input>

/** Null counts as absent, since every argument of a list is optional. */
export const readArguments = (context: PlanContext, { node }: Place): Arguments =>
  new Map(
    (node.arguments ?? []).flatMap(({ name, value }) => {
      const input = readInput(value, context.variables)
      return input === undefined || isNullInput(input) ? [] : [[name.value, input] as const]
    }),
  )

/** How many rows a list returns at most. */
export const mostRows = ({ kind }: Pick<From, 'kind'>): number =>
  kind === 'calculated' ? limits.calculated : limits.page

export const readLimit = (
  place: Place,
  input: Input | undefined,
  { name = 'limit', most = limits.page as number } = {},
): number | undefined => {
  if (input === undefined) return undefined
  const limit = Number(knownInput(input))
  if (limit >= 0 && limit <= most) return limit
  throw refuse(
    place,
    'page-out-of-range',
    `${name} is ${limit}; a list returns from 0 to ${most} rows. Ask for the next page with after${name === 'limit' ? ' or offset' : ''}.`,
  )
}

const skippedRows = (offset: number): number => Math.min(Math.ceil(offset / limits.skippedRows), limits.offsetCost)

/** Skipped rows are still read: they cost, though less than returned ones. */
export const readOffset = (context: PlanContext, place: Place, input: Input | undefined): Value | undefined => {
  if (input === undefined) return undefined
  const offset = Number(knownInput(input))
  if (offset < 0) throw refuse(place, 'page-out-of-range', `offset is ${offset}; it may be 0 or more.`)
  const advice = `Lower \`offset\` at ${place.path.join('.')}, or ask for the next page with \`after\`.`
  spend(context, place, place.times * skippedRows(offset), advice)
  return { source: inputSource(input), type: bigintType }
}

const isColumn = ({ expression }: Order, columns: readonly Column[]): boolean =>
  expression.kind === 'column' && columns.includes(expression.column)

/** Sorting by a column again has no effect; columns that order_by does not name are added to it. */
const leads = (distinctOn: readonly Column[], order: readonly Order[]): boolean => {
  const other = order.findIndex(one => !isColumn(one, distinctOn))
  return other === -1 || distinctOn.every(column => order.slice(0, other).some(one => isColumn(one, [column])))
}

const checkDistinct = (place: Place, distinctOn: readonly Column[], order: readonly Order[]): void => {
  const unordered = distinctOn.find(({ type }) => !type.ordered)
  if (unordered !== undefined)
    throw refuse(
      place,
      'validation-failed',
      `Values of ${unordered.name} cannot be compared, so it cannot stand in distinct_on.`,
    )
  if (leads(distinctOn, order)) return
  const names = distinctOn.map(({ name }) => name).join(', ')
  throw refuse(place, 'validation-failed', `The columns of distinct_on (${names}) must come first in order_by.`)
}

/** Ties are broken by further columns: the primary key, so that a cursor identifies exactly one row. */
export const withColumns = (context: PlanContext, order: readonly Order[], columns: readonly Column[]): Order[] => [
  ...order,
  ...columns
    .filter(column => !order.some(one => isColumn(one, [column])))
    .map(
      (column): Order => ({
        expression: { kind: 'column', column: useColumn(context, column) },
        type: column.type,
        direction: 'asc',
        nulls: 'last',
        notNull: column.notNull,
      }),
    ),
]

export const readWhere = (
  context: PlanContext,
  place: Place,
  table: Table,
  given: Arguments,
): Condition | undefined => {
  const where = given.get('where')
  return where === undefined ? undefined : planWhere(context, place, table, where)
}

export const readRange = (context: PlanContext, place: Place, from: From, given: Arguments): Range => {
  const { table } = from
  const order = planOrder(context, place, table, given.get('order_by'))
  const distinctOn = planColumns(context, table, given.get('distinct_on'))
  checkDistinct(place, distinctOn, order)
  const after = given.get('after')
  if (after !== undefined && distinctOn.length > 0)
    throw refuse(place, 'validation-failed', 'after cannot be used together with distinct_on. Use offset.')
  const ties = after === undefined && distinctOn.length === 0 ? [] : [...distinctOn, ...(table.primaryKey ?? [])]
  return {
    from,
    where: readWhere(context, place, table, given),
    order: withColumns(context, order, ties),
    distinctOn,
    limit: readLimit(place, given.get('limit'), { most: mostRows(from) }),
    offset: readOffset(context, place, given.get('offset')),
    after: after === undefined ? undefined : inputSource(after),
  }
}
