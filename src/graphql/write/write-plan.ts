// What one mutation writes, as plain data without SQL: the planner makes it, the compiler turns it into steps.
import type { Column, ConflictTarget, Table, TableFunction } from '../../catalog/model.ts'
import type { Condition, GivenArgument, Join, Plan, Rows, Value } from '../plan/plan.ts'

/** Where an error is reported: the response key, then the argument down to the object, such as `objects`, 17. */
export type ErrorPath = readonly (string | number)[]

export interface SentValue {
  readonly column: Column
  readonly value: Value
}

export interface OnConflict {
  readonly target: ConflictTarget
  /** None: an existing row is left as it is. */
  readonly update: readonly Column[]
  /** On the existing row. */
  readonly where: Condition | undefined
}

/** A row to insert, with the rows that it points to and those that point to it. */
export interface InsertedRow {
  readonly table: Table
  readonly path: ErrorPath
  readonly values: readonly SentValue[]
  readonly conflict: OnConflict | undefined
  /** Inserted first: this row gets its keys from them. */
  readonly before: readonly LinkedRow[]
  /** Inserted afterwards: they get their keys from this row. */
  readonly after: readonly LinkedRow[]
}

export interface LinkedRow {
  /** Pairs of columns in the database: of the row itself, and of the linked one. */
  readonly join: Join
  readonly row: InsertedRow
}

/** How one column changes. */
export interface Change extends SentValue {
  readonly operator: UpdateOperator
}

export type UpdateOperator =
  | '_set'
  | '_inc'
  | '_append'
  | '_prepend'
  | '_delete_key'
  | '_delete_elem'
  | '_delete_at_path'

/** Which rows are written: by their primary key, or all that match, up to a number. */
export type Target =
  | { readonly kind: 'key'; readonly where: Condition; readonly version: Value | undefined }
  | { readonly kind: 'where'; readonly where: Condition | undefined; readonly most: number }

/** What the response shows of the written rows. */
export type Shown =
  | { readonly kind: 'row'; readonly rows: Rows }
  | { readonly kind: 'list'; readonly rows: Rows }
  | { readonly kind: 'response'; readonly fields: readonly ResponseField[] }

export type ResponseField = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'affected' }
  | { readonly kind: 'returning'; readonly rows: Rows }
)

interface Written {
  readonly table: Table
  readonly path: ErrorPath
  readonly shown: Shown
  /** Tells its settings from those of other writes of the operation. */
  readonly number: number
}

/** Writes in order: each sees what the ones before it did. */
export type Write =
  | ({ readonly kind: 'insert'; readonly rows: readonly InsertedRow[] } & Written)
  | ({ readonly kind: 'update'; readonly target: Target; readonly changes: readonly Change[] } & Written)
  | ({ readonly kind: 'delete'; readonly target: Target } & Written)
  | ({ readonly kind: 'restore'; readonly target: Target & { readonly kind: 'key' } } & Written)
  | ({
      readonly kind: 'action'
      readonly function: TableFunction
      readonly arguments: readonly GivenArgument[]
    } & Written)

export type WriteField = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'write'; readonly write: Write }
  /** One result for each. */
  | { readonly kind: 'many'; readonly writes: readonly Write[] }
)

export interface WritePlan {
  /** What it reads, needs and costs. */
  readonly plan: Plan
  readonly fields: readonly WriteField[]
  /** `@dry_run` on the operation. */
  readonly dryRun: boolean
}
