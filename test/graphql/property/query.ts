// A query as data: made by the generator, written by the writer, answered by the evaluation.
import type { Value } from './exact-json.ts'

export type Direction = 'asc' | 'asc_nulls_first' | 'asc_nulls_last' | 'desc' | 'desc_nulls_first' | 'desc_nulls_last'

interface Comparison {
  readonly operator: string
  readonly operand: Value
}

/** An aggregate over rows. */
export type Call =
  | { readonly name: 'count'; readonly columns: readonly string[]; readonly distinct: boolean }
  | { readonly name: Operation; readonly column: string }

export const operations = [
  'avg',
  'max',
  'min',
  'stddev',
  'stddev_pop',
  'stddev_samp',
  'sum',
  'var_pop',
  'var_samp',
  'variance',
] as const
export type Operation = (typeof operations)[number]

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  /** One object with several keys: all must hold. Of equal keys only the first is kept. */
  | { readonly kind: 'all'; readonly parts: readonly Condition[] }
  | { readonly kind: 'column'; readonly column: string; readonly comparisons: readonly Comparison[] }
  | { readonly kind: 'related'; readonly relation: string; readonly condition: Condition }
  | {
      readonly kind: 'total'
      readonly relation: string
      readonly call: Call
      readonly comparison: Comparison
      readonly filter: Condition | undefined
    }

export interface OrderKey {
  /** Object relationships to follow first. */
  readonly path: readonly string[]
  readonly by:
    | { readonly kind: 'column'; readonly column: string }
    | { readonly kind: 'total'; readonly relation: string; readonly call: Call }
  readonly direction: Direction
}

export interface Range {
  readonly table: string
  readonly where: Condition | undefined
  readonly order: readonly OrderKey[]
  readonly distinctOn: readonly string[]
  readonly limit: number | undefined
  readonly offset: number | undefined
  /** The whole filter is sent as one variable. */
  readonly whereAsVariable: boolean
}

export interface List extends Range {
  readonly items: readonly Item[]
}

export interface Totals extends Range {
  readonly calls: readonly Call[]
  readonly nodes: readonly Item[]
  readonly groupBy: readonly string[]
}

export interface Directive {
  readonly name: 'include' | 'skip'
  readonly condition: boolean
  readonly asVariable: boolean
}

export type Item = { readonly directive: Directive | undefined; readonly aliased: boolean } & (
  | { readonly kind: 'typename' }
  | { readonly kind: 'column'; readonly column: string; readonly path: string | undefined }
  | { readonly kind: 'object'; readonly relation: string; readonly items: readonly Item[] }
  | { readonly kind: 'array'; readonly relation: string; readonly list: List }
  | { readonly kind: 'totals'; readonly relation: string; readonly totals: Totals }
  | { readonly kind: 'fragment'; readonly named: boolean; readonly items: readonly Item[] }
)

export type Root =
  | { readonly kind: 'list'; readonly list: List }
  | { readonly kind: 'totals'; readonly totals: Totals }
  | {
      readonly kind: 'one'
      readonly table: string
      readonly key: Readonly<Record<string, Value>>
      readonly items: readonly Item[]
    }

export interface Query {
  readonly roots: readonly Root[]
  /** Values are literals, or are sent as variables. */
  readonly values: 'text' | 'variables'
}
