// A prepared mutation and who asks → the transaction that runs it: settings, steps, and what an Idempotency-Key or a dry run add.
import type { Grant } from '../../access/grant.ts'
import type { SentStatement, Settings } from '../../db/prepared-statements.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import type { Transaction } from '../../db/writing/transaction-channel.ts'
import { bindSlots } from '../bind.ts'
import { statementName } from '../compile/compile-plan.ts'
import type { VariableValues } from '../encode-value.ts'
import { settingsFor } from '../row-settings.ts'
import type { CachedMutation } from '../structure.ts'
import type { IdempotencyKey } from './changing.ts'
import type { Piece } from './compile-mutation.ts'
import { limitAnswers } from './limit-answers.ts'
import { answerSetting } from './settings.ts'
import type { Step } from './step.ts'

export interface Running {
  readonly mutation: CachedMutation
  readonly schema: string
  readonly variables: VariableValues
  readonly settings: Settings
  readonly dryRun: boolean
  readonly key: IdempotencyKey | undefined
  readonly statementTimeoutMs: number
  /** The same operation ran before, so its statements are worth keeping prepared. */
  readonly isKnown: boolean
}

/** A test key only tries: in the sandbox nothing is kept, so it may try everywhere. */
const writerOf = (grant: Grant): Grant => (grant.environment === 'test' ? { ...grant, ownMasjids: '*' } : grant)

/** Who writes, for policies, triggers and the audit trail. */
export const writeSettings = (grant: Grant, requestId: string): Settings => [
  ...settingsFor(writerOf(grant)),
  ['minaret.app_id', grant.appId ?? ''],
  ['minaret.request_id', requestId],
]

const statement = (text: string, values: readonly (string | null)[], prepare = true): SentStatement => ({
  text,
  name: statementName(text),
  values,
  prepare,
})

const bindStep = ({ text, name, slots }: Step, variables: VariableValues, prepare: boolean): SentStatement => ({
  text,
  name,
  values: bindSlots(slots, variables, new Map()),
  prepare,
})

/** The text is returned as before, and left in a setting. */
const keepAnswer = ({ text, values, prepare }: SentStatement, number: number): SentStatement => {
  const all = [...values, answerSetting(number)]
  return statement(`select set_config($${all.length}::text, (${text}), true)`, all, prepare)
}

/** In the form of an array of PostgreSQL. */
const arrayOf = (items: readonly string[]): string =>
  `{${items.map(item => `"${item.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join()}}`

/** A longer response is refused: it would be kept for a day. */
const MOST_STORED_BYTES = 256 * 1024

const partOf = (piece: Piece): string => ('words' in piece ? piece.words : answerSetting(piece.number))

const claim = (schema: string, { key, hash }: IdempotencyKey): SentStatement =>
  statement(`select ${quoteIdentifier(schema)}."claim_idempotency_key"($1::text, $2::text)`, [key, hash])

const store = (schema: string, { key, hash }: IdempotencyKey, pieces: readonly Piece[]): SentStatement =>
  statement(
    `select ${quoteIdentifier(schema)}."store_idempotent_answer"($1::text, $2::text, $3::text[], $4::boolean[], $5::integer)`,
    [
      key,
      hash,
      arrayOf(pieces.map(partOf)),
      arrayOf(pieces.map(piece => String(!('words' in piece)))),
      String(MOST_STORED_BYTES),
    ],
  )

export const readStored = (schema: string, { key, hash }: IdempotencyKey): SentStatement =>
  statement(`select ${quoteIdentifier(schema)}."read_idempotent_answer"($1::text, $2::text)`, [key, hash])

const endDryRun = (schema: string): SentStatement => statement(`select ${quoteIdentifier(schema)}."end_dry_run"()`, [])

const repeatedNames = (steps: readonly Step[]): ReadonlySet<string> =>
  new Set(steps.map(({ name }) => name).filter((name, index, all) => all.indexOf(name) < index))

/** A statement that runs once is not worth preparing, unless it runs for many objects. */
const bindSteps = ({ mutation: { steps }, variables, isKnown }: Running): SentStatement[] => {
  const repeated = isKnown ? new Set<string>() : repeatedNames(steps)
  return steps.map(step => bindStep(step, variables, isKnown || repeated.has(step.name)))
}

export interface SentTransaction extends Transaction {
  /** The index of the statement of each step. */
  readonly places: readonly number[]
}

/** The step that a statement is, or prepares; none for those that come after the last. */
export const stepAt = ({ places }: SentTransaction, statementIndex: number): number => {
  const index = places.findIndex(place => place >= statementIndex)
  return index === -1 ? places.length : index
}

/** The steps that read a part of the response, each with the number of its write. */
export const answerNumbers = ({ pieces }: Pick<CachedMutation, 'pieces'>): ReadonlyMap<number, number> =>
  new Map(pieces.flatMap(piece => ('words' in piece ? [] : [[piece.step, piece.number]])))

export const transactionOf = (running: Running): SentTransaction => {
  const { mutation, schema, settings, dryRun, key, statementTimeoutMs } = running
  const numbers = answerNumbers(mutation)
  const goesOn = dryRun || key !== undefined
  const limit = (steps: readonly SentStatement[]) =>
    limitAnswers(steps, { answers: new Set(numbers.keys()), statementTimeoutMs, goesOn })
  const steps = bindSteps(running)
  if (key === undefined) {
    const { statements, places } = limit(steps)
    return { settings, statements: dryRun ? [...statements, endDryRun(schema)] : statements, places }
  }
  const kept = steps.map((step, index) => {
    const number = numbers.get(index)
    return number === undefined ? step : keepAnswer(step, number)
  })
  const { statements, places } = limit(kept)
  return {
    settings,
    statements: [claim(schema, key), ...statements, store(schema, key, mutation.pieces)],
    places: places.map(place => place + 1),
  }
}

/** The steps that read the row which a write found in another version. */
export const currentRowOf = (running: Running, number: number): SentTransaction => {
  const steps = running.mutation.current.get(number) ?? []
  return {
    settings: running.settings,
    statements: steps.map(step => bindStep(step, running.variables, false)),
    places: [...steps.keys()],
  }
}
