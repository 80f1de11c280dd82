// Raw catalogue → model: what is exposed, under which names and scopes. Pure: the same rows give the same model.
import { readComment, wordsOf } from './annotations.ts'
import { buildColumns } from './build-columns.ts'
import { buildFunctions } from './build-functions.ts'
import { buildRelations, type TableOutline } from './build-relations.ts'
import type { Column, ComputedField, Model, Relation, Table, TableFunction, UniqueKey } from './model.ts'
import { isGraphqlName, prefixOf, scopesOfPrefix } from './names.ts'
import type { DataSchema, RawCatalog, RawRelation } from './raw-catalog.ts'
import { reservedTypeNames, rootFieldsOf, typeNamesOf } from './taken-names.ts'
import { createTypeLookup, type TypeLookup } from './value-type.ts'

type Draft = Omit<Table, 'relations' | 'computed'> & { readonly raw: RawRelation }

const exposedScopes = (raw: RawRelation, knownScopes: readonly string[]): readonly string[] | string => {
  const scopes = wordsOf(readComment(raw.comment).annotations.get('scope'))
  const unknown = scopes.filter(scope => !knownScopes.includes(scope))
  if (unknown.length > 0) return `its comment names an unknown scope (${unknown.join(', ')})`
  return scopes.length > 0 ? scopes : scopesOfPrefix(raw.name)
}

const findColumns = (names: readonly string[], columns: ReadonlyMap<string, Column>): Column[] | undefined => {
  const found = names.flatMap(name => [...columns.values()].find(({ column }) => column === name) ?? [])
  return found.length === names.length && names.length > 0 ? found : undefined
}

/** A view has no key of its own: `@key masjid_id, date` declares one. */
const primaryKeyOf = (raw: RawRelation, columns: ReadonlyMap<string, Column>): Column[] | undefined => {
  const declared = wordsOf(readComment(raw.comment).annotations.get('key'))
  const names = raw.uniqueKeys.find(({ primary }) => primary)?.columns ?? declared
  return findColumns(names, columns)
}

const uniqueKeysOf = (raw: RawRelation, columns: ReadonlyMap<string, Column>): UniqueKey[] => {
  const keys = new Map<string, UniqueKey>()
  for (const { primary, columns: names } of raw.uniqueKeys) {
    const found = primary ? undefined : findColumns(names, columns)
    if (found === undefined) continue
    const name = found.map(column => column.name).join('_')
    if (!keys.has(name)) keys.set(name, { name, columns: found })
  }
  return [...keys.values()]
}

/** `@user_rows member_id own_members, masjid_id masjids_in_full` */
const userRowsOf = (text: string | undefined): (readonly [string, string])[] =>
  (text ?? '').split(',').flatMap(pair => {
    const [column, name] = wordsOf(pair)
    return column === undefined || name === undefined ? [] : [[column, name] as const]
  })

const buildDraft = (raw: RawRelation, schema: DataSchema, types: TypeLookup, scopes: readonly string[]): Draft => {
  const { annotations, description } = readComment(raw.comment)
  const { columns } = buildColumns(raw, types)
  const softDelete = annotations.get('soft_delete')
  return {
    raw,
    kind: raw.kind === 'v' || raw.kind === 'm' ? 'view' : 'table',
    name: annotations.get('name') ?? raw.name,
    schema,
    relation: raw.name,
    description,
    scopes,
    columns,
    primaryKey: primaryKeyOf(raw, columns),
    uniqueKeys: uniqueKeysOf(raw, columns),
    rowSecurity: raw.rowSecurity,
    personal: annotations.has('personal') ? { personColumns: wordsOf(annotations.get('personal')) } : undefined,
    userRows: userRowsOf(annotations.get('user_rows')),
    softDelete: raw.columns.some(({ name }) => name === softDelete) ? softDelete : undefined,
  }
}

const outlineOf = (draft: Draft): TableOutline => ({
  raw: draft.raw,
  name: draft.name,
  taken: new Set([...draft.columns.keys(), '_cursor', '_and', '_or', '_not']),
  mayHide: draft.softDelete !== undefined || draft.rowSecurity,
})

export interface ModelOptions {
  readonly schema: DataSchema
  readonly knownScopes: readonly string[]
}

const whyNot = (raw: RawRelation, scopes: readonly string[] | string): string | undefined => {
  const name = readComment(raw.comment).annotations.get('name') ?? raw.name
  if (prefixOf(raw.name) === undefined) return 'it has no prefix of an app'
  if (!isGraphqlName(name)) return 'its name is no GraphQL name; give it one with a comment "@name …"'
  return typeof scopes === 'string' ? scopes : undefined
}

/** Every name in the API is given once; whoever comes second, in alphabetical order, is left out. */
const claimNames = (
  drafts: readonly Draft[],
  leftOut: string[],
): { kept: Draft[]; roots: Set<string>; types: Set<string> } => {
  const roots = new Set<string>()
  const types = new Set(reservedTypeNames)
  const kept = drafts.filter(draft => {
    const names = { roots: rootFieldsOf(draft), types: typeNamesOf(draft.name) }
    const clash = [...names.roots.filter(name => roots.has(name)), ...names.types.filter(name => types.has(name))]
    if (draft.columns.size === 0 || clash.length > 0)
      leftOut.push(
        `table ${JSON.stringify(draft.relation)}: ${clash.length > 0 ? `${clash[0]} is taken` : 'it has no columns to show'}`,
      )
    if (draft.columns.size === 0 || clash.length > 0) return false
    for (const name of names.roots) roots.add(name)
    for (const name of names.types) types.add(name)
    return true
  })
  return { kept, roots, types }
}

const keepFunctions = (
  all: readonly TableFunction[],
  roots: Set<string>,
  leftOut: string[],
): Map<string, TableFunction> => {
  const kept = new Map<string, TableFunction>()
  for (const one of all) {
    const names = [one.name, `${one.name}_aggregate`]
    if (names.some(name => roots.has(name))) leftOut.push(`function ${JSON.stringify(one.function)}: its name is taken`)
    else kept.set(one.name, one)
    for (const name of names) roots.add(name)
  }
  return kept
}

const fieldsTaken = (draft: Draft, relations: ReadonlyMap<string, Relation>): Set<string> =>
  new Set([...draft.columns.keys(), ...[...relations.keys()].flatMap(name => [name, `${name}_aggregate`]), '_cursor'])

const keepComputed = (
  draft: Draft,
  relations: ReadonlyMap<string, Relation>,
  all: readonly (readonly [string, ComputedField])[],
): Map<string, ComputedField> => {
  const taken = fieldsTaken(draft, relations)
  const own = all.filter(([table, field]) => table === draft.name && !taken.has(field.name))
  return new Map(own.map(([, field]) => [field.name, field]))
}

export const buildModel = (catalog: RawCatalog, { schema, knownScopes }: ModelOptions): Model => {
  const leftOut: string[] = []
  const types = createTypeLookup(catalog.types)
  const drafts = catalog.relations.flatMap(raw => {
    if (readComment(raw.comment).annotations.has('hidden')) return []
    const scopes = exposedScopes(raw, knownScopes)
    const reason = whyNot(raw, scopes)
    if (reason !== undefined) leftOut.push(`table ${JSON.stringify(raw.name)}: ${reason}`)
    return reason !== undefined || typeof scopes === 'string' ? [] : [buildDraft(raw, schema, types, scopes)]
  })
  const { kept, roots, types: takenTypes } = claimNames(drafts, leftOut)
  const shown = kept.map(draft => withoutClashingTypes(draft, takenTypes, types, leftOut))
  const built = buildRelations(shown.map(outlineOf))
  const rowsOf = (oid: number): Draft | undefined => shown.find(({ raw }) => raw.rowType === oid)
  const found = buildFunctions(catalog.functions, types, rowsOf)
  const functions = keepFunctions(found.functions, roots, leftOut)
  const tables = shown.map(({ raw: _raw, ...draft }): [string, Table] => {
    const relations = built.relations.get(draft.name) ?? new Map()
    return [
      draft.name,
      { ...draft, relations, computed: keepComputed({ ...draft, raw: _raw }, relations, found.computed) },
    ]
  })
  return { schema, tables: new Map(tables), functions, leftOut: [...leftOut, ...built.leftOut, ...found.leftOut] }
}

/** A type of the database that is called like one of ours would break the schema: its columns are left out. */
const withoutClashingTypes = (
  draft: Draft,
  taken: ReadonlySet<string>,
  types: TypeLookup,
  leftOut: string[],
): Draft => {
  const { leftOut: unfit } = buildColumns(draft.raw, types)
  leftOut.push(...unfit)
  const clashing = [...draft.columns.values()].filter(
    ({ type }) => type.family !== 'text' && taken.has(type.graphql) && !builtIn.has(type.graphql),
  )
  for (const column of clashing)
    leftOut.push(`column ${JSON.stringify(`${draft.relation}.${column.column}`)}: the name of its type is taken`)
  const columns = new Map([...draft.columns].filter(([, column]) => !clashing.includes(column)))
  return { ...draft, columns }
}

const builtIn = new Set(['Int', 'Float', 'String', 'Boolean', 'ID'])
