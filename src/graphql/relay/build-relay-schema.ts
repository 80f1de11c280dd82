// Model → the schema of /v1/relay: rows are Nodes with a global id, and lists are connections.
// https://relay.dev/docs/guides/graphql-server-specification/
import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql'
import type { Model, Table } from '../../catalog/model.ts'
import {
  connectionField,
  connectionsOf,
  connectionType,
  edgeType,
  NODE_TYPE,
  PAGE_INFO_TYPE,
} from '../plan/connection-names.ts'
import { emptyFields } from '../schema/build-schema.ts'
import { filterArguments, rowType } from '../schema/output-types.ts'
import { createTypeStore, type RowAdditions, type TypeStore } from '../schema/type-store.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>

const required = { id: new GraphQLNonNull(GraphQLID), string: new GraphQLNonNull(GraphQLString) }

const idField = { type: required.id, description: 'The global id of the row, for `node`.' }

const nodeType = (store: TypeStore): GraphQLInterfaceType =>
  store.named(
    NODE_TYPE,
    () =>
      new GraphQLInterfaceType({
        name: NODE_TYPE,
        description: 'A row that has a global id.',
        fields: { id: idField },
      }),
  )

const pageInfoType = (store: TypeStore): GraphQLObjectType =>
  store.named(
    PAGE_INFO_TYPE,
    () =>
      new GraphQLObjectType({
        name: PAGE_INFO_TYPE,
        description: 'Where a page stands in its connection.',
        fields: {
          hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean) },
          hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean) },
          startCursor: { type: GraphQLString, description: 'the cursor of the first edge; null when there is none' },
          endCursor: { type: GraphQLString, description: 'the cursor of the last edge; null when there is none' },
        },
      }),
  )

const edgeTypeOf = (store: TypeStore, table: Table): GraphQLObjectType =>
  store.named(
    edgeType(table),
    () =>
      new GraphQLObjectType({
        name: edgeType(table),
        description: `A row of ${table.name} in a connection.`,
        fields: () => ({
          cursor: { type: required.string, description: 'where the row stands, for `after` and `before`' },
          node: { type: new GraphQLNonNull(rowType(store, table)) },
        }),
      }),
  )

const connectionTypeOf = (store: TypeStore, table: Table): GraphQLObjectType =>
  store.named(
    connectionType(table),
    () =>
      new GraphQLObjectType({
        name: connectionType(table),
        description: `A page of rows of ${table.name}.`,
        fields: () => ({
          edges: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(edgeTypeOf(store, table)))) },
          pageInfo: { type: new GraphQLNonNull(pageInfoType(store)) },
        }),
      }),
  )

const pageArguments: GraphQLFieldConfigArgumentMap = {
  first: { type: GraphQLInt, description: 'the first so many rows: 0 to 100, 100 unless told' },
  after: { type: GraphQLString, description: 'only rows after the one with this cursor, in the same order' },
  last: { type: GraphQLInt, description: 'the last so many rows: 0 to 100' },
  before: { type: GraphQLString, description: 'only rows before the one with this cursor, in the same order' },
}

const connectionArguments = (store: TypeStore, table: Table): GraphQLFieldConfigArgumentMap => {
  const { where, order_by } = filterArguments(store, table)
  return { ...pageArguments, ...(order_by && { order_by }), ...(where && { where }) }
}

const connection = (store: TypeStore, table: Table, description: string | undefined): Fields[string] => ({
  type: new GraphQLNonNull(connectionTypeOf(store, table)),
  description: description ?? null,
  args: connectionArguments(store, table),
})

const rowAdditions = (store: TypeStore, table: Table): RowAdditions => ({
  interfaces: table.primaryKey === undefined ? [] : [nodeType(store)],
  fields: {
    ...(table.primaryKey === undefined ? {} : { id: idField }),
    ...Object.fromEntries(
      [...connectionsOf(table)].flatMap(([field, { target, description }]) => {
        const to = store.table(target)
        return to.primaryKey === undefined ? [] : [[field, connection(store, to, description)]]
      }),
    ),
  },
})

const rootFields = (store: TypeStore, tables: readonly Table[]): Fields => ({
  ...Object.fromEntries(
    tables.map(table => [connectionField(table.name), connection(store, table, table.description)]),
  ),
  node: {
    type: nodeType(store),
    description: 'The row with this global id; null when there is none, or none that may be seen.',
    args: { id: { type: required.id } },
  },
})

export const buildRelaySchema = (model: Model): GraphQLSchema => {
  const store = createTypeStore(model, rowAdditions)
  const tables = [...model.tables.values()].filter(({ primaryKey }) => primaryKey !== undefined)
  const query = new GraphQLObjectType({
    name: 'query_root',
    description: 'Everything that can be read, as Relay asks for it.',
    fields: () => (tables.length === 0 ? emptyFields : rootFields(store, tables)),
  })
  return new GraphQLSchema({ query, description: 'The data of masjids, as connections and nodes.' })
}
