// Names → GraphQL types, each built once: the parts of the schema find each other here.
import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import { textType } from '../../catalog/aggregates.ts'
import type { Model, Table } from '../../catalog/model.ts'
import { castsToText, type Operator, operatorsOf } from '../../catalog/operators.ts'
import type { ValueType } from '../../catalog/value-type.ts'
import { ArrayType } from './array-type.ts'
import { builtInScalars, createScalar } from './scalars.ts'

export interface RowAdditions {
  readonly interfaces: readonly GraphQLInterfaceType[]
  readonly fields: GraphQLFieldConfigMap<unknown, unknown>
}

export interface TypeStore {
  readonly model: Model
  /** What rows have besides what every view shows of them. */
  readonly rows: ((store: TypeStore, table: Table) => RowAdditions) | undefined
  table(name: string): Table
  /** The type with this name, built on the first call. */
  named<T extends GraphQLNamedType>(name: string, make: () => T): T
}

export const createTypeStore = (model: Model, rows?: TypeStore['rows']): TypeStore => {
  const types = new Map<string, GraphQLNamedType>()
  return {
    model,
    rows,
    table: name => {
      const table = model.tables.get(name)
      if (table === undefined) throw new Error(`the model has no table ${name}`)
      return table
    },
    named: <T extends GraphQLNamedType>(name: string, make: () => T) => {
      const known = types.get(name)
      if (known !== undefined) return known as T
      const made = make()
      types.set(name, made)
      return made
    },
  }
}

type SingleType = GraphQLScalarType | GraphQLEnumType
export type LeafType = SingleType | GraphQLList<LeafType>

export const nonNull = <T extends LeafType | GraphQLInputObjectType>(type: T): GraphQLNonNull<T> =>
  new GraphQLNonNull(type)

const elementType = (store: TypeStore, type: ValueType): SingleType => {
  const builtIn = builtInScalars[type.graphql]
  if (builtIn !== undefined) return builtIn
  const { labels } = type
  if (labels === undefined)
    return store.named(type.graphql, () => createScalar(type.graphql, type.family, type.description))
  return store.named(
    type.graphql,
    () =>
      new GraphQLEnumType({
        name: type.graphql,
        description: type.description ?? null,
        values: Object.fromEntries(labels.map(label => [label, {}])),
      }),
  )
}

/** A matrix is a list of lists, as deep as its column is declared. */
export const valueType = (store: TypeStore, type: ValueType): LeafType => {
  if (type.element === undefined) return elementType(store, type)
  let list: LeafType = elementType(store, type.element)
  for (let depth = 1; depth < type.dimensions; depth += 1) list = new GraphQLList(list)
  return new ArrayType(list)
}

export const sortDirection = (store: TypeStore): GraphQLEnumType =>
  store.named(
    'order_by',
    () =>
      new GraphQLEnumType({
        name: 'order_by',
        description: 'The sort direction.',
        extensions: { structural: true },
        values: {
          asc: { description: 'ascending, nulls last' },
          asc_nulls_first: { description: 'ascending, nulls first' },
          asc_nulls_last: { description: 'ascending, nulls last' },
          desc: { description: 'descending, nulls first' },
          desc_nulls_first: { description: 'descending, nulls first' },
          desc_nulls_last: { description: 'descending, nulls last' },
        },
      }),
  )

const otherType = (store: TypeStore, name: string): LeafType =>
  store.named(name, () => createScalar(name, 'other', undefined))

const operandType = (store: TypeStore, type: ValueType, { operand, of }: Operator): GraphQLInputType => {
  const own = of === undefined ? valueType(store, type) : otherType(store, of)
  if (of !== undefined && operand === 'text') return own
  const text = GraphQLString
  if (operand === 'list' || operand === 'lists') return new GraphQLList(nonNull(own))
  if (operand === 'texts') return new GraphQLList(nonNull(text))
  return operand === 'text' ? text : own
}

/** Hasura's way to compare JSON as text: `{_cast: {String: {_ilike: "%…%"}}}`. */
const castType = (store: TypeStore, { graphql }: ValueType): GraphQLInputObjectType => {
  const name = `${graphql}_cast_exp`
  return store.named(
    name,
    () =>
      new GraphQLInputObjectType({
        name,
        description: `How to compare a value of type ${graphql} after the cast.`,
        fields: () => ({ String: { type: comparisonType(store, textType) } }),
      }),
  )
}

export const comparisonType = (store: TypeStore, type: ValueType): GraphQLInputObjectType => {
  const name = `${type.graphql}${type.element === undefined ? '' : '_array'.repeat(type.dimensions)}_comparison_exp`
  return store.named(
    name,
    () =>
      new GraphQLInputObjectType({
        name,
        description: `How to compare a value of type ${type.graphql}${type.element === undefined ? '' : ' (a list)'}. All given conditions must hold.`,
        fields: () => ({
          ...Object.fromEntries(
            operatorsOf(type).map(operator => [
              operator.name,
              { type: operandType(store, type, operator), description: operator.description },
            ]),
          ),
          ...(castsToText(type) ? { _cast: { type: castType(store, type), description: 'compare it as text' } } : {}),
          _is_null: { type: GraphQLBoolean, description: 'is (true) or is not (false) null' },
        }),
      }),
  )
}
