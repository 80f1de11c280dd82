// A plan: what one operation reads, as plain data without SQL. The planner makes it, the compiler turns it into a statement.
import type { GraphQLError } from 'graphql'
import type { AggregateName, BooleanAggregate } from '../../catalog/aggregates.ts'
import type { Argument, Column, ComputedField, RowArgument, Table } from '../../catalog/model.ts'
import type { Operator } from '../../catalog/operators.ts'
import type { ValueType } from '../../catalog/value-type.ts'
import type { CollectedField } from './collected-field.ts'
import type { Place } from './context.ts'
import type { Source } from './input.ts'

/** Something that becomes a parameter of the statement. */
export interface Value {
  readonly source: Source
  readonly type: ValueType
  /**
   * `path`: written as $.a.b[0], bound as a list of its steps. `list`: several values, `lists`: several lists, bound as a list of texts.
   * `record`: JSON. Otherwise one value, of an array type perhaps as a text that PostgreSQL reads.
   */
  readonly encoding?: 'path' | 'list' | 'lists' | 'record'
  /** What is measured before it is sent, and its name in an error. */
  readonly measure?: { readonly kind: 'values' | 'search'; readonly name: string }
}

export type Join = readonly (readonly [own: string, target: string])[]

/** The value of a function argument. */
export interface GivenArgument {
  readonly argument: Argument
  readonly value: Value
}

export type From =
  | { readonly kind: 'table'; readonly table: Table }
  | {
      readonly kind: 'function'
      readonly table: Table
      readonly function: string
      readonly arguments: readonly GivenArgument[]
      /** Where it takes the parent row. */
      readonly of: RowArgument | undefined
      /** It returns a row, not a set: if there is none, PostgreSQL yields a row of nulls. */
      readonly single: boolean
    }
  /** Rows that the service calculates before the statement is sent. */
  | {
      readonly kind: 'calculated'
      readonly table: Table
      readonly function: string
      readonly arguments: readonly GivenArgument[]
      /** Where it was asked for, for errors. */
      readonly path: readonly string[]
    }
  /** Rows that were written earlier in the transaction, in that order. `keys` is the setting that has their keys. */
  | { readonly kind: 'written'; readonly table: Table; readonly keys: string; readonly single: boolean }
  /** Rows that a function returned earlier in the transaction. `rows` is the setting that has them. */
  | { readonly kind: 'kept'; readonly table: Table; readonly rows: string }

export type Call =
  | { readonly kind: 'count'; readonly columns: readonly Column[]; readonly distinct: boolean }
  | {
      readonly kind: 'operation'
      readonly name: AggregateName | BooleanAggregate
      readonly column: Column
      readonly distinct: boolean
      readonly type: ValueType
    }

/** A property of a row that can be compared or sorted by. */
export type Expression =
  | { readonly kind: 'column'; readonly column: Column }
  | {
      readonly kind: 'computed'
      readonly table: Table
      readonly field: ComputedField
      readonly arguments: readonly GivenArgument[]
    }
  | { readonly kind: 'cast'; readonly expression: Expression; readonly type: ValueType }
  | { readonly kind: 'related'; readonly from: From; readonly join: Join; readonly expression: Expression }
  | {
      readonly kind: 'total'
      readonly from: From
      readonly join: Join
      readonly where: Condition | undefined
      readonly call: Call
    }

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | {
      readonly kind: 'compare'
      readonly left: Expression
      /** Of the left operand. */
      readonly type: ValueType
      readonly operator: Operator
      readonly right: Value
    }
  | { readonly kind: 'null'; readonly left: Expression; readonly isNull: boolean }
  | { readonly kind: 'exists'; readonly from: From; readonly join: Join; readonly where: Condition | undefined }
  /** The row that a global id names, by its primary key. */
  | { readonly kind: 'node'; readonly table: Table; readonly columns: readonly Column[]; readonly id: Source }

export interface Order {
  readonly expression: Expression
  readonly type: ValueType
  readonly direction: 'asc' | 'desc'
  readonly nulls: 'first' | 'last'
  readonly notNull: boolean
}

/** Which rows, in which order. */
export interface Range {
  readonly from: From
  readonly where: Condition | undefined
  readonly order: readonly Order[]
  readonly distinctOn: readonly Column[]
  readonly limit: number | undefined
  readonly offset: Value | undefined
  /** The cursor after which the page begins; its values are compared with the keys of `order`. */
  readonly after: Source | undefined
  /** The cursor before which it ends. */
  readonly before?: Source | undefined
  /** The page is cut from the end: rows come in the opposite of `order`. */
  readonly backward?: boolean
}

export interface Rows extends Range {
  readonly fields: readonly Field[]
}

export type Field = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'column'; readonly column: Column; readonly path: Value | undefined }
  | { readonly kind: 'cursor' }
  | { readonly kind: 'global-id' }
  | { readonly kind: 'computed'; readonly field: ComputedField; readonly arguments: readonly GivenArgument[] }
  | { readonly kind: 'object'; readonly join: Join; readonly rows: Rows }
  | { readonly kind: 'array'; readonly join: Join; readonly rows: Rows }
  | { readonly kind: 'aggregate'; readonly join: Join; readonly aggregate: Aggregate }
  | { readonly kind: 'connection'; readonly join: Join; readonly connection: Connection }
)

/** A page of rows as Relay asks for it. */
export interface Connection {
  /** One row longer than the page where something depends on whether there are more. */
  readonly range: Range
  /** Rows on the page. */
  readonly size: number
  readonly fields: readonly ConnectionField[]
}

export type ConnectionField = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'edges'; readonly fields: readonly EdgeField[] }
  | { readonly kind: 'page-info'; readonly fields: readonly PageInfoField[] }
)

export type EdgeField = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'cursor' }
  | { readonly kind: 'node'; readonly rows: Rows }
)

export type PageInfoField = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'edge-cursor'; readonly edge: 'first' | 'last' }
  /** Whether there are rows beyond the page, in the direction it was cut. */
  | { readonly kind: 'more' }
  | { readonly kind: 'known'; readonly value: boolean }
)

export interface Aggregate {
  readonly range: Range
  readonly fields: readonly AggregateField[]
}

export type AggregateField = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'totals'; readonly fields: readonly TotalField[] }
  | { readonly kind: 'nodes'; readonly rows: Rows }
  | { readonly kind: 'groups'; readonly groups: Groups }
)

export type TotalField = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'calls'; readonly fields: readonly TotalField[] }
)

export interface Groups {
  readonly by: readonly Column[]
  readonly fields: readonly GroupField[]
  readonly order: readonly GroupOrder[]
  readonly limit: number
  readonly offset: Value | undefined
}

export type GroupField = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'keys'; readonly fields: readonly GroupKeyField[] }
  | { readonly kind: 'totals'; readonly fields: readonly TotalField[] }
)

export type GroupKeyField = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'column'; readonly column: Column }
)

export interface GroupOrder {
  readonly by: { readonly kind: 'key'; readonly column: Column } | { readonly kind: 'call'; readonly call: Call }
  readonly direction: 'asc' | 'desc'
  readonly nulls: 'first' | 'last'
}

export type RootField = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'introspection'; readonly field: CollectedField }
  | { readonly kind: 'list'; readonly rows: Rows }
  | { readonly kind: 'one'; readonly rows: Rows }
  | { readonly kind: 'aggregate'; readonly aggregate: Aggregate }
  | { readonly kind: 'connection'; readonly connection: Connection }
  /** `first` begins at a value, `next` after the cursor of the last row that was sent. */
  | { readonly kind: 'stream'; readonly first: Rows; readonly next: Rows }
)

export interface Plan {
  readonly kind: 'plan'
  readonly fields: readonly RootField[]
  /** Every table that the operation names, anywhere. */
  readonly tables: ReadonlySet<Table>
  /** Every function that it calls, by its name in the database. */
  readonly functions: ReadonlySet<string>
  /** Scopes that functions need beyond those of their tables, by function name. */
  readonly functionScopes: ReadonlyMap<string, readonly string[]>
  readonly deprecated: ReadonlySet<Column>
  /** Where each table and function was first named, for errors. */
  readonly places: ReadonlyMap<string, Place>
  /** Rows that the limits allow, multiplied down the tree. */
  readonly cost: number
  /** Objects that it inserts, its updates and its deletions. */
  readonly writes: number
  /** Whether statistics were used for that: the returned rows are then counted. */
  readonly estimated: boolean
  /** Whether a function with its owner's rights is called: what it returns may depend on who asks. */
  readonly asksWho: boolean
  /** Whether it reads aggregates over people. */
  readonly totalsOverPeople: boolean
  /** Why it is not run, for those who may read its tables. */
  readonly refusal: GraphQLError | undefined
}
