// Subscriptions that always see the same → one statement for all of them. A member is one subscription, for as long as it is open.
import type { Refusal } from '../errors.ts'
import type { Allowance } from '../limits/allowance.ts'
import type { GraphqlRequest } from '../request.ts'
import type { LiveOperation } from './live-operation.ts'
import type { LiveResult } from './live-result.ts'
import type { Session } from './sessions.ts'

/** Where results go. */
export interface Sink {
  /** Whether the reader has taken what was sent so far. If not, it is sent the newest once `resume` is called. */
  isReady(): boolean
  next(result: LiveResult): void
  /** The subscription has ended, for this reason. */
  fail(refusal: Refusal): void
}

export interface Member {
  readonly id: string
  readonly request: GraphqlRequest
  readonly session: Session
  readonly sink: Sink
  readonly allowance: Allowance | undefined
  readonly who: string
  cohort: Cohort | undefined
  /** The fingerprint of what was sent last. */
  sent: string | undefined
  /** Something was not sent, as the reader was slow or had used its allowance: it gets the newest when it can take it. */
  isBehind: boolean
  /** Of a stream: the cursor of the last row that was sent. */
  cursor: string | undefined
}

export interface Cohort {
  readonly key: string
  readonly operation: LiveOperation
  readonly members: Set<Member>
  /** Whoever joins while it is being read still gets the result; while it is being sent, not any more. */
  state: 'idle' | 'queued' | 'reading' | 'sending'
  /** Something changed while it was being read. */
  isDirty: boolean
  /** When it was last read, by `performance.now()`. */
  readAt: number
  /** Of the newest result. */
  fingerprint: string | undefined
  /** Attempts that failed since the last success. */
  failures: number
}

export const createCohort = (key: string, operation: LiveOperation): Cohort => ({
  key,
  operation,
  members: new Set(),
  state: 'idle',
  isDirty: false,
  readAt: 0,
  fingerprint: undefined,
  failures: 0,
})
