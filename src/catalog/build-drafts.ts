// Raw relations → drafts of tables: columns, keys and scopes, before names and relationships are assigned.
import type { DataSchema } from '../db/data-schema.ts'
import { readComment, wordsOf } from './annotations.ts'
import { buildColumns } from './build-columns.ts'
import { primaryKeyOf, uniqueKeysOf, whyNoKey } from './build-keys.ts'
import { rulesOf } from './build-rules.ts'
import { buildWriting } from './build-writing.ts'
import { exactColumns } from './exact-columns.ts'
import type { FullRows, ListedRows, Table, TableSize } from './model.ts'
import { isGraphqlName, isWriteScope, prefixOf, scopesOfPrefix } from './names.ts'
import type { RawCatalog, RawRelation } from './raw-catalog.ts'
import type { TypeLookup } from './value-type.ts'

export type Draft = Omit<Table, 'relations' | 'computed' | 'computedRows'> & { readonly raw: RawRelation }

export interface ModelOptions {
  readonly schema: DataSchema
  /** The scopes that reading a table may need. */
  readonly knownScopes: readonly string[]
}

/** A table of what a person wrote themselves may open with the scope that writes it. */
const exposedScopes = (raw: RawRelation, knownScopes: readonly string[]): readonly string[] | string => {
  const scopes = wordsOf(readComment(raw.comment).annotations.get('scope'))
  const unknown = scopes.filter(scope => !knownScopes.includes(scope) && !isWriteScope(scope))
  if (unknown.length > 0) return `its comment names an unknown scope (${unknown.join(', ')})`
  return scopes.length > 0 ? scopes : scopesOfPrefix(raw.name)
}

const whyNot = (raw: RawRelation, scopes: readonly string[] | string): string | undefined => {
  const name = readComment(raw.comment).annotations.get('name') ?? raw.name
  if (prefixOf(raw.name) === undefined) return 'it has no prefix of an app'
  if (!isGraphqlName(name)) return 'its name is no GraphQL name; give it one with a comment "@name …"'
  return typeof scopes === 'string' ? scopes : undefined
}

/** `@user_rows member_id own_members, masjid_id masjids_in_full` */
const listedRowsOf = (text: string | undefined): ListedRows[] =>
  (text ?? '').split(',').flatMap(pair => {
    const [column, name] = wordsOf(pair)
    return column === undefined || name === undefined ? [] : [[column, name] as const]
  })

/** `@full_rows masjid_id masjids_in_full all_in_full` */
const fullRowsOf = (text: string | undefined): FullRows | undefined => {
  const [column, list, all] = wordsOf(text)
  return column === undefined || list === undefined || all === undefined ? undefined : { column, list, all }
}

const personalOf = (annotations: ReadonlyMap<string, string>): Table['personal'] =>
  annotations.has('personal')
    ? { personColumns: wordsOf(annotations.get('personal')), groups: wordsOf(annotations.get('groups')) }
    : undefined

interface Shown {
  readonly schema: DataSchema
  readonly columns: Table['columns']
  readonly scopes: readonly string[]
}

/** Never for a table with people in it: how many there are is private. */
const sizeOf = (raw: RawRelation, personal: boolean): TableSize | undefined => {
  if (personal || raw.rowSecurity || raw.filtered || raw.rows === null) return undefined
  const distinct = raw.columns.flatMap(({ name, distinct: count }) => (count === null ? [] : [[name, count] as const]))
  return { rows: raw.rows, distinct: new Map(distinct) }
}

const buildDraft = (raw: RawRelation, { schema, columns, scopes }: Shown): Draft => {
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
    policies: raw.policies,
    logged: raw.logged,
    writing: undefined,
    rules: rulesOf(raw),
    size: sizeOf(raw, annotations.has('personal')),
    personal: personalOf(annotations),
    userRows: listedRowsOf(annotations.get('user_rows')),
    ownRows: listedRowsOf(annotations.get('own_rows')),
    fullRows: fullRowsOf(annotations.get('full_rows')),
    totalsBy: wordsOf(annotations.get('totals_by')),
    softDelete: raw.columns.some(({ name }) => name === softDelete) ? softDelete : undefined,
    calculated: annotations.has('calculated'),
  }
}

interface BuiltDraft {
  readonly drafts: readonly Draft[]
  readonly leftOut: readonly string[]
}

interface Known {
  readonly relations: readonly RawRelation[]
  readonly types: TypeLookup
}

const draftOf = (raw: RawRelation, { relations, types }: Known, { schema, knownScopes }: ModelOptions): BuiltDraft => {
  if (readComment(raw.comment).annotations.has('hidden')) return { drafts: [], leftOut: [] }
  const scopes = exposedScopes(raw, knownScopes)
  const reason = whyNot(raw, scopes)
  if (reason !== undefined || typeof scopes === 'string')
    return { drafts: [], leftOut: [`table ${JSON.stringify(raw.name)}: ${reason}`] }
  const built = buildColumns(raw, types)
  const exact = exactColumns({ schema, raw, relations }, built.columns)
  const columns = exact.columns
  const leftOut = [...built.leftOut, ...exact.leftOut]
  const noKey = whyNoKey(raw, columns)
  const draft = buildDraft(raw, { schema, columns, scopes })
  const { writing, leftOut: closed } = buildWriting({ raw, table: draft })
  return {
    drafts: [{ ...draft, writing }],
    leftOut: [
      ...leftOut,
      ...(noKey === undefined ? [] : [`the key of ${JSON.stringify(raw.name)}: ${noKey}`]),
      ...closed,
    ],
  }
}

export const buildDrafts = (
  { relations }: Pick<RawCatalog, 'relations'>,
  types: TypeLookup,
  options: ModelOptions,
): BuiltDraft => {
  const built = relations.map(raw => draftOf(raw, { relations, types }, options))
  return { drafts: built.flatMap(one => one.drafts), leftOut: built.flatMap(one => one.leftOut) }
}
