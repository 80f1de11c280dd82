// The outcome of an operation: its data as JSON, or why there is none.
import type { CachedPlan } from './structure.ts'

export interface Result {
  /** The response's `data`, as JSON. */
  readonly data: string
  readonly cached: CachedPlan
  /** With what was calculated for it; that of the plan if left out. */
  readonly cost?: number
  /** Of a mutation: nothing of it remains. */
  readonly dryRun?: boolean
  /** Of a mutation: it was made by an earlier request with the same Idempotency-Key. */
  readonly replayed?: boolean
}

/** An error may be the caller's (a GraphQLError, DocumentErrors or Fault); anything else is internal. */
export type Outcome = { readonly result: Result } | { readonly error: unknown }
