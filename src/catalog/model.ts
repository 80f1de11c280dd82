// What the API is made of: tables, columns, relations, keys and functions with their GraphQL names and scopes. Only data.
import type { DataSchema } from '../db/data-schema.ts'
import type { ValueType } from './value-type.ts'

export interface Deprecation {
  readonly reason: string
  /** The day it was deprecated, `2026-11-01`, where the comment says so. */
  readonly since: string | undefined
}

export interface Column {
  readonly kind: 'column'
  /** In GraphQL. */
  readonly name: string
  /** In the database. */
  readonly column: string
  readonly type: ValueType
  readonly notNull: boolean
  readonly description: string | undefined
  readonly deprecation: Deprecation | undefined
  /** Where its exact value stands for those who may see it; all others see what the column itself holds. */
  readonly exact?: Exact
}

/** A value in a relation under row-level security, found by the row's own key. Names are the database's. */
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

/** A row's neighbours: one row (`object`) or many (`array`). Tables are named, so that the model stays a tree. */
export interface Relation {
  readonly kind: 'object' | 'array'
  readonly name: string
  readonly target: string
  /** Pairs of columns, in the database's names: of this table and of the target. */
  readonly join: readonly (readonly [own: string, target: string])[]
  /** Whether there is always a neighbour: the foreign key holds for all rows, its columns are all not null, and nothing hides the row. */
  readonly required: boolean
  readonly description: string | undefined
}

export interface Argument {
  readonly name: string
  readonly type: ValueType
  readonly hasDefault: boolean
  /** Null may be given for it. */
  readonly nullable: boolean
  readonly variadic: boolean
  /** It, or one after it, has no name in the database: it is given by its place. */
  readonly positional: boolean
}

/** A function of a row, shown as one more field of it. */
export interface ComputedField {
  readonly kind: 'computed'
  readonly name: string
  readonly function: string
  readonly arguments: readonly Argument[]
  readonly type: ValueType
  /** What it asks for beyond the scopes of its table. */
  readonly scopes: readonly string[]
  readonly description: string | undefined
}

/** A function of a row that gives rows of a table: a list within the row, or one row. */
export interface ComputedRows {
  readonly kind: 'computed-rows'
  readonly name: string
  readonly function: string
  /** The table whose rows it gives. */
  readonly target: string
  /** One row at most, not a list. */
  readonly single: boolean
  readonly arguments: readonly Argument[]
  /** What it asks for beyond the scopes of the two tables. */
  readonly scopes: readonly string[]
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
  readonly rowSecurity: boolean
  /** Undefined where it is not known, or where counts would tell of people. */
  readonly size: TableSize | undefined
  /** Rows about people: reads are recorded, and totals keep the rule of small groups. */
  readonly personal: Personal | undefined
  /** What a user sees: rows whose column is in the array that the function gives, for one of the pairs. */
  readonly userRows: readonly ListedRows[]
  /** Those of them that are the user's own. */
  readonly ownRows: readonly ListedRows[]
  /** Rows of which the reader sees everything. */
  readonly fullRows: FullRows | undefined
  /** Columns, in the database's names, one of which totals must be filtered by; empty where all rows may be counted. */
  readonly totalsBy: readonly string[]
  /** The column, in the database's name, that is null while a row is alive. */
  readonly softDelete: string | undefined
}

/** Rows whose column is in the array that the function gives. */
export type ListedRows = readonly [column: string, function: string]

/** Rows whose column is in the array that `list` gives; all rows when `all` gives the lowest value. */
export interface FullRows {
  readonly column: string
  readonly list: string
  readonly all: string
}

/** By the planner's statistics, roughly. */
export interface TableSize {
  readonly rows: number
  /** How many different values a column has, by its name in the database. */
  readonly distinct: ReadonlyMap<string, number>
}

interface Personal {
  /** Columns, in the database's names, of which the first that is not null tells who it is; none: every row is a person. */
  readonly personColumns: readonly string[]
  /** Columns, in the database's names, whose values divide people into the groups that totals for others are made of. */
  readonly groups: readonly string[]
}

/** A function that returns rows of an exposed table. */
export interface TableFunction {
  readonly name: string
  readonly function: string
  readonly table: string
  /** One row at most, not a list. */
  readonly single: boolean
  readonly arguments: readonly Argument[]
  readonly scopes: readonly string[]
  readonly description: string | undefined
}

export interface Model {
  /** The major version of PostgreSQL. */
  readonly server: number
  readonly schema: DataSchema
  readonly tables: ReadonlyMap<string, Table>
  readonly functions: ReadonlyMap<string, TableFunction>
  /** What could not be exposed, in words for the log. */
  readonly leftOut: readonly string[]
}
