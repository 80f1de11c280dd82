// A table that may be written → the input types of inserts, updates and conflicts, named as Hasura names them.
import {
  GraphQLEnumType,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql'
import type { Column, Relation, Table, Writing } from '../../catalog/model.ts'
import { boolExpType } from './input-types.ts'
import { type LeafType, nonNull, type TypeStore, valueType } from './type-store.ts'
import { unsendableColumns } from './unsendable-columns.ts'

export type WritableTable = Table & { readonly writing: Writing }

const isWritable = (table: Table | undefined): table is WritableTable => table?.writing !== undefined

/** Also those that the credential may not read. */
export const writableTable = ({ model }: TypeStore, name: string): WritableTable | undefined => {
  const table = model.tables.get(name) ?? model.writeOnly.get(name)
  return isWritable(table) ? table : undefined
}

export const isReadable = ({ model }: TypeStore, { name }: Table): boolean => model.tables.has(name)

const input = (
  store: TypeStore,
  name: string,
  options: Omit<ConstructorParameters<typeof GraphQLInputObjectType>[0], 'name'>,
): GraphQLInputObjectType => store.named(name, () => new GraphQLInputObjectType({ name, ...options }))

/** In the description: by default tools omit deprecated input fields from the schema, and then refuse to use them. */
const describe = ({ description, deprecation }: Column): string | null =>
  deprecation === undefined ? (description ?? null) : `Deprecated. ${deprecation.reason}`

const columnFields = (
  columns: readonly Column[],
  typeOf: (column: Column) => GraphQLInputType,
): GraphQLInputFieldConfigMap =>
  Object.fromEntries(columns.map(column => [column.name, { type: typeOf(column), description: describe(column) }]))

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
  input(store, `${table.name}_insert_input`, {
    description: `A new row of ${table.name}, and rows related to it. What is left out gets its default.`,
    extensions: { unsendable: unsendableColumns(table) },
    fields: () => ({
      ...columnFields(table.writing.insertColumns, ({ type }) => valueType(store, type)),
      ...relationFields(store, table),
    }),
  })

const conflictField = (store: TypeStore, table: WritableTable): GraphQLInputFieldConfigMap =>
  table.writing.conflictTargets.size === 0
    ? {}
    : { on_conflict: { type: onConflictType(store, table), description: 'what to do where such a row already exists' } }

const objectInsertType = (store: TypeStore, table: WritableTable): GraphQLInputObjectType =>
  input(store, `${table.name}_obj_rel_insert_input`, {
    description: `A related row of ${table.name} to insert.`,
    fields: () => ({ data: { type: nonNull(insertInputType(store, table)) }, ...conflictField(store, table) }),
  })

const arrayInsertType = (store: TypeStore, table: WritableTable): GraphQLInputObjectType =>
  input(store, `${table.name}_arr_rel_insert_input`, {
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
  input(store, `${table.name}_on_conflict`, {
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

export const conflictArgument = conflictField

const numbers: ReadonlySet<string> = new Set(['integer', 'bigint', 'numeric', 'float'])

const isSingle = ({ type }: Column): boolean => type.element === undefined

const numericColumns = (columns: readonly Column[]): Column[] =>
  columns.filter(column => isSingle(column) && numbers.has(column.type.family))

const documentColumns = (columns: readonly Column[]): Column[] =>
  columns.filter(column => isSingle(column) && column.type.family === 'jsonb')

interface Operator {
  readonly name: string
  readonly description: string
  readonly columnsOf: (columns: readonly Column[]) => readonly Column[]
  readonly typeOf: (store: TypeStore, column: Column) => GraphQLInputType
}

const own = (store: TypeStore, { type }: Column): LeafType => valueType(store, type)

const operators: readonly Operator[] = [
  { name: 'set', description: 'set these columns', columnsOf: columns => columns, typeOf: own },
  { name: 'inc', description: 'add to these numbers', columnsOf: numericColumns, typeOf: own },
  { name: 'append', description: 'add to the end of these documents', columnsOf: documentColumns, typeOf: own },
  { name: 'prepend', description: 'add to the start of these documents', columnsOf: documentColumns, typeOf: own },
  {
    name: 'delete_key',
    description: 'remove this key, or this text of a list, from these documents',
    columnsOf: documentColumns,
    typeOf: () => GraphQLString,
  },
  {
    name: 'delete_elem',
    description: 'remove the element at this place, from the end if negative',
    columnsOf: documentColumns,
    typeOf: () => GraphQLInt,
  },
  {
    name: 'delete_at_path',
    description: 'remove what stands at this path',
    columnsOf: documentColumns,
    typeOf: () => new GraphQLList(nonNull(GraphQLString)),
  },
]

const operatorType = (store: TypeStore, table: WritableTable, operator: Operator): GraphQLInputObjectType =>
  input(store, `${table.name}_${operator.name}_input`, {
    description: `Columns of ${table.name}: ${operator.description}.`,
    extensions: { unsendable: unsendableColumns(table) },
    fields: () =>
      columnFields(operator.columnsOf(table.writing.updateColumns), column => operator.typeOf(store, column)),
  })

/** `_set`, `_inc` and the others that the table has columns for. */
export const updateArguments = (store: TypeStore, table: WritableTable): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    operators
      .filter(({ columnsOf }) => columnsOf(table.writing.updateColumns).length > 0)
      .map(operator => [
        `_${operator.name}`,
        { type: operatorType(store, table, operator), description: operator.description },
      ]),
  )

export const maxAffected = {
  type: GraphQLInt,
  description: 'at most so many rows, or nothing happens: 100 unless told, 1000 at most',
}

export const updatesType = (store: TypeStore, table: WritableTable): GraphQLInputObjectType =>
  input(store, `${table.name}_updates`, {
    description: `One of several updates of ${table.name}.`,
    fields: () => ({
      where: { type: nonNull(boolExpType(store, table)), description: 'the rows to update' },
      ...updateArguments(store, table),
      max_affected: maxAffected,
    }),
  })

export const keyColumnsType = (store: TypeStore, table: WritableTable): GraphQLInputObjectType =>
  input(store, `${table.name}_pk_columns_input`, {
    description: `The primary key of a row of ${table.name}.`,
    fields: () => columnFields(table.primaryKey ?? [], column => nonNull(valueType(store, column.type))),
  })
