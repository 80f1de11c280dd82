// An `order_by` → sort keys: columns, columns of related rows, aggregates over related rows.
import { type AggregateName, aggregateNames, aggregateType, integerType } from '../../catalog/aggregates.ts'
import type { ComputedField, Table } from '../../catalog/model.ts'
import type { ValueType } from '../../catalog/value-type.ts'
import { limits } from '../limits/limits.ts'
import { type Place, type PlanContext, refuse, spend, useColumn, useComputed } from './context.ts'
import { readGivenArguments } from './given-arguments.ts'
import { type Input, inputFields, inputItems, isNullInput, knownInput } from './input.ts'
import type { Call, Expression, GroupOrder, Order } from './plan.ts'
import { planComputedRows, planRelation, type Related } from './plan-related.ts'

type Direction = Pick<Order, 'direction' | 'nulls'>

/** Null counts as absent, as in Hasura: clients with optional sorting send it. */
const sortFields = (input: Input): readonly (readonly [string, Input])[] =>
  inputFields(input).filter(([, value]) => !isNullInput(value))

/** Plain `asc` puts nulls last, plain `desc` first, as PostgreSQL does. */
const readDirection = (input: Input): Direction => {
  const text = String(knownInput(input))
  const direction = text.startsWith('desc') ? 'desc' : 'asc'
  const nulls = text.endsWith('first') || text === 'desc' ? 'first' : 'last'
  return { direction, nulls }
}

const key = (expression: Expression, type: ValueType, notNull: boolean, direction: Direction): Order => ({
  expression,
  type,
  notNull,
  ...direction,
})

interface TotalOrder extends Direction {
  readonly call: Call
  readonly type: ValueType
}

const planTotalOrder = (context: PlanContext, table: Table, name: string, input: Input): TotalOrder[] => {
  if (name === 'count')
    return [{ call: { kind: 'count', columns: [], distinct: false }, type: integerType, ...readDirection(input) }]
  const operation = aggregateNames.find(one => one === name) as AggregateName
  return sortFields(input).flatMap(([columnName, direction]) => {
    const column = table.columns.get(columnName)
    if (column === undefined) return []
    const type = aggregateType(operation, useColumn(context, column))
    const call: Call = { kind: 'operation', name: operation, column, distinct: false, type }
    return [{ call, type, ...readDirection(direction) }]
  })
}

const planTotals = (context: PlanContext, place: Place, related: Related, input: Input): Order[] => {
  spend(context, place, limits.totalCost * place.times)
  return sortFields(input)
    .flatMap(([name, value]) => planTotalOrder(context, related.from.table, name, value))
    .map(({ call, type, direction, nulls }) => {
      const expression: Expression = { kind: 'total', ...related, where: undefined, call }
      return key(expression, type, false, { direction, nulls })
    })
}

const planRelated = (context: PlanContext, place: Place, related: Related, input: Input): Order[] => {
  spend(context, place, place.times)
  return planKeys(context, place, related.from.table, input).map(order => ({
    ...order,
    notNull: false,
    expression: { kind: 'related', ...related, expression: order.expression },
  }))
}

interface Computed {
  readonly table: Table
  readonly field: ComputedField
}

/** With arguments: `{distance_km: {args: {…}, direction: asc}}`; without, just the direction. */
const planComputed = (context: PlanContext, place: Place, { table, field }: Computed, input: Input): Order[] => {
  const takes = field.arguments.length > 0
  const parts = takes ? new Map(sortFields(input)) : undefined
  const direction = takes ? parts?.get('direction') : input
  if (direction === undefined) return []
  const given = readGivenArguments(place, field.arguments, parts?.get('args'))
  const expression: Expression = {
    kind: 'computed',
    table,
    field: useComputed(context, table, field),
    arguments: given,
  }
  return [key(expression, field.type, false, readDirection(direction))]
}

const planKey = (context: PlanContext, place: Place, table: Table, name: string, input: Input): Order[] => {
  const column = table.columns.get(name)
  if (column !== undefined) {
    const expression: Expression = { kind: 'column', column: useColumn(context, column) }
    return [key(expression, column.type, column.notNull, readDirection(input))]
  }
  const field = table.computed.get(name)
  if (field !== undefined) return planComputed(context, place, { table, field }, input)
  const relatedTo = (one: string): Related | undefined => {
    const relation = table.relations.get(one)
    if (relation !== undefined) return planRelation(context, place, relation)
    const computed = table.computedRows.get(one)
    return computed && planComputedRows(context, place, { table, computed }, undefined)
  }
  const related = relatedTo(name)
  if (related !== undefined) return planRelated(context, place, related, input)
  const totals = relatedTo(name.replace(/_aggregate$/, ''))
  return totals === undefined ? [] : planTotals(context, place, totals, input)
}

const planKeys = (context: PlanContext, place: Place, table: Table, input: Input): Order[] =>
  sortFields(input).flatMap(([name, value]) => planKey(context, place, table, name, value))

export const planOrder = (context: PlanContext, place: Place, table: Table, input: Input | undefined): Order[] => {
  const items = input === undefined || isNullInput(input) ? [] : inputItems(input)
  const order = items.flatMap(item => planKeys(context, place, table, item))
  if (order.length <= limits.sortKeys) return order
  const advice = `order_by has ${order.length} keys; the maximum is ${limits.sortKeys}. Leave some out.`
  throw refuse(place, 'validation-failed', advice)
}

export const planGroupOrder = (context: PlanContext, table: Table, input: Input | undefined): GroupOrder[] => {
  const items = input === undefined || isNullInput(input) ? [] : inputItems(input)
  return items.flatMap(item =>
    sortFields(item).flatMap(([name, value]): GroupOrder[] => {
      if (name !== 'keys')
        return planTotalOrder(context, table, name, value).map(({ call, direction, nulls }) => ({
          by: { kind: 'call', call },
          direction,
          nulls,
        }))
      return sortFields(value).flatMap(([columnName, direction]): GroupOrder[] => {
        const column = table.columns.get(columnName)
        return column === undefined ? [] : [{ by: { kind: 'key', column }, ...readDirection(direction) }]
      })
    }),
  )
}
