// A table → the object types of its rows, aggregates and groups, and the arguments of lists.
import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import { type AggregateName, aggregateColumns, aggregateNames, aggregateType } from '../../catalog/aggregates.ts'
import type { Argument, Column, ComputedField, ComputedRows, Relation, Table } from '../../catalog/model.ts'
import { limits } from '../limits/limits.ts'
import { argumentsField, boolExpType, groupOrderByType, orderByType, selectColumnType } from './input-types.ts'
import { nonNull, type TypeStore, valueType } from './type-store.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>

const object = (store: TypeStore, name: string, description: string, fields: () => Fields): GraphQLObjectType =>
  store.named(name, () => new GraphQLObjectType({ name, description, fields }))

const listOf = (type: GraphQLObjectType) => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))

const pageArguments = (most: number): GraphQLFieldConfigArgumentMap => ({
  limit: { type: GraphQLInt, description: `at most so many rows: 0 to ${most}, ${most} unless told` },
  offset: { type: GraphQLInt, description: 'skip so many rows first' },
})

export const filterArguments = (store: TypeStore, table: Table): GraphQLFieldConfigArgumentMap => ({
  distinct_on: {
    type: new GraphQLList(nonNull(selectColumnType(store, table))),
    description: 'only the first row of each value of these columns, which must lead order_by',
  },
  ...pageArguments(table.calculated ? limits.calculated : limits.page),
  order_by: {
    type: new GraphQLList(nonNull(orderByType(store, table))),
    description: 'sort by these, one after the other',
  },
  where: { type: boolExpType(store, table), description: 'only rows for which this holds' },
})

export const listArguments = (store: TypeStore, table: Table): GraphQLFieldConfigArgumentMap => ({
  ...filterArguments(store, table),
  ...(table.primaryKey === undefined
    ? {}
    : { after: { type: GraphQLString, description: 'only rows after the one with this _cursor, in the same order' } }),
})

export const aggregateArguments = (store: TypeStore, table: Table): GraphQLFieldConfigArgumentMap => ({
  ...filterArguments(store, table),
  group_by: {
    type: new GraphQLList(nonNull(selectColumnType(store, table))),
    description: 'the columns that `groups` are made by',
  },
})

const columnField = (store: TypeStore, column: Column): Fields[string] => {
  const type = valueType(store, column.type)
  const path = { path: { type: GraphQLString, description: 'a part of the value: $.a.b[0]' } }
  const isJson = column.type.element === undefined && ['json', 'jsonb'].includes(column.type.family)
  return {
    type: column.notNull && !isJson ? nonNull(type) : type,
    description: column.description ?? null,
    deprecationReason: column.deprecation?.reason ?? null,
    ...(isJson ? { args: path } : {}),
  }
}

const relationFields = (store: TypeStore, relation: Relation): (readonly [string, Fields[string]])[] => {
  const target = store.table(relation.target)
  const type = rowType(store, target)
  const description = relation.description ?? null
  if (relation.kind === 'object')
    return [[relation.name, { type: relation.required ? new GraphQLNonNull(type) : type, description }]]
  return [
    [relation.name, { type: listOf(type), args: listArguments(store, target), description }],
    [
      `${relation.name}_aggregate`,
      {
        type: new GraphQLNonNull(aggregateTypeOf(store, target)),
        args: aggregateArguments(store, target),
        description,
      },
    ],
  ]
}

/** `args`, if a function takes any. */
export const callArguments = (
  store: TypeStore,
  name: string,
  all: readonly Argument[],
): GraphQLFieldConfigArgumentMap => (all.length === 0 ? {} : { args: argumentsField(store, name, all) })

const computedField = (store: TypeStore, table: Table, field: ComputedField): Fields[string] => {
  return {
    type: valueType(store, field.type),
    description: field.description ?? null,
    args: callArguments(store, `${table.name}_${field.name}`, field.arguments),
  }
}

const computedRowsField = (store: TypeStore, table: Table, field: ComputedRows): Fields[string] => {
  const target = store.table(field.target)
  const type = rowType(store, target)
  const call = callArguments(store, `${table.name}_${field.name}`, field.arguments)
  const description = field.description ?? null
  if (field.single) return { type, description, args: call }
  return { type: listOf(type), description, args: { ...call, ...filterArguments(store, target) } }
}

const rowFields = (store: TypeStore, table: Table): Fields => ({
  ...Object.fromEntries([...table.columns.values()].map(column => [column.name, columnField(store, column)])),
  ...Object.fromEntries([...table.computed.values()].map(field => [field.name, computedField(store, table, field)])),
  ...Object.fromEntries(
    [...table.computedRows.values()].map(field => [field.name, computedRowsField(store, table, field)]),
  ),
  ...Object.fromEntries([...table.relations.values()].flatMap(relation => relationFields(store, relation))),
  ...(table.primaryKey === undefined
    ? {}
    : {
        _cursor: {
          type: new GraphQLNonNull(GraphQLString),
          description: 'where the row stands in its list, for `after`',
        },
      }),
  ...store.rows?.(store, table).fields,
})

export const rowType = (store: TypeStore, table: Table): GraphQLObjectType =>
  store.named(
    table.name,
    () =>
      new GraphQLObjectType({
        name: table.name,
        description: table.description ?? `Rows of ${table.name}.`,
        fields: () => rowFields(store, table),
        interfaces: () => [...(store.rows?.(store, table).interfaces ?? [])],
      }),
  )

const numbersType = (store: TypeStore, table: Table, name: AggregateName): GraphQLObjectType =>
  object(store, `${table.name}_${name}_fields`, `The ${name} of columns of ${table.name}.`, () =>
    Object.fromEntries(
      aggregateColumns(name, table).map(column => [
        column.name,
        { type: valueType(store, aggregateType(name, column)), deprecationReason: column.deprecation?.reason ?? null },
      ]),
    ),
  )

const totalsType = (store: TypeStore, table: Table): GraphQLObjectType =>
  object(store, `${table.name}_aggregate_fields`, `Totals over rows of ${table.name}.`, () => ({
    count: {
      type: new GraphQLNonNull(GraphQLInt),
      args: {
        columns: {
          type: new GraphQLList(nonNull(selectColumnType(store, table))),
          description: 'count rows where none of these is null',
        },
        distinct: { type: GraphQLBoolean, description: 'count equal values once' },
      },
    },
    ...Object.fromEntries(
      aggregateNames
        .filter(name => aggregateColumns(name, table).length > 0)
        .map(name => [name, { type: numbersType(store, table, name) }]),
    ),
  }))

const groupType = (store: TypeStore, table: Table): GraphQLObjectType =>
  object(store, `${table.name}_group`, `Rows of ${table.name} that have something in common.`, () => ({
    keys: {
      type: new GraphQLNonNull(
        object(store, `${table.name}_group_keys`, `What the rows of a group have in common.`, () =>
          Object.fromEntries(
            [...table.columns.values()]
              .filter(({ type }) => type.ordered)
              .map(({ name, type, deprecation }) => [
                name,
                { type: valueType(store, type), deprecationReason: deprecation?.reason ?? null },
              ]),
          ),
        ),
      ),
    },
    aggregate: { type: new GraphQLNonNull(totalsType(store, table)) },
  }))

const fewPeople = (table: Table): string =>
  table.personal === undefined
    ? ''
    : ' Null when it would cover fewer than five people other than the user; of masjids that are not the app’s own, whole groups of five or more alone.'

export const aggregateTypeOf = (store: TypeStore, table: Table): GraphQLObjectType =>
  object(store, `${table.name}_aggregate`, `Totals over rows of ${table.name}, and the rows.`, () => ({
    aggregate: { type: totalsType(store, table), description: `Aggregates over all rows.${fewPeople(table)}` },
    nodes: {
      type: listOf(rowType(store, table)),
      description: `The rows, at most ${table.calculated ? limits.calculated : limits.page}.`,
    },
    groups: {
      type: listOf(groupType(store, table)),
      description: 'Aggregates for each value of the columns named in group_by.',
      args: {
        ...pageArguments(limits.page),
        order_by: {
          type: new GraphQLList(nonNull(groupOrderByType(store, table))),
          description: 'by their keys unless told',
        },
      },
    },
  }))
