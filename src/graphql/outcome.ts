// The outcome of an operation: its data as JSON, or why there is none.
import type { CachedPlan } from './structure.ts'

export interface Result {
  /** The response's `data`, as JSON. */
  readonly data: string
  readonly cached: CachedPlan
}

/** An error may be the caller's (a GraphQLError, DocumentErrors or Fault); anything else is internal. */
export type Outcome = { readonly result: Result } | { readonly error: unknown }
