// How long statements of the owner's pools may wait and run: briefly while a client waits, longer in a job.

export interface Patience {
  /** For a free connection in the pool, or for a new one. */
  readonly connectMs: number
  readonly lockMs: number
  readonly statementMs: number
  /** How long a transaction may be idle: a process that stops responding must not keep its locks. */
  readonly idleMs?: number
}

/** For statements of a request: together less than the time its client waits. */
export const requestPatience = (deadlineMs: number): Patience => ({
  connectMs: Math.round(deadlineMs * 0.5),
  lockMs: Math.round(deadlineMs * 0.5),
  statementMs: Math.round(deadlineMs * 0.8),
  idleMs: deadlineMs * 3,
})

/** For jobs, and for what a start does before there are requests: nobody waits who would rather be refused. */
export const jobPatience: Patience = { connectMs: 60_000, lockMs: 60_000, statementMs: 600_000 }

/** A server that has not enforced its own time limit by this much later is silent: its connection is given up. */
export const SILENCE_MS = 500

/** Statements that put the limits into force, for the session or for the transaction in progress. */
export const limitStatements = ({ statementMs, lockMs, idleMs = 0 }: Patience, scope: 'session' | 'local'): string =>
  [
    `set ${scope} statement_timeout = ${statementMs}`,
    `set ${scope} lock_timeout = ${lockMs}`,
    `set ${scope} idle_in_transaction_session_timeout = ${idleMs}`,
  ].join('; ')
