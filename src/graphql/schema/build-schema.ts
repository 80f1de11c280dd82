// Model → the GraphQL schema that documents are validated against and introspection shows.
import {
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  specifiedDirectives,
} from 'graphql'
import type { Column, Model, Table, TableFunction } from '../../catalog/model.ts'
import { cachedDirective } from './cached-directive.ts'
import { dryRunDirective, mutationType } from './mutation-fields.ts'
import {
  aggregateArguments,
  aggregateTypeOf,
  callArguments,
  filterArguments,
  listArguments,
  rowType,
} from './output-types.ts'
import { subscriptionType } from './subscription-fields.ts'
import { createTypeStore, nonNull, type TypeStore, valueType } from './type-store.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>

const listOf = (type: GraphQLObjectType) => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))

const keyField = (store: TypeStore, table: Table, columns: readonly Column[]): Fields[string] => ({
  type: rowType(store, table),
  description: `One row of ${table.name} by its ${columns.map(({ name }) => name).join(', ')}; null if there is none.`,
  args: Object.fromEntries(columns.map(({ name, type }) => [name, { type: nonNull(valueType(store, type)) }])),
})

const tableFields = (store: TypeStore, table: Table): Fields => ({
  [table.name]: {
    type: listOf(rowType(store, table)),
    description: table.description ?? null,
    args: listArguments(store, table),
  },
  [`${table.name}_aggregate`]: {
    type: new GraphQLNonNull(aggregateTypeOf(store, table)),
    description: `Aggregates over ${table.name}.`,
    args: aggregateArguments(store, table),
  },
  ...(table.primaryKey === undefined ? {} : { [`${table.name}_by_pk`]: keyField(store, table, table.primaryKey) }),
  ...Object.fromEntries(
    table.uniqueKeys.map(key => [`${table.name}_by_${key.name}`, keyField(store, table, key.columns)]),
  ),
})

const functionFields = (store: TypeStore, one: TableFunction): Fields => {
  const table = store.table(one.table)
  const args = callArguments(store, one.name, one.arguments)
  if (one.single) return { [one.name]: { type: rowType(store, table), description: one.description ?? null, args } }
  return {
    [one.name]: {
      type: listOf(rowType(store, table)),
      description: one.description ?? null,
      args: { ...args, ...filterArguments(store, table) },
    },
    [`${one.name}_aggregate`]: {
      type: new GraphQLNonNull(aggregateTypeOf(store, table)),
      description: `Aggregates over ${one.name}.`,
      args: { ...args, ...aggregateArguments(store, table) },
    },
  }
}

/** A query type must have a field: shown to a credential that may read no table. */
export const emptyFields: Fields = {
  no_tables: { type: GraphQLString, description: 'This credential may read no table.' },
}

export const buildGraphqlSchema = (model: Model): GraphQLSchema => {
  const store = createTypeStore(model)
  const fields = (): Fields => ({
    ...Object.assign(
      {},
      ...[...model.tables.values()].map(table => (table.calculated ? {} : tableFields(store, table))),
    ),
    ...Object.assign({}, ...[...model.functions.values()].map(one => functionFields(store, one))),
  })
  const query = new GraphQLObjectType({
    name: 'query_root',
    description: 'Everything that can be read.',
    fields: () => (model.tables.size === 0 ? emptyFields : fields()),
  })
  const mutation = mutationType(store)
  const subscription = subscriptionType(store, fields)
  return new GraphQLSchema({
    query,
    ...(subscription === undefined ? {} : { subscription }),
    ...(mutation === undefined ? {} : { mutation }),
    directives: [...specifiedDirectives, cachedDirective, ...(mutation === undefined ? [] : [dryRunDirective])],
    description: 'The data of masjids: directory, prayer times, events, giving and members.',
  })
}
