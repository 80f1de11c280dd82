// Model → the type of subscriptions: every field of queries, and for each table with a key a `_stream` of its rows, in Hasura's shape.
// https://hasura.io/docs/2.0/subscriptions/postgres/streaming/
import {
  GraphQLEnumType,
  type GraphQLFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import type { Table } from '../../catalog/model.ts'
import { streamRootOf } from '../../catalog/taken-names.ts'
import { boolExpType } from './input-types.ts'
import { rowType } from './output-types.ts'
import { type TypeStore, valueType } from './type-store.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>

const cursorOrdering = (store: TypeStore): GraphQLEnumType =>
  store.named(
    'cursor_ordering',
    () =>
      new GraphQLEnumType({
        name: 'cursor_ordering',
        description: 'The direction in which a stream goes.',
        extensions: { structural: true },
        values: { ASC: { description: 'ascending' }, DESC: { description: 'descending' } },
      }),
  )

const cursorValue = (store: TypeStore, table: Table): GraphQLInputObjectType => {
  const name = `${table.name}_stream_cursor_value_input`
  return store.named(
    name,
    () =>
      new GraphQLInputObjectType({
        name,
        description: `Where a stream of ${table.name} starts: the value of exactly one column.`,
        fields: () =>
          Object.fromEntries(
            [...table.columns.values()]
              .filter(({ type }) => type.ordered)
              .map(column => [column.name, { type: valueType(store, column.type) }]),
          ),
      }),
  )
}

const cursorInput = (store: TypeStore, table: Table): GraphQLInputObjectType => {
  const name = `${table.name}_stream_cursor_input`
  return store.named(
    name,
    () =>
      new GraphQLInputObjectType({
        name,
        description: `The column that a stream of ${table.name} follows.`,
        fields: () => ({
          initial_value: {
            type: new GraphQLNonNull(cursorValue(store, table)),
            description: 'only rows beyond this value',
          },
          ordering: { type: cursorOrdering(store), description: 'ASC unless told' },
        }),
      }),
  )
}

const streamField = (store: TypeStore, table: Table): Fields[string] => ({
  type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(rowType(store, table)))),
  description: `Rows of ${table.name}, each once, in batches: first those that are there, then new ones as they come.`,
  args: {
    batch_size: {
      type: new GraphQLNonNull(GraphQLInt),
      description: 'at most so many rows at a time: 1 to 100',
    },
    cursor: {
      type: new GraphQLNonNull(new GraphQLList(cursorInput(store, table))),
      description: 'the column to follow, and where to start',
    },
    where: { type: boolExpType(store, table), description: 'only rows for which this holds' },
    after: {
      type: GraphQLString,
      description: 'continue after the row with this _cursor; `initial_value` is not used then',
    },
  },
})

const streams = (store: TypeStore): Fields =>
  Object.fromEntries(
    [...store.model.tables.values()]
      .filter(({ primaryKey }) => primaryKey !== undefined)
      .map(table => [streamRootOf(table.name), streamField(store, table)]),
  )

/** Undefined if nothing can be read. A table that has the name of a stream keeps it. */
export const subscriptionType = (store: TypeStore, queries: () => Fields): GraphQLObjectType | undefined =>
  store.model.tables.size === 0
    ? undefined
    : new GraphQLObjectType({
        name: 'subscription_root',
        description: 'The same as for queries, sent again whenever it changes; and streams of rows.',
        fields: () => ({ ...streams(store), ...queries() }),
      })
