// The fields of `aggregate` and `groups` → calls of PostgreSQL's aggregates.
import type { SelectionSetNode } from 'graphql'
import { type AggregateName, aggregateNames, aggregateType } from '../../catalog/aggregates.ts'
import type { Column, Table } from '../../catalog/model.ts'
import { limits } from '../limits/limits.ts'
import { collectFields } from './collect-fields.ts'
import type { CollectedField } from './collected-field.ts'
import { type Place, type PlanContext, refuse, spend, useColumn } from './context.ts'
import { countOf } from './count-of.ts'
import { knownInput } from './input.ts'
import type { GroupField, GroupKeyField, Groups, TotalField } from './plan.ts'
import { planGroupOrder } from './plan-order.ts'
import { planColumns } from './plan-where.ts'
import { type Arguments, readArguments, readLimit, readOffset } from './read-arguments.ts'

const planCount = (context: PlanContext, place: Place, table: Table, key: string): TotalField => {
  const given = readArguments(context, place)
  const columns = planColumns(context, table, given.get('columns'))
  const distinct = given.get('distinct')
  const isDistinct = distinct !== undefined && knownInput(distinct) === true
  return { key, kind: 'call', call: countOf(place, columns, isDistinct) }
}

const planCalls = (context: PlanContext, table: Table, name: AggregateName, field: CollectedField): TotalField[] =>
  collectFields(context, field.selections).map(({ key, name: columnName }): TotalField => {
    const column = table.columns.get(columnName)
    if (column === undefined) return { key, kind: 'typename', name: `${table.name}_${name}_fields` }
    const type = aggregateType(name, useColumn(context, column))
    return { key, kind: 'call', call: { kind: 'operation', name, column, distinct: false, type } }
  })

export const planTotalFields = (
  context: PlanContext,
  place: Place,
  table: Table,
  selections: readonly SelectionSetNode[],
): TotalField[] =>
  collectFields(context, selections).map((field): TotalField => {
    const { key, name, node } = field
    if (name === '__typename') return { key, kind: 'typename', name: `${table.name}_aggregate_fields` }
    if (name === 'count') return planCount(context, { ...place, node, path: [...place.path, key] }, table, key)
    const operation = aggregateNames.find(one => one === name) as AggregateName
    return { key, kind: 'calls', fields: planCalls(context, table, operation, field) }
  })

const planKeys = (
  context: PlanContext,
  place: Place,
  table: Table,
  group: { field: CollectedField; by: readonly Column[] },
): GroupKeyField[] =>
  collectFields(context, group.field.selections).map(({ key, name }): GroupKeyField => {
    const column = table.columns.get(name)
    if (column === undefined) return { key, kind: 'typename', name: `${table.name}_group_keys` }
    if (group.by.includes(column)) return { key, kind: 'column', column }
    throw refuse(place, 'validation-failed', `The key ${name} is selected, but group_by does not name it.`)
  })

const planGroupField = (
  context: PlanContext,
  place: Place,
  table: Table,
  group: { field: CollectedField; by: readonly Column[] },
): GroupField => {
  const { key, name, selections } = group.field
  if (name === '__typename') return { key, kind: 'typename', name: `${table.name}_group` }
  if (name === 'keys') return { key, kind: 'keys', fields: planKeys(context, place, table, group) }
  return { key, kind: 'totals', fields: planTotalFields(context, place, table, selections) }
}

export const planGroups = (
  context: PlanContext,
  place: Place,
  table: Table,
  { field, given }: { readonly field: CollectedField; readonly given: Arguments },
): Groups => {
  const by = planColumns(context, table, given.get('group_by'))
  if (by.length === 0)
    throw refuse(place, 'validation-failed', `groups need columns to group by: ${table.name}_aggregate(group_by: […]).`)
  const unordered = by.find(({ type }) => !type.ordered)
  if (unordered !== undefined)
    throw refuse(
      place,
      'validation-failed',
      `Rows cannot be grouped by ${unordered.name}: its values cannot be compared.`,
    )
  const own = readArguments(context, place)
  const order = planGroupOrder(context, table, own.get('order_by'))
  const stray = order.find(one => one.by.kind === 'key' && !by.includes(one.by.column))
  if (stray !== undefined)
    throw refuse(place, 'validation-failed', 'Groups can be sorted only by keys that group_by names.')
  const limit = readLimit(place, own.get('limit')) ?? limits.page
  spend(context, place, place.times * limit)
  const fields = collectFields(context, field.selections).map(part =>
    planGroupField(context, { ...place, node: part.node, path: [...place.path, part.key] }, table, { field: part, by }),
  )
  return { by, fields, order, limit, offset: readOffset(context, place, own.get('offset')) }
}
