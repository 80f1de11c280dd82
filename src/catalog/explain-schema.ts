// The live database → what the API exposes and what it does not, each with the reason: for people who miss something.
import type { DataSchema } from '../db/data-schema.ts'
import type { Queryable } from '../db/database.ts'
import type { ReaderGroup } from '../db/roles.ts'
import { sql } from '../db/sql.ts'
import { readComment } from './annotations.ts'
import type { ModelOptions } from './build-drafts.ts'
import { buildModel } from './build-model.ts'
import type { Model } from './model.ts'
import { parseCatalog, type RawCatalog, readCatalogText } from './raw-catalog.ts'

interface NotShown {
  /** `table "x"`, `function "y"`, `relationship a.b`. */
  readonly what: string
  readonly reason: string
}

export interface ExplainedSchema {
  readonly tables: readonly string[]
  readonly functions: readonly string[]
  readonly relationships: readonly string[]
  /** The tables that mutations may write. */
  readonly writable: readonly string[]
  readonly notShown: readonly NotShown[]
}

const HIDDEN = 'its comment says @hidden'

const isHidden = ({ comment }: { readonly comment: string | null }): boolean =>
  readComment(comment).annotations.has('hidden')

const hiddenThings = ({ relations, functions }: RawCatalog): NotShown[] => [
  ...relations.filter(isHidden).map(({ name }) => ({ what: `table ${JSON.stringify(name)}`, reason: HIDDEN })),
  ...relations
    .filter(relation => !isHidden(relation))
    .flatMap(({ name, columns }) =>
      columns
        .filter(isHidden)
        .map(column => ({ what: `column ${JSON.stringify(`${name}.${column.name}`)}`, reason: HIDDEN })),
    ),
  ...functions.filter(isHidden).map(({ name }) => ({ what: `function ${JSON.stringify(name)}`, reason: HIDDEN })),
]

const shownFunctions = ({ tables, functions, actions }: Model): Set<string> =>
  new Set([
    ...[...functions.values(), ...actions.values()].map(one => one.function),
    ...[...tables.values()].flatMap(table =>
      [...table.computed.values(), ...table.computedRows.values()].map(one => one.function),
    ),
  ])

/** Functions in the catalogue that are unrelated to what is exposed. */
const unrelated = ({ functions }: RawCatalog, model: Model, said: ReadonlySet<string>): NotShown[] => {
  const shown = shownFunctions(model)
  return functions
    .map(({ name }) => ({ name, what: `function ${JSON.stringify(name)}` }))
    .filter(({ name, what }) => !shown.has(name) && !said.has(what))
    .map(({ what }) => ({
      what,
      reason: 'it returns no rows of a shown table, and is not called after a shown table whose row it takes',
    }))
}

interface Uncatalogued {
  readonly oid: number
  readonly name: string
  readonly kind: string
  readonly volatile: boolean
}

const whyUncatalogued = ({ kind, volatile }: Uncatalogued): string => {
  if (kind !== 'f') return 'it is a procedure, an aggregate or a window function'
  return volatile ? 'it is VOLATILE: it may change data, and its comment does not say @mutation' : 'it is a trigger'
}

/** Functions that the catalogue query excludes; those of extensions are never exposed. */
const uncatalogued = async (
  database: Queryable,
  schema: DataSchema,
  { functions }: RawCatalog,
): Promise<NotShown[]> => {
  const catalogued = new Set(functions.map(({ oid }) => oid))
  const found = await database.query<Uncatalogued>(sql`
    select proc.oid::int8::float8 as oid, proc.proname as name, proc.prokind as kind, proc.provolatile = 'v' as volatile
    from pg_proc proc join pg_namespace home on home.oid = proc.pronamespace
    where home.nspname = ${schema} and proc.prorettype <> 'trigger'::regtype
      and (proc.prokind <> 'f' or proc.provolatile = 'v')
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = proc.oid and deptype = 'e')
    order by name`)
  return found
    .filter(({ oid }) => !catalogued.has(oid))
    .map(one => ({ what: `function ${JSON.stringify(one.name)}`, reason: whyUncatalogued(one) }))
}

const readLine = (line: string): NotShown => {
  const end = line.indexOf(': ')
  return { what: line.slice(0, end), reason: line.slice(end + 2) }
}

export interface ExplainOptions extends ModelOptions {
  readonly reader: ReaderGroup
}

export const explainSchema = async (database: Queryable, options: ExplainOptions): Promise<ExplainedSchema> => {
  const { schema, reader } = options
  const catalog = parseCatalog(await readCatalogText(database, schema, reader))
  const model = buildModel(catalog, options)
  const known = [...model.leftOut.map(readLine), ...hiddenThings(catalog)]
  const said = new Set(known.map(({ what }) => what))
  const notShown = [...known, ...unrelated(catalog, model, said), ...(await uncatalogued(database, schema, catalog))]
  return {
    tables: [...model.tables.keys()],
    functions: [...shownFunctions(model)],
    relationships: [...model.tables.values()].flatMap(table =>
      [...table.relations.keys()].map(name => `${table.name}.${name}`),
    ),
    writable: [...model.tables.values()].filter(({ writing }) => writing !== undefined).map(({ name }) => name),
    notShown: notShown.toSorted((one, other) => (one.what < other.what ? -1 : 1)),
  }
}
