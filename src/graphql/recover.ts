// A failed statement → a retry with the newest structure, if that may help; otherwise an error that says whose fault it was.
import { toDatabaseFault } from '../db/database-fault.ts'
import { withinDeadline } from '../db/within-deadline.ts'
import type { Engine } from './create-graphql.ts'
import { callersFault, isStructural } from './database-errors.ts'
import { type Asking, execute, type Prepared } from './execute.ts'
import type { Outcome } from './outcome.ts'

export interface FailedStatement {
  readonly engine: Engine
  readonly error: unknown
  readonly prepared: Prepared
  readonly asking: Asking
  /** Prepares the operation again. */
  readonly again: () => Prepared
}

/** The statement was compiled for another structure, or lacked a right. */
const repeat = async ({ engine, asking, again }: FailedStatement): Promise<Outcome> => {
  const waitedMs = performance.now() - (asking.since ?? performance.now())
  await withinDeadline(engine.deadlineMs - waitedMs, engine.structures.recover())
  const prepared = again()
  const { cached, cost } = prepared
  return { result: { data: await execute(engine, prepared, asking), cached, cost } }
}

export const recover = async (failed: FailedStatement): Promise<Outcome> => {
  const { engine, error, prepared } = failed
  try {
    if (!isStructural(error)) throw error
    return await repeat(failed)
  } catch (cause) {
    return { error: callersFault(cause, prepared.cached.plan, engine.statementTimeoutMs) ?? toDatabaseFault(cause) }
  }
}
