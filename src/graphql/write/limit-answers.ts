// The steps of a mutation → its statements, with a time limit for reading the response: rows stay locked meanwhile.
import type { SentStatement } from '../../db/prepared-statements.ts'
import { statementName } from '../compile/compile-plan.ts'

/** For the whole response of a transaction, however many fields it has. By PostgreSQL's clock: from when it begins with a statement. */
export const ANSWER_MS = 250

const USED = `coalesce(nullif(current_setting('minaret.answer_ms', true), ''), '0')::float8`
const NOW_MS = `extract(epoch from clock_timestamp())::float8 * 1000`

const beginText = `select set_config('minaret.answer_began', (${NOW_MS})::text, true), set_config('statement_timeout', greatest(1, ceil($1::float8 - ${USED}))::text, true)`
const endText = `select set_config('statement_timeout', $1::text, true), set_config('minaret.answer_ms', (${USED} + ${NOW_MS} - current_setting('minaret.answer_began')::float8)::text, true)`

const statement = (text: string, value: number): SentStatement => ({
  text,
  name: statementName(text),
  values: [String(value)],
  prepare: true,
})

export interface LimitedSteps {
  readonly statements: readonly SentStatement[]
  /** The index of the statement of each step. */
  readonly places: readonly number[]
}

export interface AnswerLimits {
  /** The steps that read a part of the response. */
  readonly answers: ReadonlySet<number>
  readonly statementTimeoutMs: number
  /** Whether other statements follow the steps. */
  readonly goesOn: boolean
}

export const limitAnswers = (
  steps: readonly SentStatement[],
  { answers, statementTimeoutMs, goesOn }: AnswerLimits,
): LimitedSteps => {
  const statements: SentStatement[] = []
  const places: number[] = []
  const begin = statement(beginText, Math.min(ANSWER_MS, statementTimeoutMs))
  const end = statement(endText, statementTimeoutMs)
  for (const [index, step] of steps.entries()) {
    const isAnswer = answers.has(index)
    if (isAnswer) statements.push(begin)
    places.push(statements.length)
    statements.push(step)
    if (isAnswer && (goesOn || index < steps.length - 1)) statements.push(end)
  }
  return { statements, places }
}
