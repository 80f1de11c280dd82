// Model → the root fields of mutations, named as Hasura names them, and the directive that only tries them out.
import {
  DirectiveLocation,
  GraphQLDirective,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
} from 'graphql'
import type { TableFunction } from '../../catalog/model.ts'
import { boolExpType } from './input-types.ts'
import { conflictField, insertInputType, objectsType } from './insert-inputs.ts'
import { callArguments, filterArguments, rowType } from './output-types.ts'
import { nonNull, type TypeStore, valueType } from './type-store.ts'
import { keyColumnsType, maxAffected, updateArguments, updatesType } from './update-inputs.ts'
import { isReadable, type WritableTable, writableTable } from './writable-table.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>

/** Without the right to read, only the number of rows is told. */
const responseType = (store: TypeStore, table: WritableTable): GraphQLObjectType => {
  const name = `${table.name}_mutation_response`
  return store.named(
    name,
    () =>
      new GraphQLObjectType({
        name,
        description: `What happened to rows of ${table.name}.`,
        fields: () => ({
          affected_rows: { type: new GraphQLNonNull(GraphQLInt), description: 'how many rows, nested ones included' },
          ...(isReadable(store, table)
            ? {
                returning: {
                  type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(rowType(store, table)))),
                  description: 'the rows; deleted ones as they were',
                },
              }
            : {}),
        }),
      }),
  )
}

const keyArguments = (store: TypeStore, { primaryKey = [] }: WritableTable): GraphQLFieldConfigArgumentMap =>
  Object.fromEntries(primaryKey.map(({ name, type }) => [name, { type: nonNull(valueType(store, type)) }]))

const versionArgument = (store: TypeStore, { writing: { version } }: WritableTable): GraphQLFieldConfigArgumentMap =>
  version === undefined
    ? {}
    : {
        if_version: {
          type: valueType(store, version.type),
          description: `only if ${version.name} is still this; otherwise the error conflict has the current row`,
        },
      }

const insertFields = (store: TypeStore, table: WritableTable): Fields => ({
  [`insert_${table.name}`]: {
    type: responseType(store, table),
    description: `Inserts rows into ${table.name}, at most 1000 with nested ones.`,
    args: { objects: { type: objectsType(store, table) }, ...conflictField(store, table) },
  },
  ...(isReadable(store, table)
    ? {
        [`insert_${table.name}_one`]: {
          type: rowType(store, table),
          description: `Inserts one row into ${table.name}; null if it existed and was left alone.`,
          args: { object: { type: nonNull(insertInputType(store, table)) }, ...conflictField(store, table) },
        },
      }
    : {}),
})

const updateFields = (store: TypeStore, table: WritableTable): Fields => ({
  [`update_${table.name}`]: {
    type: responseType(store, table),
    description: `Updates rows of ${table.name}.`,
    args: {
      where: { type: nonNull(boolExpType(store, table)), description: 'the rows to update' },
      ...updateArguments(store, table),
      max_affected: maxAffected,
    },
  },
  [`update_${table.name}_by_pk`]: {
    type: rowType(store, table),
    description: `Updates one row of ${table.name}; null if there is none.`,
    args: {
      pk_columns: { type: nonNull(keyColumnsType(store, table)) },
      ...updateArguments(store, table),
      ...versionArgument(store, table),
    },
  },
  [`update_${table.name}_many`]: {
    type: new GraphQLList(responseType(store, table)),
    description: `Several updates of ${table.name}, in order; later ones see earlier ones.`,
    args: { updates: { type: new GraphQLNonNull(new GraphQLList(nonNull(updatesType(store, table)))) } },
  },
})

const deleteFields = (store: TypeStore, table: WritableTable): Fields => {
  const softly = table.softDelete !== undefined
  const restore = `restore_${table.name}_by_pk`
  return {
    [`delete_${table.name}`]: {
      type: responseType(store, table),
      description: `Deletes rows of ${table.name}.${softly ? ` They can be taken back with ${restore}.` : ''}`,
      args: {
        where: { type: nonNull(boolExpType(store, table)), description: 'the rows to delete' },
        max_affected: maxAffected,
      },
    },
    [`delete_${table.name}_by_pk`]: {
      type: rowType(store, table),
      description: `Deletes one row of ${table.name}, and returns it as it was; null if there is none.`,
      args: { ...keyArguments(store, table), ...versionArgument(store, table) },
    },
    ...(softly
      ? {
          [restore]: {
            type: rowType(store, table),
            description: `Takes back the deletion of one row of ${table.name}; null if there is none.`,
            args: keyArguments(store, table),
          },
        }
      : {}),
  }
}

/** To name rows by a condition, or to get them back, is to read them. */
const tableFields = (store: TypeStore, table: WritableTable): Fields => {
  const readable = isReadable(store, table)
  return {
    ...(table.writing.insert ? insertFields(store, table) : {}),
    ...(table.writing.update && readable ? updateFields(store, table) : {}),
    ...(table.writing.delete && readable ? deleteFields(store, table) : {}),
  }
}

const actionField = (store: TypeStore, one: TableFunction): Fields => {
  const table = store.table(one.table)
  const args = callArguments(store, one.name, one.arguments)
  const type = rowType(store, table)
  const description = one.description ?? null
  if (one.single) return { [one.name]: { type, description, args } }
  return {
    [one.name]: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type))),
      description,
      args: { ...args, ...filterArguments(store, table) },
    },
  }
}

/** Undefined if nothing can be written. */
export const mutationType = (store: TypeStore): GraphQLObjectType | undefined => {
  const { tables, writeOnly, actions } = store.model
  const written = [...tables.keys(), ...writeOnly.keys()].flatMap(name => writableTable(store, name) ?? [])
  const fields: Fields = Object.assign(
    {},
    ...written.map(table => tableFields(store, table)),
    ...[...actions.values()].map(one => actionField(store, one)),
  )
  if (Object.keys(fields).length === 0) return undefined
  return new GraphQLObjectType({
    name: 'mutation_root',
    description:
      'Everything that can be written. All fields of one operation happen in order, and together or not at all.',
    fields,
  })
}

export const dryRunDirective = new GraphQLDirective({
  name: 'dry_run',
  description: 'Runs everything, checks every rule, answers what would be, and changes nothing.',
  locations: [DirectiveLocation.MUTATION],
})
