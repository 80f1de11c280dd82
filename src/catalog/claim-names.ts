// Everything that wants a name in GraphQL → what gets it. Every name is given once, so that the schema can always be built:
// whoever comes second, in alphabetical order, is left out, with a line for the log.
import type { Column, ComputedField, TableFunction, UniqueKey } from './model.ts'
import { reservedTypeNames, rootFieldsOf, typeNamesOf } from './taken-names.ts'
import type { ValueType } from './value-type.ts'

interface Named {
  readonly name: string
  readonly relation: string
  readonly columns: ReadonlyMap<string, Column>
  readonly primaryKey: readonly Column[] | undefined
  readonly uniqueKeys: readonly UniqueKey[]
}

export interface Claims {
  readonly roots: Set<string>
  readonly types: Set<string>
  /** Which type of the database a GraphQL name stands for. */
  readonly values: Map<string, string>
  readonly leftOut: string[]
}

export const createClaims = (): Claims => ({
  roots: new Set(),
  types: new Set(reservedTypeNames),
  values: new Map(),
  leftOut: [],
})

const builtIn = new Set(['Int', 'Float', 'String', 'Boolean'])

const whyNotTable = (table: Named, { roots, types }: Claims): string | undefined => {
  const taken = [
    ...rootFieldsOf(table).filter(name => roots.has(name)),
    ...typeNamesOf(table.name).filter(name => types.has(name)),
  ]
  if (taken.length > 0) return `the name ${taken[0]} is taken`
  // Without one its rows could be neither sorted nor grouped, and GraphQL has no empty types.
  return [...table.columns.values()].some(({ type }) => type.ordered)
    ? undefined
    : 'it has no column whose values can be compared'
}

export const claimTable = (table: Named, claims: Claims): boolean => {
  const reason = whyNotTable(table, claims)
  if (reason !== undefined) {
    claims.leftOut.push(`table ${JSON.stringify(table.relation)}: ${reason}`)
    return false
  }
  for (const name of rootFieldsOf(table)) claims.roots.add(name)
  for (const name of typeNamesOf(table.name)) claims.types.add(name)
  return true
}

/** False when a type of the database is called as one of ours, or as another of the database's. */
const claimValue = (type: ValueType, { types, values }: Claims): boolean => {
  const element = type.element ?? type
  if (builtIn.has(element.graphql)) return true
  const known = values.get(element.graphql)
  if (known !== undefined) return known === element.sql
  const names = ['', '_comparison_exp', '_array_comparison_exp'].map(suffix => element.graphql + suffix)
  if (names.some(name => types.has(name))) return false
  for (const name of names) types.add(name)
  values.set(element.graphql, element.sql)
  return true
}

export const claimColumns = <T extends Named>(table: T, claims: Claims): T => {
  const refused = [...table.columns.values()].filter(({ type }) => !claimValue(type, claims))
  for (const { column } of refused)
    claims.leftOut.push(`column ${JSON.stringify(`${table.relation}.${column}`)}: the name of its type is taken`)
  if (refused.length === 0) return table
  const keep = (column: Column): boolean => !refused.includes(column)
  return {
    ...table,
    columns: new Map([...table.columns].filter(([, column]) => keep(column))),
    primaryKey: table.primaryKey?.every(keep) === true ? table.primaryKey : undefined,
    uniqueKeys: table.uniqueKeys.filter(({ columns }) => columns.every(keep)),
  }
}

const claimArguments = (
  name: string,
  { arguments: all }: Pick<TableFunction, 'arguments'>,
  claims: Claims,
): boolean => {
  if (!all.every(({ type }) => claimValue(type, claims))) return false
  const free = all.length === 0 || !claims.types.has(`${name}_args`)
  if (all.length > 0) claims.types.add(`${name}_args`)
  return free
}

export const claimFunction = (one: TableFunction, claims: Claims): boolean => {
  const names = [one.name, `${one.name}_aggregate`]
  const free = names.every(name => !claims.roots.has(name)) && claimArguments(one.name, one, claims)
  if (!free) claims.leftOut.push(`function ${JSON.stringify(one.function)}: its name, or that of a type, is taken`)
  for (const name of free ? names : []) claims.roots.add(name)
  return free
}

export const claimComputed = (table: string, field: ComputedField, fields: Set<string>, claims: Claims): boolean => {
  const free =
    !fields.has(field.name) && claimValue(field.type, claims) && claimArguments(`${table}_${field.name}`, field, claims)
  if (!free) claims.leftOut.push(`function ${JSON.stringify(field.function)}: its name, or that of a type, is taken`)
  fields.add(field.name)
  return free
}
