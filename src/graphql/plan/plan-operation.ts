// A validated operation and the shape of its variables → a plan. Pure: the same input gives the same plan.
import { GraphQLError, type OperationDefinitionNode } from 'graphql'
import type { Column, Model, Table, TableFunction } from '../../catalog/model.ts'
import { operatorsOf } from '../../catalog/operators.ts'
import { streamRootOf } from '../../catalog/taken-names.ts'
import type { GraphqlErrorCode } from '../error-code.ts'
import { totalsRefusal } from './check-totals.ts'
import { collectFields } from './collect-fields.ts'
import type { CollectedField } from './collected-field.ts'
import { type Place, type PlanContext, spend, useTable } from './context.ts'
import { type ContextInput, createContext, planOf } from './create-context.ts'
import { readGivenArguments } from './given-arguments.ts'
import { inputSource } from './input.ts'
import { introspectionCost } from './introspection-cost.ts'
import type { Condition, From, Plan, RootField } from './plan.ts'
import { planAggregate, planList, planOne, planPage } from './plan-rows.ts'
import { planStream } from './plan-stream.ts'
import { type Arguments, readArguments } from './read-arguments.ts'
import { readNode } from './read-node.ts'

export type Root =
  | { readonly kind: 'list' | 'aggregate'; readonly table: string; readonly function: TableFunction | undefined }
  | { readonly kind: 'one'; readonly table: string; readonly columns: readonly Column[] }
  | { readonly kind: 'single'; readonly table: string; readonly function: TableFunction }
  | { readonly kind: 'connection'; readonly table: string }
  | { readonly kind: 'node' }
  | { readonly kind: 'stream'; readonly table: string }

const keyRoots = (table: Table): (readonly [string, Root])[] => {
  const one = (columns: readonly Column[]): Root => ({ kind: 'one', table: table.name, columns })
  return [
    ...(table.primaryKey === undefined ? [] : [[`${table.name}_by_pk`, one(table.primaryKey)] as const]),
    ...table.uniqueKeys.map(key => [`${table.name}_by_${key.name}`, one(key.columns)] as const),
  ]
}

const listRoots = (name: string, table: string, one?: TableFunction): (readonly [string, Root])[] => [
  [name, { kind: 'list', table, function: one }],
  [`${name}_aggregate`, { kind: 'aggregate', table, function: one }],
]

/** Every root field of a model, by name. */
export const rootsOf = (model: Model): ReadonlyMap<string, Root> =>
  new Map([
    ...[...model.tables.values()]
      .filter(({ calculated }) => !calculated)
      .flatMap(table => [...listRoots(table.name, table.name), ...keyRoots(table)]),
    ...[...model.functions.values()].flatMap((one): (readonly [string, Root])[] =>
      one.single
        ? [[one.name, { kind: 'single', table: one.table, function: one }]]
        : listRoots(one.name, one.table, one),
    ),
  ])

/** Every root field of subscriptions: a table or function that has the name of a stream keeps it. */
export const liveRootsOf = (model: Model): ReadonlyMap<string, Root> =>
  new Map<string, Root>([
    ...[...model.tables.values()]
      .filter(({ primaryKey }) => primaryKey !== undefined)
      .map(({ name }) => [streamRootOf(name), { kind: 'stream', table: name }] as const),
    ...rootsOf(model),
  ])

/** Without one of the columns any row would match: that is never planned. */
export const keyPart = (given: Arguments, column: Column): Condition => {
  const input = given.get(column.name)
  const operator = operatorsOf(column.type).find(({ name }) => name === '_eq')
  if (input === undefined || operator === undefined) throw new Error(`there is no value for the key ${column.name}`)
  const right = { source: inputSource(input), type: column.type }
  return { kind: 'compare', left: { kind: 'column', column }, type: column.type, operator, right }
}

const keyCondition = (context: PlanContext, place: Place, columns: readonly Column[]): Condition => {
  const given = readArguments(context, place)
  return { kind: 'and', parts: columns.map(column => keyPart(given, column)) }
}

const fromOf = (context: PlanContext, place: Place, table: Table, one: TableFunction | undefined): From => {
  if (one === undefined) return { kind: 'table', table }
  context.functions.add(one.function)
  context.functionScopes.set(one.name, one.scopes)
  context.places.set(one.name, place)
  const given = readGivenArguments(place, one.arguments, readArguments(context, place).get('args'))
  const called = { table, function: one.function, arguments: given }
  return one.calculated
    ? { kind: 'calculated', ...called, path: place.path }
    : { kind: 'function', ...called, of: undefined, single: one.single }
}

/** A subscription has exactly one field, which is not this one. */
const ROOT_TYPE = 'query_root'

const planRoot = (context: PlanContext, root: Root | undefined, field: CollectedField): RootField => {
  const { key, name, node } = field
  const place: Place = { node, path: [key], times: 1 }
  if (name === '__typename') return { key, kind: 'typename', name: ROOT_TYPE }
  if (root === undefined) {
    spend(context, place, introspectionCost(context, field), 'Ask for less of the schema at once.')
    return { key, kind: 'introspection', field }
  }
  if (root.kind === 'node') {
    const { table, where } = readNode(context, place)
    return { key, kind: 'one', rows: planOne(context, place, { from: { kind: 'table', table }, where }, field) }
  }
  const table = useTable(context, place, root.table)
  if (root.kind === 'connection')
    return { key, kind: 'connection', connection: planPage(context, place, { kind: 'table', table }, field) }
  if (root.kind === 'stream') return { key, kind: 'stream', ...planStream(context, place, table, field) }
  if (root.kind === 'one') {
    const where = keyCondition(context, place, root.columns)
    return { key, kind: 'one', rows: planOne(context, place, { from: { kind: 'table', table }, where }, field) }
  }
  const from = fromOf(context, place, table, root.function)
  if (root.kind === 'single')
    return { key, kind: 'one', rows: planOne(context, place, { from, where: undefined }, field) }
  if (root.kind === 'list') return { key, kind: 'list', rows: planList(context, place, from, field) }
  const aggregate = planAggregate(context, place, from, field)
  context.gathered.refusal ??= totalsRefusal(place, aggregate)
  return { key, kind: 'aggregate', aggregate }
}

export interface PlanInput extends ContextInput {
  readonly operation: OperationDefinitionNode
  readonly roots: ReadonlyMap<string, Root>
}

const planWith = ({ operation, roots, ...input }: PlanInput, estimates: boolean): Plan => {
  const context = createContext(input, estimates)
  const fields = collectFields(context, [operation.selectionSet]).map(field =>
    planRoot(context, roots.get(field.name), field),
  )
  return planOf(context, fields)
}

const isTooCostly = (error: unknown): boolean =>
  error instanceof GraphQLError && error.extensions.code === ('too-costly' satisfies GraphqlErrorCode)

/** The limits of lists come first; if they allow too much, the statistics of the database decide. */
export const planByLimits = <P>(plan: (estimates: boolean) => P): P => {
  try {
    return plan(false)
  } catch (error) {
    if (!isTooCostly(error)) throw error
    return plan(true)
  }
}

export const planOperation = (input: PlanInput): Plan => planByLimits(estimates => planWith(input, estimates))
