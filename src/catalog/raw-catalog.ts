// A schema of the live database → the rows of its catalogue, as returned by catalog.sql.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { DataSchema } from '../db/data-schema.ts'
import type { Queryable } from '../db/database.ts'
import { type ReaderGroup, writerGroups } from '../db/roles.ts'
import { joinSql, rawSql, type Sql, sql } from '../db/sql.ts'

export type Patterns = 'all' | 'like' | 'none'

export interface RawColumn {
  readonly name: string
  readonly type: number
  /** The declared number of array dimensions. */
  readonly dimensions: number
  /** Whether no row has a null: an unvalidated constraint guarantees nothing. */
  readonly notNull: boolean
  /** The approximate number of distinct values, rounded down. */
  readonly distinct: number | null
  /** A row gets a value without anybody sending one. */
  readonly hasDefault: boolean
  /** Nobody may send a value: it is calculated, or always an identity. */
  readonly generated: boolean
  readonly comment: string | null
  /** The patterns that its own collation supports. */
  readonly patterns: Patterns
  /** Whether the reader role may already select it. */
  readonly readable: boolean
  /** Whether the writer role may already set it. */
  readonly insertable: boolean
  readonly updatable: boolean
}

export interface RawUniqueKey {
  readonly oid: number
  readonly name: string
  readonly primary: boolean
  readonly columns: readonly string[]
}

/** Any unique index, partial or over expressions too. */
export interface RawUniqueIndex {
  readonly name: string
  /** The primary key or unique constraint that it implements. */
  readonly constraint: string | null
  readonly comment: string | null
  /** Columns and expressions as SQL. */
  readonly keys: readonly string[]
  readonly predicate: string | null
  /** The columns among its keys. */
  readonly columns: readonly string[]
  /** The columns in its expressions and its predicate, and perhaps those among its keys. */
  readonly depends: readonly string[]
  /** Whether `on conflict` accepts it. */
  readonly arbiter: boolean
}

/** A check constraint of the table or of a column's domain, or an exclusion constraint. */
interface RawCheck {
  readonly name: string
  readonly exclusion: boolean
  readonly comment: string | null
  readonly columns: readonly string[]
}

export interface RawForeignKey {
  readonly oid: number
  readonly name: string
  readonly comment: string | null
  readonly target: number
  /** Whether it is validated for existing rows. */
  readonly validated: boolean
  readonly columns: readonly string[]
  readonly targetColumns: readonly string[]
}

interface RawSequence {
  /** Quoted and qualified. */
  readonly name: string
  /** Whether the writer role may already take values. */
  readonly advanceable: boolean
}

/** A function or operator that a view calls, through other views too. */
export interface RawCalled {
  /** Null if it is not known. */
  readonly name: string | null
  /** One of PostgreSQL's own. */
  readonly system: boolean | null
  readonly immutable: boolean | null
  readonly comment: string | null
}

/** What a view is made of, through other views too. */
export interface RawMade {
  /** Anything but views, by oid. */
  readonly relations: readonly number[]
  readonly functions: readonly RawCalled[]
  /** What it shows depends on the time, the user or chance. */
  readonly timely: boolean
}

export interface RawRelation {
  readonly oid: number
  readonly name: string
  /** r: table, p: partitioned table, v: view, m: materialized view, f: foreign table */
  readonly kind: 'r' | 'p' | 'v' | 'm' | 'f'
  readonly rowType: number
  /** Which rows are visible depends on the reader. */
  readonly rowSecurity: boolean
  /** Row-level security hides some rows, from this reader or from everybody. */
  readonly filtered: boolean
  /** Row-level security is enabled. */
  readonly policies: boolean
  /** Whether every trigger of the change log is in force, on its partitions and children too. */
  readonly logged: boolean
  /** Null unless it is a view. */
  readonly made: RawMade | null
  readonly comment: string | null
  readonly readable: boolean
  /** Whether the reader role may change anything, which it must not. */
  readonly writtenByReader: boolean
  /** Whether the writer role may delete rows. */
  readonly deletable: boolean
  /** Whether the writer role may truncate it or add triggers, which it must not. */
  readonly emptiable: boolean
  /** The sequences that its defaults use. */
  readonly sequences: readonly RawSequence[]
  /** The approximate number of rows, rounded up; null if unknown or not public. */
  readonly rows: number | null
  readonly columns: readonly RawColumn[]
  readonly uniqueKeys: readonly RawUniqueKey[]
  readonly uniqueIndexes: readonly RawUniqueIndex[]
  readonly foreignKeys: readonly RawForeignKey[]
  readonly checks: readonly RawCheck[]
}

export interface RawType {
  readonly oid: number
  readonly schema: string
  readonly name: string
  /** b: base, c: composite, d: domain, e: enum, p: pseudo, r: range, m: multirange */
  readonly kind: 'b' | 'c' | 'd' | 'e' | 'p' | 'r' | 'm'
  readonly category: string
  readonly base: number | null
  readonly element: number | null
  readonly comment: string | null
  readonly ordered: boolean
  /** The schema of its operators, if it is not pg_catalog. */
  readonly operators: string | null
  /** The operators that sort its values, by its own rules. */
  readonly below: string | null
  readonly above: string | null
  /** Whether the reader role may already use its schema. */
  readonly readable: boolean
  /** Whether it may, or can be granted the right to. */
  readonly usable: boolean
  readonly labels: readonly string[] | null
}

export interface RawArgument {
  /** Empty if it has none. */
  readonly name: string
  readonly type: number
  readonly hasDefault: boolean
  /** The last one, if it is variadic. */
  readonly variadic: boolean
}

export interface RawFunction {
  readonly oid: number
  readonly name: string
  /** Name and argument types, quoted, as grants need them. */
  readonly signature: string
  readonly returnsSet: boolean
  readonly returnType: number
  readonly comment: string | null
  readonly executable: boolean
  /** Whether the writer role may already execute it. */
  readonly callable: boolean
  readonly arguments: readonly RawArgument[]
  readonly volatile: boolean
  readonly immutable: boolean
  /** No default of an argument is calculated, such as `current_date`. */
  readonly constantDefaults: boolean
  /** It is not called if an argument is null. */
  readonly strict: boolean
  /** It runs with its owner's rights. */
  readonly definer: boolean
  readonly onlyInputs: boolean
}

export interface RawCatalog {
  /** The major version of PostgreSQL. */
  readonly server: number
  /** Whether the reader role may use the schema. */
  readonly readable: boolean
  readonly relations: readonly RawRelation[]
  readonly types: readonly RawType[]
  readonly functions: readonly RawFunction[]
  /** The signatures of functions that are not hidden and whose execution was granted to the writer role by name. */
  readonly granted: readonly string[]
}

const catalogSql = readFileSync(new URL('catalog.sql', import.meta.url), 'utf8')

/** Another one means that other things are read, or under other names. */
export const CATALOGUE_FORM = createHash('sha256').update(catalogSql).digest('hex').slice(0, 16)

const catalogQuery = (values: readonly string[]): Sql =>
  joinSql(
    catalogSql
      .split(/\$(\d)/)
      .map((piece, index) => (index % 2 === 0 ? rawSql(piece) : sql`${values[Number(piece) - 1]}::text`)),
    '',
  )

/** Its text does not say which tables are logged: creating the triggers of the change log must not look like a new structure. */
export const parseCatalog = (text: string, logged: ReadonlySet<number> = new Set()): RawCatalog => {
  const catalog = JSON.parse(text) as RawCatalog
  return { ...catalog, relations: catalog.relations.map(raw => ({ ...raw, logged: logged.has(raw.oid) })) }
}

/** The catalogue as text: the same structure gives the same text, so comparing texts shows whether anything changed. */
export const readCatalogText = async (database: Queryable, schema: DataSchema, reader: ReaderGroup): Promise<string> =>
  (await database.first<{ catalog: string }>(catalogQuery([schema, reader, writerGroups[schema]])))?.catalog ?? ''
