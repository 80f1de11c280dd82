// Raw catalogue → model: what is exposed, under which names and scopes. Pure: the same rows give the same model.
import { buildActions } from './build-actions.ts'
import { buildDrafts, type Draft, type ModelOptions } from './build-drafts.ts'
import { type Built, buildFunctions, type RowTypes } from './build-functions.ts'
import { buildRelations, type TableOutline } from './build-relations.ts'
import { buildSources, unknownReads } from './build-sources.ts'
import { giveNames } from './give-names.ts'
import type { ComputedField, ComputedRows, Model, Relation, Table } from './model.ts'
import type { RawCatalog } from './raw-catalog.ts'
import { createTypeLookup } from './value-type.ts'

type Computed = readonly Built<ComputedField | ComputedRows>[]

/** Fields and conditions that every row has: they take precedence over all others. */
const ownFields = ['_cursor', '_and', '_or', '_not']

const computedOf = ({ raw }: Draft, computed: Computed): Computed =>
  computed.filter(({ relation }) => relation === raw.oid).toSorted((one, other) => one.oid - other.oid)

/** Columns have no age: nothing takes a name from them. */
const outlineOf = (draft: Draft, computed: Computed): TableOutline => ({
  raw: draft.raw,
  name: draft.name,
  taken: new Map([
    ...computedOf(draft, computed).map(({ oid, shown }) => [shown.name, oid] as const),
    ...[...draft.columns.keys(), ...ownFields].map(name => [name, 0] as const),
  ]),
  mayHide: draft.softDelete !== undefined || draft.rowSecurity || draft.raw.filtered,
})

type Relations = ReadonlyMap<string, Relation>

const takenFields = (draft: Draft, relations: Relations): Set<string> =>
  new Set([
    ...draft.columns.keys(),
    ...[...relations.values()].flatMap(({ name }) => [name, `${name}_aggregate`]),
    ...ownFields,
  ])

const buildTable = (draft: Draft, relations: Relations, all: Computed, leftOut: string[]): Table => {
  const { raw: _raw, ...shown } = draft
  const taken = takenFields(draft, relations)
  const computed = new Map<string, ComputedField>()
  const computedRows = new Map<string, ComputedRows>()
  for (const { shown: field } of computedOf(draft, all))
    if (taken.has(field.name)) leftOut.push(`function ${JSON.stringify(field.function)}: its name is taken`)
    else {
      taken.add(field.name)
      if (field.kind === 'computed') computed.set(field.name, field)
      else computedRows.set(field.name, field)
    }
  return { ...shown, relations, computed, computedRows }
}

export const buildModel = (catalog: RawCatalog, options: ModelOptions): Model => {
  const lookup = createTypeLookup(catalog.types)
  const drafted = buildDrafts(catalog, lookup, options)
  const rows: RowTypes = oid => drafted.drafts.find(({ raw }) => raw.rowType === oid)
  const found = buildFunctions(catalog.functions, lookup, rows)
  const acting = buildActions(catalog.functions, { types: lookup, rows, knownScopes: options.knownScopes })
  const named = giveNames(drafted.drafts, { ...found, actions: acting.actions }, { raw: catalog.types, lookup })
  const related = buildRelations(named.drafts.map(draft => outlineOf(draft, named.computed)))
  const leftOut = [
    ...drafted.leftOut,
    ...named.leftOut,
    ...related.leftOut,
    ...found.leftOut,
    ...acting.leftOut,
    ...unknownReads(catalog),
  ]
  const tables = named.drafts.map(draft =>
    buildTable(draft, related.relations.get(draft.name) ?? new Map(), named.computed, leftOut),
  )
  return {
    server: catalog.server,
    schema: options.schema,
    tables: new Map(tables.map(table => [table.name, table])),
    functions: new Map(named.functions.map(({ shown }) => [shown.name, shown])),
    actions: new Map(named.actions.map(({ shown }) => [shown.name, shown])),
    writeOnly: new Map(),
    sources: buildSources(catalog, options.schema),
    leftOut,
  }
}
