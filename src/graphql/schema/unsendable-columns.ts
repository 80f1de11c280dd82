// Columns that nobody sends → why, for whoever sends one: GraphQL itself would only say that there is no such field.
import { type GraphQLSchema, isInputObjectType } from 'graphql'
import type { Column, Table } from '../../catalog/model.ts'

const whyNot = (table: Table, column: Column): string => {
  if (column === table.writing?.version) return `the database raises it at every update; compare it with \`if_version\``
  if (column.column === table.softDelete)
    return `delete_${table.name} sets it, and restore_${table.name}_by_pk clears it`
  return 'the service sets it'
}

/** By GraphQL name. A column that may be inserted but not updated is explained by the type's name. */
export const unsendableColumns = (table: Table): ReadonlyMap<string, string> => {
  const sendable = new Set([...(table.writing?.insertColumns ?? []), ...(table.writing?.updateColumns ?? [])])
  return new Map(
    [...table.columns.values()]
      .filter(column => !sendable.has(column))
      .map(column => [column.name, whyNot(table, column)]),
  )
}

const unknownField = /Expected value of type "(\w+)" not to include unknown field "(\w+)"/

const reasonFor = (schema: GraphQLSchema, typeName: string, field: string): string | undefined => {
  const type = schema.getType(typeName)
  const reasons = isInputObjectType(type) ? type.extensions.unsendable : undefined
  return reasons instanceof Map ? reasons.get(field) : undefined
}

/** The message of a validation error, with the reason if it is about such a column. */
export const explainUnsendable = (schema: GraphQLSchema, message: string): string => {
  const match = unknownField.exec(message)
  const [, typeName = '', field = ''] = match ?? []
  const reason = reasonFor(schema, typeName, field)
  if (match === null || reason === undefined) return message
  return `${message.slice(0, match.index)}"${field}" cannot be sent in "${typeName}": ${reason}.`
}
