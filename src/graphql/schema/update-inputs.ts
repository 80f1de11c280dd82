// A table that may be updated → the input types of its updates: one for each operator that it has columns for.
import {
  type GraphQLInputFieldConfigMap,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLString,
} from 'graphql'
import type { Column } from '../../catalog/model.ts'
import type { UpdateOperator } from '../../catalog/taken-names.ts'
import { boolExpType } from './input-types.ts'
import { type LeafType, nonNull, type TypeStore, valueType } from './type-store.ts'
import { unsendableColumns } from './unsendable-columns.ts'
import { columnFields, inputType, type WritableTable } from './writable-table.ts'

const numbers: ReadonlySet<string> = new Set(['integer', 'bigint', 'numeric', 'float', 'money'])

const isSingle = ({ type }: Column): boolean => type.element === undefined

const numericColumns = (columns: readonly Column[]): Column[] =>
  columns.filter(column => isSingle(column) && numbers.has(column.type.family))

const documentColumns = (columns: readonly Column[]): Column[] =>
  columns.filter(column => isSingle(column) && column.type.family === 'jsonb')

interface Operator {
  readonly name: UpdateOperator
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
  inputType(store, `${table.name}_${operator.name}_input`, {
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
  inputType(store, `${table.name}_updates`, {
    description: `One of several updates of ${table.name}.`,
    fields: () => ({
      where: { type: nonNull(boolExpType(store, table)), description: 'the rows to update' },
      ...updateArguments(store, table),
      max_affected: maxAffected,
    }),
  })

export const keyColumnsType = (store: TypeStore, table: WritableTable): GraphQLInputObjectType =>
  inputType(store, `${table.name}_pk_columns_input`, {
    description: `The primary key of a row of ${table.name}.`,
    fields: () => columnFields(table.primaryKey ?? [], column => nonNull(valueType(store, column.type))),
  })
