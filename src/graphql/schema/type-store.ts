// Names → GraphQL types, each made once: the parts of the schema find each other here.
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import type { Model, Table } from '../../catalog/model.ts'
import { operatorsOf } from '../../catalog/operators.ts'
import type { ValueType } from '../../catalog/value-type.ts'
import { builtInScalars, createScalar } from './scalars.ts'

export interface TypeStore {
  readonly model: Model
  table(name: string): Table
  /** The type under this name, made at the first call. */
  named<T extends GraphQLNamedType>(name: string, make: () => T): T
}

export const createTypeStore = (model: Model): TypeStore => {
  const types = new Map<string, GraphQLNamedType>()
  return {
    model,
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
export type LeafType = SingleType | GraphQLList<SingleType>

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

export const valueType = (store: TypeStore, type: ValueType): LeafType =>
  type.element === undefined ? elementType(store, type) : new GraphQLList(elementType(store, type.element))

export const sortDirection = (store: TypeStore): GraphQLEnumType =>
  store.named(
    'order_by',
    () =>
      new GraphQLEnumType({
        name: 'order_by',
        description: 'The direction of sorting.',
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

const operandType = (store: TypeStore, type: ValueType, operand: string): GraphQLInputType => {
  const own = valueType(store, type)
  const text = GraphQLString
  if (operand === 'list' || operand === 'lists') return new GraphQLList(nonNull(own))
  if (operand === 'texts') return new GraphQLList(nonNull(text))
  return operand === 'text' ? text : own
}

export const comparisonType = (store: TypeStore, type: ValueType): GraphQLInputObjectType => {
  const name = `${type.graphql}${type.element === undefined ? '' : '_array'}_comparison_exp`
  return store.named(
    name,
    () =>
      new GraphQLInputObjectType({
        name,
        description: `How to compare a value of type ${type.graphql}${type.element === undefined ? '' : ' (a list)'}. All that is given must hold.`,
        fields: () => ({
          ...Object.fromEntries(
            operatorsOf(type).map(({ name: operator, operand, description }) => [
              operator,
              { type: operandType(store, type, operand), description },
            ]),
          ),
          _is_null: { type: GraphQLBoolean, description: 'is (true) or is not (false) null' },
        }),
      }),
  )
}
