// The error of a failed transaction → what the caller is told: which object, which column, which rule, in words.
import { GraphQLError } from 'graphql'
import type pg from 'pg'
import { Fault } from '../../base/fault.ts'
import type { Table } from '../../catalog/model.ts'
import { toDatabaseFault } from '../../db/database-fault.ts'
import { raisedRule } from '../../db/raised-rule.ts'
import { overloaded } from '../../db/reading-errors.ts'
import type { Engine } from '../create-graphql.ts'
import { isMalformedArray } from '../database-errors.ts'
import type { GraphqlErrorCode } from '../error-code.ts'
import { fault } from '../errors.ts'
import { limits } from '../limits/limits.ts'
import { describeViolation, type PlainRule } from './describe-violation.ts'
import { ANSWER_MS } from './limit-answers.ts'
import { refusals, type Step } from './step.ts'
import type { Running } from './transaction.ts'

export const codeOf = (error: Error): string => (error as { code?: string }).code ?? ''

/** PostgreSQL has one code for a missing right and a refusal by a policy; the routine tells them apart in any language. */
export const isRowSecurity = (error: Error): boolean =>
  codeOf(error) === '42501' && (error as pg.DatabaseError).routine === 'ExecWithCheckOptions'

/** Rolled back for reasons of the moment: serialisation, deadlock, a name that the server forgot, a server that stops. */
export const mayRunAgain = (error: Error): boolean => /^(40001|40P01|26000|57P0.)$/.test(codeOf(error))

/** By a time limit, or because the transaction took too long in all. */
export const isTimeout = (error: Error): boolean => codeOf(error) === '57014'

/** What is told after the last attempt: others were always quicker, or the database is going down. */
export const stillFailing = (error: Error | undefined): unknown =>
  error !== undefined && /^40/.test(codeOf(error)) ? overloaded(1) : toDatabaseFault(error)

export const unknownOutcome = (cause: Error): Fault =>
  new Fault({
    code: 'unavailable',
    status: 503,
    message:
      'The connection to the database was lost before it was known whether the change was made. If the request had an Idempotency-Key, send it again with the same key; otherwise read the data first.',
    cause,
    headers: { 'retry-after': '1' },
  })

const currentOf = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

interface Told {
  readonly code: GraphqlErrorCode
  readonly message: string
  readonly path: Step['path'] | undefined
  readonly more?: Readonly<Record<string, unknown>>
}

const told = ({ code, message, path, more }: Told): GraphQLError =>
  new GraphQLError(message, { ...(path === undefined ? {} : { path }), extensions: { code, ...more } })

export const versionConflict = (step: Step | undefined, current: string | undefined): GraphQLError =>
  told({
    code: 'conflict',
    message: 'Somebody else has changed this row since the version given in if_version. Nothing was written.',
    path: step?.path,
    more: { current: currentOf(current) },
  })

export interface FailedWrite {
  readonly error: Error
  /** Undefined if the commit failed. */
  readonly step: Step | undefined
  /** Whether the step reads the response. */
  readonly answering: boolean
  readonly running: Running
  readonly engine: Pick<Engine, 'structures' | 'statementTimeoutMs'>
}

const columnName = (table: Table | undefined, name: string): string =>
  [...(table?.columns.values() ?? [])].find(({ column }) => column === name)?.name ?? name

/** PostgreSQL names the parameter whose text it could not read. */
const badColumn = ({ error, step }: FailedWrite): string | undefined => {
  const [, number] = /\$(\d+)/.exec((error as pg.DatabaseError).where ?? '') ?? []
  const slot = number === undefined ? undefined : step?.slots[Number(number) - 1]
  return slot?.kind === 'value' ? slot.column : undefined
}

const explainRefusal = ({ error, step, running }: FailedWrite): Error | undefined => {
  const path = step?.path ?? onlyPath(running)
  switch (codeOf(error)) {
    case refusals.tooManyRows:
      return told({
        code: 'too-many-rows',
        message: `More than ${error.message} rows match; max_affected allows ${error.message}. Nothing was written. Narrow \`where\`, or raise max_affected (at most ${limits.mostAffected}).`,
        path,
      })
    case refusals.notPermitted:
      return told({ code: 'not-permitted', message: error.message, path, more: { ...raisedRule(error) } })
    case refusals.noParent:
      return told({
        code: 'constraint-violation',
        message: `The row of ${error.message} was left as it is by on_conflict, so nothing can be nested in it. Nothing was written.`,
        path,
      })
    case refusals.tooLong:
      return told({
        code: 'too-costly',
        message:
          error.message === 'idempotency'
            ? 'The response is too long to be kept for its Idempotency-Key. Select less. Nothing was written.'
            : `The response is larger than ${limits.answerBytes} bytes, the maximum. Select less. Nothing was written.`,
        path,
      })
    case refusals.idempotency:
      return error.message === 'reused'
        ? fault('idempotency-key-reused', 'This Idempotency-Key was used for another request. Use a new one.')
        : fault('idempotency-key-in-use', 'A request with this Idempotency-Key is still running.', {
            'retry-after': '1',
          })
    default:
      return undefined
  }
}

/** PostgreSQL checks some rules only at the commit: with one field, it can only be that one's. */
const onlyPath = ({ mutation: { steps } }: Running): Step['path'] | undefined => {
  const keys = new Set(steps.map(({ path }) => path[0]))
  const [only] = keys
  return keys.size === 1 && only !== undefined ? [only] : undefined
}

const notYours = 'This row, or the masjid or person it belongs to, is not yours to write. Nothing was written.'

/** A row without a masjid belongs to nobody, so a policy refuses it before the missing value is noticed. */
const namesNoMasjid = (step: Step | undefined): boolean =>
  step?.table.writing?.insertColumns.some(({ column, notNull }) => column === 'masjid_id' && notNull) === true &&
  step.text.includes('insert into ') &&
  !step.text.includes('"masjid_id"')

const rowIsLocked = (cause: Error): Fault =>
  new Fault({
    code: 'database-unavailable',
    status: 503,
    message: 'Somebody else is changing the same row. Nothing was written. Try again shortly.',
    cause,
    headers: { 'retry-after': '1' },
  })

const slowReturning = (path: Step['path'] | undefined): GraphQLError =>
  told({
    code: 'slow-returning',
    message: `Reading the response took longer than ${ANSWER_MS} ms, and others wait for the written rows meanwhile. Nothing was written. Select less in the response, and read the rest in a query afterwards.`,
    path,
  })

const tookTooLong = (statementTimeoutMs: number, path: Step['path'] | undefined): GraphQLError =>
  told({
    code: 'timeout',
    message: `The database took longer than ${statementTimeoutMs} ms. Nothing was written. Write less at a time.`,
    path,
  })

/** @returns the error itself if it is neither the caller's nor one of the database as a whole. */
export const explainFailure = (failed: FailedWrite): unknown => {
  const { error, step, running, engine } = failed
  const code = codeOf(error)
  const path = step?.path ?? onlyPath(running)
  const refusal = explainRefusal(failed)
  if (refusal !== undefined) return refusal
  if (isRowSecurity(error))
    return told({
      code: 'not-permitted',
      message: namesNoMasjid(step) ? `${notYours} Send its masjid_id.` : notYours,
      path,
      more: { rule: 'not-yours' satisfies PlainRule },
    })
  if (code === 'P0001')
    return told({ code: 'constraint-violation', message: error.message, path, more: { ...raisedRule(error) } })
  if (code.startsWith('23')) {
    const { message, ...more } = describeViolation(
      error as pg.DatabaseError,
      step?.table,
      engine.structures.current().model,
    )
    return told({ code: 'constraint-violation', message, path, more })
  }
  if (code.startsWith('22')) {
    const column = badColumn(failed)
    const more = column === undefined ? raisedRule(error) : { columns: [columnName(step?.table, column)] }
    return told({
      code: isMalformedArray(error) ? 'validation-failed' : 'data-exception',
      message: error.message,
      path,
      more: { ...more },
    })
  }
  if (code === '55P03') return rowIsLocked(error)
  if (isTimeout(error)) return failed.answering ? slowReturning(path) : tookTooLong(engine.statementTimeoutMs, path)
  if (code.startsWith('54') || code === '53400')
    return told({
      code: 'too-costly',
      message: 'The operation is too large for the database. Write less at once.',
      path,
    })
  return toDatabaseFault(error)
}
