// Drafts of tables, their keys, functions and types → what each of them claims.
import type { Draft } from './build-drafts.ts'
import type { Built } from './build-functions.ts'
import type { Claimant } from './claim-names.ts'
import type { Argument, ComputedField, ComputedRows, TableFunction, UniqueKey } from './model.ts'
import type { RawType } from './raw-catalog.ts'
import {
  keyRootOf,
  mutationsOf,
  primaryRootOf,
  tableRootsOf,
  typeNamesOf,
  valueTypeNamesOf,
  writingTypeNamesOf,
} from './taken-names.ts'
import type { TypeLookup, ValueType } from './value-type.ts'

const builtIn = new Set(['Int', 'Float', 'String', 'Boolean'])

const singleOf = (type: ValueType): ValueType => type.element ?? type

const typeClaimant = (oid: number, { graphql }: ValueType): Claimant => ({
  oid,
  label: undefined,
  roots: [],
  mutations: [],
  types: valueTypeNamesOf(graphql),
  needs: [],
})

/** By the name to cast to: built-in types, and those of the database that are used. */
export const typeClaimants = (
  all: readonly RawType[],
  types: TypeLookup,
  used: readonly ValueType[],
): Map<string, Claimant> => {
  const names = new Set(used.map(type => singleOf(type).sql))
  const singles = all.flatMap(raw => {
    const type = raw.kind === 'd' || raw.element !== null ? undefined : types(raw.oid)
    const counts = type !== undefined && (raw.schema === 'pg_catalog' || names.has(type.sql))
    return counts && !builtIn.has(type.graphql) ? [[type.sql, typeClaimant(raw.oid, type)] as const] : []
  })
  return new Map(singles)
}

/** Stands for a type that nobody claims: whatever depends on it is left out. */
const nobody: Claimant = { oid: 0, label: undefined, roots: [], mutations: [], types: [], needs: [] }

export const needsOf = (type: ValueType, claimed: ReadonlyMap<string, Claimant>): Claimant[] => {
  const single = singleOf(type)
  return builtIn.has(single.graphql) ? [] : [claimed.get(single.sql) ?? nobody]
}

export const tableClaimant = ({ raw, name }: Draft): Claimant => ({
  oid: raw.oid,
  label: `table ${JSON.stringify(raw.name)}`,
  roots: tableRootsOf(name),
  mutations: [],
  types: typeNamesOf(name),
  needs: [],
})

/** As old as the table, so that no younger one takes the names. */
export const writingClaimant = ({ raw, name, writing }: Draft, table: Claimant): Claimant | undefined =>
  writing && {
    oid: raw.oid,
    label: `writing to ${JSON.stringify(raw.name)}`,
    roots: [],
    mutations: mutationsOf(name),
    types: writingTypeNamesOf(name),
    needs: [table],
  }

const keyClaimant = (oid: number, root: string, table: Claimant): Claimant => ({
  oid,
  label: `key ${root}`,
  roots: [root],
  mutations: [],
  types: [],
  needs: [table],
})

/** A key declared by a view has no age: whatever else has the name keeps it. */
export const primaryClaimant = ({ raw, name, primaryKey }: Draft, table: Claimant): Claimant | undefined => {
  const own = raw.uniqueKeys.find(({ primary }) => primary)
  return primaryKey === undefined
    ? undefined
    : keyClaimant(own?.oid ?? Number.MAX_SAFE_INTEGER, primaryRootOf(name), table)
}

export const uniqueClaimant = ({ raw, name }: Draft, key: UniqueKey, table: Claimant): Claimant => {
  const columns = key.columns.map(({ column }) => column).join()
  const own = raw.uniqueKeys.filter(one => !one.primary && one.columns.join() === columns)
  return keyClaimant(Math.min(...own.map(({ oid }) => oid)), keyRootOf(name, key), table)
}

interface Home {
  readonly table: Claimant
  readonly types: ReadonlyMap<string, Claimant>
}

const argumentTypes = (name: string, all: readonly Argument[]): string[] => (all.length === 0 ? [] : [`${name}_args`])

export const functionClaimant = ({ oid, shown }: Built<TableFunction>, { table, types }: Home): Claimant => ({
  oid,
  label: `function ${JSON.stringify(shown.function)}`,
  roots: shown.single ? [shown.name] : tableRootsOf(shown.name),
  mutations: [],
  types: argumentTypes(shown.name, shown.arguments),
  needs: [table, ...shown.arguments.flatMap(({ type }) => needsOf(type, types))],
})

export const actionClaimant = (built: Built<TableFunction>, home: Home): Claimant => ({
  ...functionClaimant(built, home),
  roots: [],
  mutations: [built.shown.name],
})

/** With arguments, filtering needs an input type of its own, and so does sorting by a value. */
const computedTypes = (name: string, { kind, arguments: all }: ComputedField | ComputedRows): string[] =>
  all.length === 0
    ? []
    : [...argumentTypes(name, all), `${name}_bool_exp`, ...(kind === 'computed' ? [`${name}_order_by`] : [])]

export const computedClaimant = (
  { oid, shown }: Built<ComputedField | ComputedRows>,
  tableName: string,
  { table, types, target }: Home & { readonly target: Claimant | undefined },
): Claimant => ({
  oid,
  label: `function ${JSON.stringify(shown.function)}`,
  roots: [],
  mutations: [],
  types: computedTypes(`${tableName}_${shown.name}`, shown),
  needs: [
    table,
    ...(target === undefined ? [] : [target]),
    ...shown.arguments.flatMap(({ type }) => needsOf(type, types)),
    ...(shown.kind === 'computed' ? needsOf(shown.type, types) : []),
  ],
})
