// Raw catalogue → model: what is exposed, under which names and scopes. Pure: the same rows give the same model.
import { readComment, wordsOf } from './annotations.ts'
import { buildColumns } from './build-columns.ts'
import { buildFunctions } from './build-functions.ts'
import { buildRelations, type TableOutline } from './build-relations.ts'
import { claimColumns, claimComputed, claimFunction, claimTable, createClaims } from './claim-names.ts'
import type { Column, Model, Relation, Table, UniqueKey } from './model.ts'
import { isGraphqlName, prefixOf, scopesOfPrefix } from './names.ts'
import type { DataSchema, RawCatalog, RawRelation } from './raw-catalog.ts'
import { createTypeLookup } from './value-type.ts'

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

const buildDraft = (
  raw: RawRelation,
  schema: DataSchema,
  columns: ReadonlyMap<string, Column>,
  scopes: readonly string[],
): Draft => {
  const { annotations, description } = readComment(raw.comment)
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

const takenFields = (draft: Draft, relations: ReadonlyMap<string, Relation>): Set<string> =>
  new Set([...draft.columns.keys(), ...[...relations.keys()].flatMap(name => [name, `${name}_aggregate`]), '_cursor'])

const buildDrafts = (catalog: RawCatalog, { schema, knownScopes }: ModelOptions, leftOut: string[]): Draft[] => {
  const types = createTypeLookup(catalog.types)
  return catalog.relations.flatMap(raw => {
    if (readComment(raw.comment).annotations.has('hidden')) return []
    const scopes = exposedScopes(raw, knownScopes)
    const reason = whyNot(raw, scopes)
    if (reason !== undefined) leftOut.push(`table ${JSON.stringify(raw.name)}: ${reason}`)
    if (reason !== undefined || typeof scopes === 'string') return []
    const built = buildColumns(raw, types)
    leftOut.push(...built.leftOut)
    return [buildDraft(raw, schema, built.columns, scopes)]
  })
}

export const buildModel = (catalog: RawCatalog, options: ModelOptions): Model => {
  const claims = createClaims()
  const { leftOut } = claims
  const drafts = buildDrafts(catalog, options, leftOut)
    .filter(draft => claimTable(draft, claims))
    .map(draft => claimColumns(draft, claims))
  const built = buildRelations(drafts.map(outlineOf))
  const found = buildFunctions(catalog.functions, createTypeLookup(catalog.types), oid =>
    drafts.find(({ raw }) => raw.rowType === oid),
  )
  const functions = found.functions.filter(one => claimFunction(one, claims))
  const tables = drafts.map((draft): [string, Table] => {
    const { raw: _raw, ...shown } = draft
    const relations = built.relations.get(draft.name) ?? new Map()
    const taken = takenFields(draft, relations)
    const computed = found.computed.filter(
      ([table, field]) => table === draft.name && claimComputed(table, field, taken, claims),
    )
    return [draft.name, { ...shown, relations, computed: new Map(computed.map(([, field]) => [field.name, field])) }]
  })
  return {
    server: catalog.server,
    schema: options.schema,
    tables: new Map(tables),
    functions: new Map(functions.map(one => [one.name, one])),
    leftOut: [...leftOut, ...built.leftOut, ...found.leftOut],
  }
}
