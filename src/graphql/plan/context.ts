// What planning an operation collects: named tables, cost, deprecated columns; and how it refuses.
import { type FieldNode, type FragmentDefinitionNode, GraphQLError } from 'graphql'
import type { Column, ComputedField, ComputedRows, Model, Relation, Table } from '../../catalog/model.ts'
import type { GraphqlErrorCode } from '../error-code.ts'
import { limits } from '../limits/limits.ts'
import type { CollectedField } from './collected-field.ts'
import type { Variables } from './input.ts'
import type { RequiredVariables } from './required-variables.ts'

export interface PlanContext {
  readonly model: Model
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: Variables
  readonly required: RequiredVariables
  /** Rows have global ids and connections. */
  readonly relay: boolean
  readonly tables: Set<Table>
  /** Names in the database. */
  readonly functions: Set<string>
  readonly functionScopes: Map<string, readonly string[]>
  readonly deprecated: Set<Column>
  readonly places: Map<string, Place>
  readonly gathered: {
    cost: number
    writes: number
    totalsOverPeople: boolean
    asksWho: boolean
    refusal: GraphQLError | undefined
  }
  /** What each part of the operation costs, by its path. */
  readonly parts: Map<string, number>
  /** Uses statistics for the length of lists, if their limits alone would allow too many rows. */
  readonly estimates: boolean
  readonly counted: { conditions: number; relatedConditions: number; relatedDepth: number; fields: number }
}

/** A place in the operation: for errors, and for the number of rows that may be there. */
export interface Place {
  readonly node: FieldNode
  readonly path: readonly string[]
  /** How many times this place may be read: the product of the limits above it. */
  readonly times: number
  /** How the rows of a list here are joined to their parent row. */
  readonly join?: Relation['join']
}

/** A field of what stands at a place. */
export const below = (place: Place, { node, key }: CollectedField, times: number): Place => ({
  node,
  path: [...place.path, key],
  times,
})

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

/** A function of a row may need more scopes than its table. */
export const useComputed = <T extends ComputedField | ComputedRows>(
  context: PlanContext,
  table: Table,
  field: T,
): T => {
  context.functions.add(field.function)
  if (field.scopes.length > 0) context.functionScopes.set(`${table.name}.${field.name}`, field.scopes)
  if (field.definer) context.gathered.asksWho = true
  return field
}

const lowerLimit = ({ path }: Place): string =>
  `Lower \`limit\` at ${path.join('.')} or above it, or ask for fewer nested lists.`

const MOST_PARTS = 5

/** The most expensive parts, so that a client sees what to change. */
const tooCostly = ({ gathered: { cost }, parts }: PlanContext, place: Place, advice: string): GraphQLError => {
  const dearest = [...parts].sort(([, one], [, other]) => other - one).slice(0, MOST_PARTS)
  const shown = dearest.map(([path, rows]) => `${path} ${rows}`).join(', ')
  return new GraphQLError(
    `This operation may read at least ${cost} rows; the maximum is ${limits.cost}. By part: ${shown}. ${advice}`,
    {
      nodes: [place.node],
      path: place.path,
      extensions: {
        code: 'too-costly' satisfies GraphqlErrorCode,
        cost: { rows: cost, maximum: limits.cost, parts: dearest.map(([path, rows]) => ({ path, rows })) },
      },
    },
  )
}

/** Counting stops as soon as the budget is spent. */
export const spend = (context: PlanContext, place: Place, rows: number, advice?: string): void => {
  const path = place.path.join('.')
  context.gathered.cost += rows
  context.parts.set(path, (context.parts.get(path) ?? 0) + rows)
  if (context.gathered.cost <= limits.cost) return
  throw tooCostly(context, place, advice ?? lowerLimit(place))
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

/** The part of a filter under the name of a relationship. */
export const withinRelationship = <T>(context: PlanContext, place: Place, plan: () => T): T => {
  const { counted } = context
  countRelatedCondition(context, place)
  counted.relatedDepth += 1
  if (counted.relatedDepth > limits.relatedDepth) throw tooDeep(place)
  const planned = plan()
  counted.relatedDepth -= 1
  return planned
}
