// A prepared mutation → its response, by one transaction in one round trip. Either all of it is written, or nothing.
import type { Grant } from '../../access/grant.ts'
import type { Failure, TransactionResult } from '../../db/writing/transaction-channel.ts'
import type { Engine } from '../create-graphql.ts'
import { isStructural } from '../database-errors.ts'
import type { Asking, Prepared } from '../execute.ts'
import type { Outcome, Result } from '../outcome.ts'
import type { CachedMutation } from '../structure.ts'
import { timedStatement } from '../timed-statement.ts'
import { isDryRun } from './changing.ts'
import type { Piece } from './compile-mutation.ts'
import { refusals } from './step.ts'
import {
  answerNumbers,
  currentRowOf,
  type Running,
  readStored,
  type SentTransaction,
  stepAt,
  transactionOf,
  writeSettings,
} from './transaction.ts'
import {
  codeOf,
  explainFailure,
  isRowSecurity,
  isTimeout,
  mayRunAgain,
  stillFailing,
  unknownOutcome,
  versionConflict,
} from './write-errors.ts'

export interface Writing {
  readonly engine: Engine
  readonly prepared: Prepared
  readonly asking: Asking
  /** Prepares the operation again. */
  readonly again: () => Prepared
}

const MOST_ATTEMPTS = 4
/** A machine that stood still for a moment is no slow response: what was cut off is tried once more, its rows free in between. */
const MOST_SLOW_ATTEMPTS = 2

/** Every masjid of the sandbox is invented, and nobody's own. */
const everywhere = (grant: Grant): Grant => ({ ...grant, masjids: '*', ownMasjids: '*' })

const runningOf = ({ engine, prepared, asking }: Writing): Running => {
  const { cached, variables } = prepared
  const mutation = cached.mutation as CachedMutation
  const { changing, grant } = asking
  const dryRun = isDryRun(mutation, changing)
  cached.uses += 1
  return {
    mutation,
    schema: engine.structures.current().model.schema,
    variables,
    settings: writeSettings(engine.dryRunsOnly ? everywhere(grant) : grant, changing?.requestId ?? ''),
    dryRun,
    key: dryRun ? undefined : changing?.idempotencyKey(),
    statementTimeoutMs: engine.statementTimeoutMs,
    isKnown: cached.uses > 1,
  }
}

const send = ({ engine, prepared, asking }: Writing, transaction: SentTransaction): Promise<TransactionResult> => {
  const { who, grant, abandoned, since, statements } = asking
  const timing = statements === undefined ? undefined : timedStatement(prepared.cached, undefined)
  if (timing !== undefined) statements?.push(timing)
  return engine.writer.write(transaction, { who: who ?? grant.appId ?? '', abandoned, since, timing })
}

const textOf = (pieces: readonly Piece[], texts: readonly string[], places: readonly number[]): string =>
  pieces.map(piece => ('words' in piece ? piece.words : texts[places[piece.step] ?? -1])).join('')

/** What was read of people is recorded, as it is for queries. */
const answered = ({ engine, prepared, asking }: Writing, result: Omit<Result, 'cached'>): Outcome => {
  const { cached } = prepared
  if (cached.personal) engine.readLog.note(asking.grant, cached.plan, result.data)
  return { result: { ...result, cached } }
}

const replay = async (writing: Writing, running: Running): Promise<Outcome> => {
  if (running.key === undefined) throw new Error('a replay without a key')
  const { settings, schema, key } = running
  const { texts, failure } = await send(writing, { settings, statements: [readStored(schema, key)], places: [] })
  if (failure !== undefined) throw failure.error
  return answered(writing, { data: texts[0] ?? 'null', replayed: true })
}

/** The row as it is now, with the fields that the mutation asked for. */
const conflict = async (writing: Writing, running: Running, at: number): Promise<Outcome> => {
  const step = running.mutation.steps[at]
  const { texts, failure } = await send(writing, currentRowOf(running, step?.number ?? -1))
  const current = failure === undefined ? texts.at(-1) : undefined
  return { error: versionConflict(step, current) }
}

/** A refusal by row-level security has the code of a missing right, but no newer structure would help. */
const isOutdated = (error: Error): boolean => isStructural(error) && !isRowSecurity(error)

interface Attempt {
  readonly writing: Writing
  readonly running: Running
  /** From 1 on. */
  readonly number: number
}

/** Undefined: run it again. `at` is the index of a step. */
const finishFailed = async (
  { writing, running, number }: Attempt,
  { error, at, unknown }: Failure,
): Promise<Outcome | undefined> => {
  if (unknown) return { error: unknownOutcome(error) }
  const code = codeOf(error)
  if (code === refusals.idempotency && error.message === 'replay') return replay(writing, running)
  if (code === refusals.version) return conflict(writing, running, at)
  if (mayRunAgain(error) || isOutdated(error)) return undefined
  const answering = answerNumbers(running.mutation).has(at)
  if (answering && isTimeout(error) && number < MOST_SLOW_ATTEMPTS) return undefined
  return {
    error: explainFailure({ error, step: running.mutation.steps[at], answering, running, engine: writing.engine }),
  }
}

const writeOnce = async (
  writing: Writing,
  number: number,
): Promise<{ outcome: Outcome | undefined; error?: Error }> => {
  const running = runningOf(writing)
  const { pieces, steps } = running.mutation
  if (steps.length === 0)
    return { outcome: answered(writing, { data: textOf(pieces, [], []), dryRun: running.dryRun }) }
  const transaction = transactionOf(running)
  const { texts, failure } = await send(writing, transaction)
  const isDone = failure === undefined || (running.dryRun && codeOf(failure.error) === refusals.dryRun)
  if (isDone)
    return { outcome: answered(writing, { data: textOf(pieces, texts, transaction.places), dryRun: running.dryRun }) }
  const at = stepAt(transaction, failure.at)
  const outcome = await finishFailed({ writing, running, number }, { ...failure, at })
  return { outcome, error: failure.error }
}

/** Repeats only what was certainly rolled back. Never rejects. */
export const write = async (writing: Writing): Promise<Outcome> => {
  try {
    let now = writing
    for (let attempt = 1; ; attempt += 1) {
      const { outcome, error } = await writeOnce(now, attempt)
      if (outcome !== undefined) return outcome
      if (attempt === MOST_ATTEMPTS) throw stillFailing(error)
      if (error !== undefined && isOutdated(error)) {
        await writing.engine.structures.recover()
        now = { ...writing, prepared: writing.again() }
      }
    }
  } catch (error) {
    return { error }
  }
}
