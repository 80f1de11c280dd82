// The model of the API: tables, columns, relations, keys and functions with their GraphQL names and scopes. Only data.
import type { DataSchema } from '../db/data-schema.ts'
import type { ValueType } from './value-type.ts'

export interface Deprecation {
  readonly reason: string
  /** The date it was deprecated, such as `2026-11-01`, if the comment says so. */
  readonly since: string | undefined
}

export interface Column {
  readonly kind: 'column'
  /** The GraphQL name. */
  readonly name: string
  /** The name in the database. */
  readonly column: string
  readonly type: ValueType
  readonly notNull: boolean
  readonly description: string | undefined
  readonly deprecation: Deprecation | undefined
  /** Where its exact value is, for those who may see it; everybody else sees the column's own value. */
  readonly exact?: Exact
  /** Its instants lie close to a date of the same row, which has an index where they have none. */
  readonly near?: NearDate
}

/** From `before` days before midnight UTC of the date until `after` days after it. */
export interface NearDate {
  /** The name in the database. */
  readonly date: string
  readonly before: number
  readonly after: number
}

/** A value in a relation under row-level security, looked up by the row's own key. Names are the database's. */
export interface Exact {
  readonly schema: DataSchema
  readonly relation: string
  readonly key: string
  readonly value: string
  /** The column of the row that `key` is compared with. */
  readonly rowKey: string
}

export interface UniqueKey {
  readonly name: string
  readonly columns: readonly Column[]
}

/** Related rows: one (`object`) or many (`array`). Tables are referred to by name, so that the model stays a tree. */
export interface Relation {
  readonly kind: 'object' | 'array'
  readonly name: string
  readonly target: string
  /** Pairs of column names in the database: of this table and of the target. */
  readonly join: readonly (readonly [own: string, target: string])[]
  /** Which of the two tables has the foreign key. */
  readonly keyIn: 'own' | 'target'
  /** Whether there is always a related row: the foreign key is validated, its columns are not null, and nothing hides the row. */
  readonly required: boolean
  readonly description: string | undefined
}

export interface Argument {
  readonly name: string
  readonly type: ValueType
  readonly hasDefault: boolean
  /** Whether null may be passed. */
  readonly nullable: boolean
  readonly variadic: boolean
  /** It, or one after it, has no name in the database, so it is passed by position. */
  readonly positional: boolean
}

/** Where a function takes the row that it is a field of. */
export interface RowArgument {
  /** Among all arguments of the function, from 0. */
  readonly place: number
  /** The name that it is passed by; undefined: by position. */
  readonly name: string | undefined
}

/** A function of a row, exposed as a field of it. */
export interface ComputedField {
  readonly kind: 'computed'
  readonly name: string
  readonly function: string
  readonly row: RowArgument
  readonly arguments: readonly Argument[]
  readonly type: ValueType
  /** The scopes it requires in addition to those of its table. */
  readonly scopes: readonly string[]
  /** It runs with its owner's rights, so what it returns may depend on who asks. */
  readonly definer: boolean
  readonly description: string | undefined
}

/** A function of a row that returns rows of a table: a list within the row, or one row. */
export interface ComputedRows {
  readonly kind: 'computed-rows'
  readonly name: string
  readonly function: string
  readonly row: RowArgument
  /** The table whose rows it returns. */
  readonly target: string
  /** At most one row, not a list. */
  readonly single: boolean
  readonly arguments: readonly Argument[]
  /** The scopes it requires in addition to those of the two tables. */
  readonly scopes: readonly string[]
  readonly definer: boolean
  readonly description: string | undefined
}

export interface Table {
  readonly kind: 'table' | 'view'
  readonly name: string
  readonly schema: DataSchema
  readonly relation: string
  readonly description: string | undefined
  readonly scopes: readonly string[]
  readonly columns: ReadonlyMap<string, Column>
  readonly relations: ReadonlyMap<string, Relation>
  readonly computed: ReadonlyMap<string, ComputedField>
  readonly computedRows: ReadonlyMap<string, ComputedRows>
  readonly primaryKey: readonly Column[] | undefined
  readonly uniqueKeys: readonly UniqueKey[]
  /** Which rows are visible depends on the reader. */
  readonly rowSecurity: boolean
  /** Row-level security is enabled: its policies decide what may be written. */
  readonly policies: boolean
  /** Every change of its rows is in the change log, by whatever client. Never for a view. */
  readonly logged: boolean
  readonly writing: Writing | undefined
  /** The constraints and unique indexes that writing may violate, by name. */
  readonly rules: ReadonlyMap<string, Rule>
  /** Undefined if unknown, or if counts would reveal something about people. */
  readonly size: TableSize | undefined
  /** Rows about people: reads are logged, and totals follow the rule of small groups. */
  readonly personal: Personal | undefined
  /** What a user sees: rows whose column is in the array that the function returns, for one of the pairs. */
  readonly userRows: readonly ListedRows[]
  /** The ones that are the user's own. */
  readonly ownRows: readonly ListedRows[]
  /** Rows that the reader may see in full. */
  readonly fullRows: FullRows | undefined
  /** Database column names; totals must be filtered by one of them. Empty if all rows may be counted. */
  readonly totalsBy: readonly string[]
  /** The database name of the column that is null unless the row is deleted. */
  readonly softDelete: string | undefined
  /** The service calculates its rows: only functions return them. */
  readonly calculated: boolean
}

/** How a table may be written. Undefined on a table that may not. */
export interface Writing {
  readonly insert: boolean
  readonly update: boolean
  readonly delete: boolean
  /** The scopes that writing requires. */
  readonly scopes: readonly string[]
  /** The columns that an insert may set. */
  readonly insertColumns: readonly Column[]
  /** The columns that an update, or an insert that meets an existing row, may set. */
  readonly updateColumns: readonly Column[]
  /** Raised by a trigger at every update; `if_version` compares it. */
  readonly version: Column | undefined
  /** By their value in the GraphQL enum. */
  readonly conflictTargets: ReadonlyMap<string, ConflictTarget>
}

/** What `on conflict` names: a constraint, or the columns, expressions and predicate that lead to a unique index. */
export interface ConflictTarget {
  /** The name in the database; undefined for an index without a constraint. */
  readonly constraint: string | undefined
  /** SQL from the catalogue, such as `(lower(x), y) where deleted_at is null`; undefined for a constraint. */
  readonly inference: string | undefined
  /** The names in the database of the columns that it compares. */
  readonly columns: readonly string[]
}

/** A rule of the database that a written row must follow. */
export interface Rule {
  readonly kind: 'unique' | 'check' | 'foreign-key' | 'exclusion'
  /** Names in the database. */
  readonly columns: readonly string[]
  /** From the comment on the constraint or index. */
  readonly description: string | undefined
}

/** Rows whose column is in the array that the function returns. */
export type ListedRows = readonly [column: string, function: string]

/** Rows whose column is in the array that `list` returns; all rows if `all` returns the lowest value. */
export interface FullRows {
  readonly column: string
  readonly list: string
  readonly all: string
}

/** Approximate, from the planner's statistics. */
export interface TableSize {
  readonly rows: number
  /** The number of distinct values of a column, by its name in the database. */
  readonly distinct: ReadonlyMap<string, number>
}

interface Personal {
  /** Database column names; the first non-null one identifies the person. None: every row is a person. */
  readonly personColumns: readonly string[]
  /** Database column names whose values divide people into the groups that others' totals are made of. */
  readonly groups: readonly string[]
}

/** A function that returns rows of an exposed table. */
export interface TableFunction {
  readonly name: string
  readonly function: string
  readonly table: string
  /** At most one row, not a list. */
  readonly single: boolean
  /** The service calculates what it returns. */
  readonly calculated: boolean
  readonly arguments: readonly Argument[]
  readonly scopes: readonly string[]
  readonly description: string | undefined
}

/** Which logged tables something is made of, as the change log names them. What is missing here may change without a trace. */
export interface Sources {
  /** By the name of a table or view in the database. */
  readonly relations: ReadonlyMap<string, readonly string[]>
  /** By the name of a function in the database. */
  readonly functions: ReadonlyMap<string, readonly string[]>
  /** By the name of a table or view whose rows each belong to a masjid. */
  readonly byMasjid: ReadonlyMap<string, MasjidRows>
}

/** Rows with the same masjid in a column are made of rows that the change log has under that masjid. */
export interface MasjidRows {
  /** Its name in the database. */
  readonly column: string
  /** The tables that this is true of, as the change log names them. */
  readonly tables: readonly string[]
}

export interface Model {
  /** The major version of PostgreSQL. */
  readonly server: number
  readonly schema: DataSchema
  readonly tables: ReadonlyMap<string, Table>
  readonly functions: ReadonlyMap<string, TableFunction>
  /** Functions that write: VOLATILE, with `@mutation` in their comment. */
  readonly actions: ReadonlyMap<string, TableFunction>
  /** Tables that may be written but not read; none, unless the model is what one credential sees. */
  readonly writeOnly: ReadonlyMap<string, Table>
  readonly sources: Sources
  /** What could not be exposed, worded for the log. */
  readonly leftOut: readonly string[]
}
