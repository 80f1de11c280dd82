// A field that returns rows → rows with their fields, and so on down the tree.
import type { SelectionSetNode } from 'graphql'
import { textType } from '../../catalog/aggregates.ts'
import type { Relation } from '../../catalog/model.ts'
import { limits } from '../limits/limits.ts'
import { collectFields } from './collect-fields.ts'
import type { CollectedField } from './collected-field.ts'
import { connectionsOf } from './connection-names.ts'
import { below, type Place, type PlanContext, refuse, spend, useColumn, useComputed, useTable } from './context.ts'
import { expectedRows } from './estimate-rows.ts'
import { readGivenArguments } from './given-arguments.ts'
import { inputSource } from './input.ts'
import type { Aggregate, AggregateField, Condition, Connection, Field, From, Range, Rows } from './plan.ts'
import { planConnection } from './plan-connection.ts'
import { type OfRow, planComputedRows } from './plan-related.ts'
import { planGroups, planTotalFields } from './plan-totals.ts'
import { mostRows, readArguments, readRange, withColumns } from './read-arguments.ts'

const planRelation = (context: PlanContext, place: Place, relation: Relation, field: CollectedField): Field => {
  const table = useTable(context, place, relation.target)
  const { key } = field
  const from: From = { kind: 'table', table }
  if (relation.kind === 'array') {
    const { join } = relation
    return { key, kind: 'array', join, rows: planList(context, { ...place, join }, from, field) }
  }
  return { key, kind: 'object', join: relation.join, rows: planOne(context, place, { from, where: undefined }, field) }
}

const planRowsOfRow = (context: PlanContext, place: Place, ofRow: OfRow, field: CollectedField): Field => {
  const { key } = field
  const { from, join } = planComputedRows(context, place, ofRow, readArguments(context, place).get('args'))
  return ofRow.computed.single
    ? { key, kind: 'object', join, rows: planOne(context, place, { from, where: undefined }, field) }
    : { key, kind: 'array', join, rows: planList(context, place, from, field) }
}

/** What rows have for Relay alone. */
const planRelayField = (
  context: PlanContext,
  place: Place,
  { table }: From,
  field: CollectedField,
): Field | undefined => {
  const { key, name } = field
  if (name === 'id' && table.primaryKey !== undefined) return { key, kind: 'global-id' }
  const relation = connectionsOf(table).get(name)
  if (relation === undefined) return undefined
  const { join, target } = relation
  const from: From = { kind: 'table', table: useTable(context, place, target) }
  return { key, kind: 'connection', join, connection: planPage(context, { ...place, join }, from, field) }
}

const planField = (context: PlanContext, place: Place, from: From, field: CollectedField): Field => {
  const { key, name } = field
  const { table } = from
  if (name === '__typename') return { key, kind: 'typename', name: table.name }
  const own = context.relay ? planRelayField(context, place, from, field) : undefined
  if (own !== undefined) return own
  const given = readArguments(context, place)
  const column = table.columns.get(name)
  if (column !== undefined) {
    const path = given.get('path')
    const part =
      path === undefined ? undefined : ({ source: inputSource(path), type: textType, encoding: 'path' } as const)
    return { key, kind: 'column', column: useColumn(context, column), path: part }
  }
  const computed = table.computed.get(name)
  if (computed !== undefined)
    return {
      key,
      kind: 'computed',
      field: useComputed(context, table, computed),
      arguments: readGivenArguments(place, computed.arguments, given.get('args')),
    }
  const rows = table.computedRows.get(name)
  if (rows !== undefined) return planRowsOfRow(context, place, { table, computed: rows }, field)
  const relation = table.relations.get(name)
  if (relation !== undefined) return planRelation(context, place, relation, field)
  const totals = table.relations.get(name.replace(/_aggregate$/, ''))
  if (totals !== undefined) {
    const target: From = { kind: 'table', table: useTable(context, place, totals.target) }
    return { key, kind: 'aggregate', join: totals.join, aggregate: planAggregate(context, place, target, field) }
  }
  if (from.kind === 'function' || from.kind === 'kept')
    throw refuse(place, 'validation-failed', 'The rows of a function have no _cursor. Use offset.')
  return { key, kind: 'cursor' }
}

const planFields = (context: PlanContext, place: Place, from: From, selections: readonly SelectionSetNode[]): Field[] =>
  collectFields(context, selections, from.table.name).map(field =>
    planField(context, below(place, field, place.times), from, field),
  )

/** The rows of a range, as far as its limit, with what is selected of them. */
export const withFields = (
  context: PlanContext,
  place: Place,
  range: Range,
  selections: readonly SelectionSetNode[],
): Rows => {
  const limit = range.limit ?? mostRows(range.from)
  const times = place.times * expectedRows(context, place, range.from, limit)
  // Calculated rows are counted when it is known how many there are.
  if (range.from.kind !== 'calculated') spend(context, place, times)
  const fields = planFields(context, { ...place, times }, range.from, selections)
  const usesCursor = fields.some(({ kind }) => kind === 'cursor')
  const order = usesCursor ? withColumns(context, range.order, range.from.table.primaryKey ?? []) : range.order
  return { ...range, limit, order, fields }
}

export const planList = (context: PlanContext, place: Place, from: From, field: CollectedField): Rows =>
  withFields(context, place, readRange(context, place, from, readArguments(context, place)), field.selections)

export const planPage = (context: PlanContext, place: Place, from: From, field: CollectedField): Connection =>
  planConnection(context, place, { from, field, planFields })

export interface Chosen {
  readonly from: From
  readonly where: Condition | undefined
}

/** At most one row: by key, or the row that a foreign key points to. */
export const planOne = (context: PlanContext, place: Place, { from, where }: Chosen, field: CollectedField): Rows =>
  withFields(
    context,
    place,
    {
      from,
      where,
      order: [],
      distinctOn: [],
      limit: 1,
      offset: undefined,
      after: undefined,
    },
    field.selections,
  )

const planAggregateField = (
  context: PlanContext,
  place: Place,
  range: Range,
  field: CollectedField,
): AggregateField => {
  const { table } = range.from
  const { key, name, selections } = field
  if (name === 'nodes') return { key, kind: 'nodes', rows: withFields(context, place, range, selections) }
  if (name === '__typename') return { key, kind: 'typename', name: `${table.name}_aggregate` }
  return { key, kind: 'totals', fields: planTotalFields(context, place, table, selections) }
}

export const planAggregate = (context: PlanContext, place: Place, from: From, field: CollectedField): Aggregate => {
  const given = readArguments(context, place)
  const range = readRange(context, place, from, given)
  spend(context, place, place.times * limits.totalCost)
  if (from.table.personal !== undefined) context.gathered.totalsOverPeople = true
  const fields = collectFields(context, field.selections).map((part): AggregateField => {
    const at = below(place, part, place.times)
    return part.name === 'groups'
      ? { key: part.key, kind: 'groups', groups: planGroups(context, at, from.table, { field: part, given }) }
      : planAggregateField(context, at, range, part)
  })
  return { range, fields }
}
