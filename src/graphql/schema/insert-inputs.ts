// A table that may be inserted into → the input types of new rows, nested rows and conflicts, named as Hasura names them.
import {
  GraphQLEnumType,
  type GraphQLInputFieldConfigMap,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql'
import type { Relation, Table } from '../../catalog/model.ts'
import { boolExpType } from './input-types.ts'
import { nonNull, type TypeStore, valueType } from './type-store.ts'
import { unsendableColumns } from './unsendable-columns.ts'
import { columnFields, inputType, isReadable, type WritableTable, writableTable } from './writable-table.ts'

const relationField = (
  store: TypeStore,
  { kind, target }: Relation,
): GraphQLInputFieldConfigMap[string] | undefined => {
  const table = writableTable(store, target)
  if (table === undefined || !table.writing.insert) return undefined
  return kind === 'array'
    ? { type: arrayInsertType(store, table), description: `New rows of ${target} that belong to this one.` }
    : { type: objectInsertType(store, table), description: `A new row of ${target} that this one belongs to.` }
}

const relationFields = (store: TypeStore, { relations }: Table): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    [...relations].flatMap(([name, relation]) => {
      const field = relationField(store, relation)
      return field === undefined ? [] : [[name, field]]
    }),
  )

export const insertInputType = (store: TypeStore, table: WritableTable): GraphQLInputObjectType =>
  inputType(store, `${table.name}_insert_input`, {
    description: `A new row of ${table.name}, and rows related to it. What is left out gets its default.`,
    extensions: { unsendable: unsendableColumns(table) },
    fields: () => ({
      ...columnFields(table.writing.insertColumns, ({ type }) => valueType(store, type)),
      ...relationFields(store, table),
    }),
  })

/** `on_conflict`, if the table has anything unique to collide with. */
export const conflictField = (store: TypeStore, table: WritableTable): GraphQLInputFieldConfigMap =>
  table.writing.conflictTargets.size === 0
    ? {}
    : { on_conflict: { type: onConflictType(store, table), description: 'what to do where such a row already exists' } }

const objectInsertType = (store: TypeStore, table: WritableTable): GraphQLInputObjectType =>
  inputType(store, `${table.name}_obj_rel_insert_input`, {
    description: `A related row of ${table.name} to insert.`,
    fields: () => ({ data: { type: nonNull(insertInputType(store, table)) }, ...conflictField(store, table) }),
  })

const arrayInsertType = (store: TypeStore, table: WritableTable): GraphQLInputObjectType =>
  inputType(store, `${table.name}_arr_rel_insert_input`, {
    description: `Related rows of ${table.name} to insert.`,
    fields: () => ({ data: { type: objectsType(store, table) }, ...conflictField(store, table) }),
  })

export const objectsType = (store: TypeStore, table: WritableTable): GraphQLInputType =>
  new GraphQLNonNull(new GraphQLList(nonNull(insertInputType(store, table))))

/** Its values decide which statement is run. */
const structuralEnum = (
  store: TypeStore,
  name: string,
  options: Omit<ConstructorParameters<typeof GraphQLEnumType>[0], 'name'>,
): GraphQLEnumType =>
  store.named(name, () => new GraphQLEnumType({ name, ...options, extensions: { structural: true } }))

const constraintType = (store: TypeStore, table: WritableTable): GraphQLEnumType =>
  structuralEnum(store, `${table.name}_constraint`, {
    description: `The unique keys and indexes of ${table.name}.`,
    values: Object.fromEntries(
      [...table.writing.conflictTargets].map(([name, { columns }]) => [
        name,
        { description: table.rules.get(name)?.description ?? `unique by ${columns.join(', ')}` },
      ]),
    ),
  })

/** GraphQL has no empty enums: where nothing may be updated, Hasura has this value, and so its clients expect it. */
const PLACEHOLDER = { _PLACEHOLDER: { description: 'Stands for no column: none may be updated.' } }

const updateColumnType = (store: TypeStore, table: WritableTable): GraphQLEnumType =>
  structuralEnum(store, `${table.name}_update_column`, {
    description: `The columns of ${table.name} that may be updated.`,
    values:
      table.writing.updateColumns.length === 0
        ? PLACEHOLDER
        : Object.fromEntries(
            table.writing.updateColumns.map(({ name, deprecation }) => [
              name,
              { deprecationReason: deprecation?.reason ?? null },
            ]),
          ),
  })

const onConflictType = (store: TypeStore, table: WritableTable): GraphQLInputObjectType =>
  inputType(store, `${table.name}_on_conflict`, {
    description: `What to do where a row of ${table.name} already exists.`,
    fields: () => ({
      constraint: {
        type: nonNull(constraintType(store, table)),
        description: 'the key or index that it collides with',
      },
      update_columns: {
        type: new GraphQLNonNull(new GraphQLList(nonNull(updateColumnType(store, table)))),
        description: 'the columns that the existing row takes over; none: it stays as it is',
        default: { value: [] },
      },
      ...(isReadable(store, table)
        ? { where: { type: boolExpType(store, table), description: 'only existing rows for which this holds' } }
        : {}),
    }),
  })
