// What planning an operation gathers on its way: tables named, cost, deprecated columns; and how it refuses.
import { type FieldNode, type FragmentDefinitionNode, GraphQLError } from 'graphql'
import type { Column, ComputedField, Model, Table } from '../../catalog/model.ts'
import type { GraphqlErrorCode } from '../error-code.ts'
import { limits } from '../limits/limits.ts'
import type { Variables } from './input.ts'
import type { RequiredVariables } from './required-variables.ts'

export interface PlanContext {
  readonly model: Model
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: Variables
  readonly required: RequiredVariables
  readonly tables: Set<Table>
  readonly functionScopes: Map<string, readonly string[]>
  readonly deprecated: Set<Column>
  readonly places: Map<string, Place>
  readonly gathered: { cost: number; totalsOverPeople: boolean }
  readonly counted: { conditions: number; relatedConditions: number; relatedDepth: number }
}

/** A place in the operation: for errors, and for how many rows may stand there. */
export interface Place {
  readonly node: FieldNode
  readonly path: readonly string[]
  /** How many times this place may be read: the rows that the limits above it allow. */
  readonly times: number
}

export const refuse = (place: Place, code: GraphqlErrorCode, message: string): GraphQLError =>
  new GraphQLError(message, { nodes: [place.node], path: place.path, extensions: { code } })

export const useTable = (context: PlanContext, place: Place, name: string): Table => {
  const table = context.model.tables.get(name)
  if (table === undefined) throw new Error(`the model has no table ${name}`)
  context.tables.add(table)
  if (!context.places.has(name)) context.places.set(name, place)
  return table
}

export const useColumn = (context: PlanContext, column: Column): Column => {
  if (column.deprecation !== undefined) context.deprecated.add(column)
  return column
}

/** A function of a row may ask for more than its table does. */
export const useComputed = (context: PlanContext, table: Table, field: ComputedField): ComputedField => {
  if (field.scopes.length > 0) context.functionScopes.set(`${table.name}.${field.name}`, field.scopes)
  return field
}

const lowerLimit = ({ path }: Place): string =>
  `Lower \`limit\` at ${path.join('.')} or above it, or ask for fewer nested lists.`

/** Counting stops at the first place where the budget is spent. */
export const spend = (context: PlanContext, place: Place, rows: number, advice?: string): void => {
  context.gathered.cost += rows
  if (context.gathered.cost <= limits.cost) return
  const { cost } = context.gathered
  throw refuse(
    place,
    'too-costly',
    `This operation may read at least ${cost} rows; the maximum is ${limits.cost}. ${advice ?? lowerLimit(place)}`,
  )
}

const tooMany = (place: Place, what: string, count: number, most: number): GraphQLError =>
  refuse(
    place,
    'too-many-conditions',
    `The filters have at least ${count} ${what}; the maximum is ${most}. Compare with many values by one _in, or split the request.`,
  )

/** A filter in a variable can be far longer than a document: it is counted here. */
export const countCondition = ({ counted }: PlanContext, place: Place): void => {
  counted.conditions += 1
  if (counted.conditions > limits.conditions) throw tooMany(place, 'conditions', counted.conditions, limits.conditions)
}

const tooDeep = (place: Place): GraphQLError => {
  const { relatedDepth } = limits
  const advice = `A filter looks through more than ${relatedDepth} relationships within each other; the maximum is ${relatedDepth}. Ask from the other end.`
  return refuse(place, 'too-deep', advice)
}

const countRelatedCondition = ({ counted }: PlanContext, place: Place): void => {
  counted.relatedConditions += 1
  if (counted.relatedConditions > limits.relatedConditions)
    throw tooMany(place, 'relationships', counted.relatedConditions, limits.relatedConditions)
}

/** What stands in a filter under the name of a relationship. */
export const withinRelationship = <T>(context: PlanContext, place: Place, plan: () => T): T => {
  const { counted } = context
  countRelatedCondition(context, place)
  counted.relatedDepth += 1
  if (counted.relatedDepth > limits.relatedDepth) throw tooDeep(place)
  const planned = plan()
  counted.relatedDepth -= 1
  return planned
}
