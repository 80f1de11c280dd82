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
  readonly primaryKey: readonly Column[] | undefined
  readonly uniqueKeys: readonly UniqueKey[]
  readonly rowSecurity: boolean
  /** Rows about people: reads are recorded, and no aggregate covers fewer than five. */
  readonly personal: Personal | undefined
  /** What a user sees: rows whose column is in the array that the function gives, for one of the pairs. */
  readonly userRows: readonly (readonly [column: string, function: string])[]
  /** The column, in the database's name, that is null while a row is alive. */
  readonly softDelete: string | undefined
}

export interface Personal {
  /** Columns, in the database's names, of which the first that is not null tells who it is; none: every row is a person. */
  readonly personColumns: readonly string[]
}

/** A function that returns rows of an exposed table. */
export interface TableFunction {
  readonly name: string
  readonly function: string
  readonly table: string
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
