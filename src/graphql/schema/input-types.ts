// A table → the input types that filter, sort and identify its rows.
import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql'
import {
  type AggregateName,
  aggregateColumns,
  aggregateNames,
  aggregateType,
  booleanAggregates,
  booleanColumns,
  booleanType,
  integerType,
} from '../../catalog/aggregates.ts'
import type { Argument, Column, ComputedField, ComputedRows, Relation, Table } from '../../catalog/model.ts'
import { booleanColumnsName } from '../../catalog/taken-names.ts'
import { comparisonType, nonNull, sortDirection, type TypeStore, valueType } from './type-store.ts'

const input = (
  store: TypeStore,
  name: string,
  description: string,
  fields: () => GraphQLInputFieldConfigMap,
): GraphQLInputObjectType => store.named(name, () => new GraphQLInputObjectType({ name, description, fields }))

export const selectColumnType = (store: TypeStore, table: Table): GraphQLEnumType => {
  const name = `${table.name}_select_column`
  return store.named(
    name,
    () =>
      new GraphQLEnumType({
        name,
        description: `The columns of ${table.name}.`,
        extensions: { structural: true },
        values: Object.fromEntries(
          [...table.columns.values()].map(({ name: column, deprecation }) => [
            column,
            { deprecationReason: deprecation?.reason ?? null },
          ]),
        ),
      }),
  )
}

const isPlain = (field: ComputedField | ComputedRows): boolean => field.arguments.length === 0

const plainComputed = (table: Table) => [...table.computed.values()].filter(isPlain)

const takingComputed = (table: Table) => [...table.computed.values()].filter(field => !isPlain(field))

const plainRows = (table: Table) => [...table.computedRows.values()].filter(isPlain)

/** The same `args` as the field itself. */
export const argumentsField = (store: TypeStore, name: string, all: readonly Argument[]) => {
  const type = argumentsType(store, name, all)
  return { type: all.some(({ hasDefault }) => !hasDefault) ? new GraphQLNonNull(type) : type }
}

/** A condition on a value or, on rows, what must hold for one of them; with arguments, beside them. */
const computedFilters = (store: TypeStore, table: Table): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    [...takingComputed(table), ...table.computedRows.values()].map(field => {
      const predicate = () =>
        field.kind === 'computed' ? comparisonType(store, field.type) : boolExpType(store, store.table(field.target))
      if (isPlain(field)) return [field.name, { type: predicate() }]
      const name = `${table.name}_${field.name}`
      const fields = () => ({
        args: argumentsField(store, name, field.arguments),
        predicate: { type: new GraphQLNonNull(predicate()) },
      })
      return [field.name, { type: input(store, `${name}_bool_exp`, `A condition on ${field.name}.`, fields) }]
    }),
  )

/** As of relationships. They give way to whatever else has such a name. */
const computedRowsOrders = (store: TypeStore, table: Table): GraphQLInputFieldConfigMap =>
  Object.fromEntries(plainRows(table).map(field => relatedOrder(store, field, field.single ? 'object' : 'array')))

const computedOrders = (store: TypeStore, table: Table): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    takingComputed(table)
      .filter(({ type }) => type.ordered)
      .map(field => {
        const name = `${table.name}_${field.name}`
        const fields = () => ({
          args: argumentsField(store, name, field.arguments),
          direction: { type: sortDirection(store) },
        })
        return [field.name, { type: input(store, `${name}_order_by`, `Sort by ${field.name}.`, fields) }]
      }),
  )

/** In the description: by default tools omit deprecated input fields from the schema, and then refuse to use them. */
const describe = (field: Column | ComputedField): string | null =>
  field.kind === 'column' && field.deprecation !== undefined ? `Deprecated. ${field.deprecation.reason}` : null

const relationFilters = (store: TypeStore, table: Table): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    [...table.relations.values()].flatMap(({ name, kind, target }) => {
      const filter = { type: boolExpType(store, store.table(target)) }
      const totals = { type: aggregateBoolExpType(store, store.table(target)) }
      return kind === 'array'
        ? [
            [name, filter],
            [`${name}_aggregate`, totals],
          ]
        : [[name, filter]]
    }),
  )

export const boolExpType = (store: TypeStore, table: Table): GraphQLInputObjectType =>
  input(store, `${table.name}_bool_exp`, `A condition on rows of ${table.name}. All that is given must hold.`, () => ({
    _and: { type: new GraphQLList(nonNull(boolExpType(store, table))), description: 'all of these' },
    _or: { type: new GraphQLList(nonNull(boolExpType(store, table))), description: 'at least one of these' },
    _not: { type: boolExpType(store, table), description: 'not this' },
    ...Object.fromEntries(
      [...table.columns.values(), ...plainComputed(table)].map(field => [
        field.name,
        { type: comparisonType(store, field.type), description: describe(field) },
      ]),
    ),
    ...computedFilters(store, table),
    ...relationFilters(store, table),
  }))

const aggregatePredicate = (store: TypeStore, table: Table, name: AggregateName): GraphQLInputObjectType =>
  input(store, `${table.name}_${name}_bool_exp`, `A condition on the ${name} of columns of ${table.name}.`, () =>
    Object.fromEntries(
      aggregateColumns(name, table).map(column => [
        column.name,
        { type: comparisonType(store, aggregateType(name, column)) },
      ]),
    ),
  )

const filterAndDistinct = (store: TypeStore, table: Table): GraphQLInputFieldConfigMap => ({
  filter: { type: boolExpType(store, table), description: 'only over rows for which this holds' },
  distinct: { type: GraphQLBoolean, description: 'count equal values once' },
})

const booleanColumnsType = (store: TypeStore, table: Table, name: string): GraphQLEnumType => {
  const typeName = booleanColumnsName(table.name, name)
  return store.named(
    typeName,
    () =>
      new GraphQLEnumType({
        name: typeName,
        description: `The boolean columns of ${table.name}.`,
        extensions: { structural: true },
        values: Object.fromEntries(booleanColumns(table).map(column => [column.name, {}])),
      }),
  )
}

const booleanFilters = (store: TypeStore, table: Table): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    (booleanColumns(table).length === 0 ? [] : booleanAggregates).map(name => [
      name,
      {
        type: input(store, `${table.name}_aggregate_bool_exp_${name}`, `A condition on a column's ${name}.`, () => ({
          arguments: { type: nonNull(booleanColumnsType(store, table, name)) },
          predicate: { type: new GraphQLNonNull(comparisonType(store, booleanType)) },
          ...filterAndDistinct(store, table),
        })),
      },
    ]),
  )

const filterable: readonly AggregateName[] = ['avg', 'max', 'min', 'sum']

/** A condition on related rows: their count, or the sum, average, minimum and maximum of their columns. */
const aggregateBoolExpType = (store: TypeStore, table: Table): GraphQLInputObjectType =>
  input(store, `${table.name}_aggregate_bool_exp`, `A condition on totals over rows of ${table.name}.`, () => ({
    count: {
      type: input(store, `${table.name}_aggregate_bool_exp_count`, `A condition on how many rows there are.`, () => ({
        predicate: { type: new GraphQLNonNull(comparisonType(store, integerType)) },
        arguments: { type: new GraphQLList(nonNull(selectColumnType(store, table))) },
        ...filterAndDistinct(store, table),
      })),
    },
    ...booleanFilters(store, table),
    ...Object.fromEntries(
      filterable
        .filter(name => aggregateColumns(name, table).length > 0)
        .map(name => [
          name,
          {
            type: input(
              store,
              `${table.name}_aggregate_bool_exp_${name}`,
              `A condition on a column's ${name}.`,
              () => ({
                predicate: { type: new GraphQLNonNull(aggregatePredicate(store, table, name)) },
                ...filterAndDistinct(store, table),
              }),
            ),
          },
        ]),
    ),
  }))

/** By totals over many rows, or by the columns of one. */
const relatedOrder = (
  store: TypeStore,
  { name, target }: Pick<Relation, 'name' | 'target'>,
  kind: Relation['kind'],
): [string, { readonly type: GraphQLInputObjectType }] =>
  kind === 'array'
    ? [`${name}_aggregate`, { type: aggregateOrderByType(store, store.table(target)) }]
    : [name, { type: orderByType(store, store.table(target)) }]

export const orderByType = (store: TypeStore, table: Table): GraphQLInputObjectType =>
  input(store, `${table.name}_order_by`, `How to sort rows of ${table.name}.`, () => ({
    ...computedRowsOrders(store, table),
    ...Object.fromEntries(
      [...table.columns.values(), ...plainComputed(table)]
        .filter(({ type }) => type.ordered)
        .map(field => [field.name, { type: sortDirection(store), description: describe(field) }]),
    ),
    ...computedOrders(store, table),
    ...Object.fromEntries([...table.relations.values()].map(relation => relatedOrder(store, relation, relation.kind))),
  }))

const columnOrders = (store: TypeStore, table: Table, name: AggregateName): GraphQLInputObjectType =>
  input(store, `${table.name}_${name}_order_by`, `Sort by the ${name} of a column of ${table.name}.`, () =>
    Object.fromEntries(aggregateColumns(name, table).map(column => [column.name, { type: sortDirection(store) }])),
  )

const aggregateOrders = (store: TypeStore, table: Table): GraphQLInputFieldConfigMap => ({
  count: { type: sortDirection(store) },
  ...Object.fromEntries(
    aggregateNames
      .filter(name => aggregateColumns(name, table).length > 0)
      .map(name => [name, { type: columnOrders(store, table, name) }]),
  ),
})

const aggregateOrderByType = (store: TypeStore, table: Table): GraphQLInputObjectType =>
  input(store, `${table.name}_aggregate_order_by`, `Sort by totals over rows of ${table.name}.`, () =>
    aggregateOrders(store, table),
  )

/** Groups are sorted by their keys, or by their aggregates. */
export const groupOrderByType = (store: TypeStore, table: Table): GraphQLInputObjectType =>
  input(store, `${table.name}_group_order_by`, `How to sort groups of ${table.name}.`, () => ({
    ...aggregateOrders(store, table),
    keys: {
      type: input(store, `${table.name}_group_keys_order_by`, `Sort by what the rows of a group have in common.`, () =>
        Object.fromEntries(
          [...table.columns.values()]
            .filter(({ type }) => type.ordered)
            .map(({ name }) => [name, { type: sortDirection(store) }]),
        ),
      ),
    },
  }))

const argumentsType = (store: TypeStore, name: string, all: readonly Argument[]): GraphQLInputObjectType =>
  input(store, `${name}_args`, `What ${name} is asked with.`, () =>
    Object.fromEntries(
      all.map(argument => {
        const type = valueType(store, argument.type)
        return [argument.name, { type: argument.hasDefault || argument.nullable ? type : nonNull(type) }]
      }),
    ),
  )
