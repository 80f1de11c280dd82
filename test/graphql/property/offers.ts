// The API's own schema → what it offers for each table, limited to what the evaluation supports.
import { type GraphQLSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql'
import { knownOperators } from './operators.ts'
import { type Operation, operations } from './query.ts'
import type { Structure, Table } from './structure.ts'

export interface Offer {
  readonly table: Table
  readonly columns: readonly string[]
  readonly objects: readonly string[]
  readonly arrays: readonly string[]
  /** Columns to filter by, with their operators. */
  readonly comparisons: ReadonlyMap<string, readonly string[]>
  readonly sortable: readonly string[]
  readonly distinct: readonly string[]
  readonly totals: ReadonlyMap<Operation, readonly string[]>
  readonly hasByKey: boolean
  readonly hasGroups: boolean
}

export type Offers = ReadonlyMap<string, Offer>

const fieldsOf = (schema: GraphQLSchema, name: string): readonly string[] => {
  const type = schema.getType(name)
  if (isObjectType(type) || isInputObjectType(type)) return Object.keys(type.getFields())
  return isEnumType(type) ? type.getValues().map(value => value.name) : []
}

const comparisonsOf = (schema: GraphQLSchema, table: Table): Map<string, readonly string[]> => {
  const type = schema.getType(`${table.name}_bool_exp`)
  const fields = isInputObjectType(type) ? Object.values(type.getFields()) : []
  const found = fields.flatMap(field => {
    const column = table.columns.get(field.name)
    if (column === undefined || !isInputObjectType(field.type)) return []
    const inner = column.type.element?.kind ?? column.type.kind
    const usable = fieldsOf(schema, field.type.name).filter(operator => {
      if (inner === 'other') return operator === '_is_null'
      // PostgreSQL can order JSON, but nobody uses it
      return knownOperators.includes(operator) && !(inner === 'json' && /^_(gt|lt)e?$/.test(operator))
    })
    return [[field.name, usable] as const]
  })
  return new Map(found)
}

const comparable = (table: Table, column: string): boolean => {
  const type = table.columns.get(column)?.type
  return type !== undefined && !['json', 'other'].includes(type.element?.kind ?? type.kind)
}

const offerOf = (schema: GraphQLSchema, table: Table): Offer => {
  const shown = fieldsOf(schema, table.name)
  const root = fieldsOf(schema, schema.getQueryType()?.name ?? '')
  const related = [...table.relations.values()].filter(
    ({ name, target }) => shown.includes(name) && root.includes(target),
  )
  const columnsOf = (type: string): string[] => fieldsOf(schema, type).filter(name => comparable(table, name))
  return {
    table,
    columns: shown.filter(name => table.columns.has(name)),
    objects: related.filter(({ kind }) => kind === 'object').map(({ name }) => name),
    arrays: related.filter(({ kind }) => kind === 'array').map(({ name }) => name),
    comparisons: comparisonsOf(schema, table),
    sortable: columnsOf(`${table.name}_order_by`),
    distinct: columnsOf(`${table.name}_select_column`),
    totals: new Map(operations.map(name => [name, columnsOf(`${table.name}_${name}_fields`)])),
    hasByKey: root.includes(`${table.name}_by_pk`),
    hasGroups: fieldsOf(schema, `${table.name}_aggregate`).includes('groups'),
  }
}

/** Tables without a key are left out: their order is not defined. */
export const readOffers = (schema: GraphQLSchema, structure: Structure): Offers => {
  const root = fieldsOf(schema, schema.getQueryType()?.name ?? '')
  const tables = [...structure.values()].filter(({ name, key }) => root.includes(name) && key.length > 0)
  return new Map(tables.map(table => [table.name, offerOf(schema, table)]))
}
