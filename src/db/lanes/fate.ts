// How a statement failed, and what its reading has been through → what becomes of the reading. Pure: the reader carries it out.
import { databaseUnavailable } from '../database-fault.ts'
import { Abandoned, isEnded, isLockedOut, isUnprepared, mayRepeat, SilentServer } from '../reading-errors.ts'
import type { LaneKind } from './lane-rules.ts'

export interface History {
  readonly kind: LaneKind
  /** The last one included. */
  readonly attempts: number
  readonly preemptions: number
  /** Another key needed its lane. */
  readonly wasPreempted: boolean
  /** Nobody waits for its result. */
  readonly isAbandoned: boolean
}

export interface Failure {
  readonly error: Error
  readonly ranMs: number
  /** Others wait for the same statement's lock. */
  readonly isLocked: boolean
  readonly statementTimeoutMs: number
}

export type Fate =
  | { readonly kind: 'waits for a lock' | 'next lane' | 'crowded out' }
  /** From the front of its queue; a free attempt does not count. */
  | { readonly kind: 'again'; readonly free: boolean }
  | { readonly kind: 'refused'; readonly error: Error }

const MOST_ATTEMPTS = 4
const MOST_PREEMPTIONS = 3
/** A cancelled statement that ran for at least this share of its limit is taken to have timed out. */
const IN_TIME = 0.8

const refused = (error: Error): Fate => ({ kind: 'refused', error })

const repeated = ({ attempts, isAbandoned }: History, error: Error | undefined): Fate => {
  // A server that is only late will answer one of the next attempts, which the deadline bounds.
  const free = error instanceof SilentServer
  if (isAbandoned) return refused(error ?? new Abandoned())
  if (error !== undefined && !mayRepeat(error)) return refused(error)
  if (!free && attempts >= MOST_ATTEMPTS) return refused(databaseUnavailable(error))
  return { kind: 'again', free }
}

/** In a slow lane: nobody is waiting for it, another key needed the lane, or it timed out. */
const endedSlow = (history: History, { error, ranMs, statementTimeoutMs }: Failure): Fate => {
  if (history.isAbandoned || ranMs >= statementTimeoutMs * IN_TIME) return refused(error)
  if (!history.wasPreempted) return repeated(history, undefined)
  return history.preemptions > MOST_PREEMPTIONS ? { kind: 'crowded out' } : { kind: 'again', free: false }
}

export const fateOf = (history: History, failure: Failure): Fate => {
  const { error, isLocked } = failure
  // Preparing a statement takes the lock too. What was sent behind it, unprepared then, waits for the same.
  if (isLockedOut(error) || (isLocked && isUnprepared(error))) return { kind: 'waits for a lock' }
  if (!isEnded(error)) return repeated(history, error)
  if (history.kind === 'slow') return endedSlow(history, failure)
  return history.isAbandoned ? refused(error) : { kind: 'next lane' }
}
