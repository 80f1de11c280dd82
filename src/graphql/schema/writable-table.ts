// Tables that may be written, and what the types of inserts and updates have in common.
import { type GraphQLInputFieldConfigMap, GraphQLInputObjectType, type GraphQLInputType } from 'graphql'
import type { Column, Table, Writing } from '../../catalog/model.ts'
import type { TypeStore } from './type-store.ts'

export type WritableTable = Table & { readonly writing: Writing }

const isWritable = (table: Table | undefined): table is WritableTable => table?.writing !== undefined

/** Also those that the credential may not read. */
export const writableTable = ({ model }: TypeStore, name: string): WritableTable | undefined => {
  const table = model.tables.get(name) ?? model.writeOnly.get(name)
  return isWritable(table) ? table : undefined
}

export const isReadable = ({ model }: TypeStore, { name }: Table): boolean => model.tables.has(name)

export const inputType = (
  store: TypeStore,
  name: string,
  options: Omit<ConstructorParameters<typeof GraphQLInputObjectType>[0], 'name'>,
): GraphQLInputObjectType => store.named(name, () => new GraphQLInputObjectType({ name, ...options }))

/** In the description: by default tools omit deprecated input fields from the schema, and then refuse to use them. */
const describe = ({ description, deprecation }: Column): string | null =>
  deprecation === undefined ? (description ?? null) : `Deprecated. ${deprecation.reason}`

export const columnFields = (
  columns: readonly Column[],
  typeOf: (column: Column) => GraphQLInputType,
): GraphQLInputFieldConfigMap =>
  Object.fromEntries(columns.map(column => [column.name, { type: typeOf(column), description: describe(column) }]))
