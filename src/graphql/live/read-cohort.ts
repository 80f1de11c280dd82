// Cohorts → the newest result of each, by one statement if they differ in their values alone; or an error, and whether it is worth
// trying again.
import { toDatabaseFault } from '../../db/database-fault.ts'
import { countListRows } from '../count-rows.ts'
import type { Engine } from '../create-graphql.ts'
import { callersFault, isStructural } from '../database-errors.ts'
import { resultBody } from '../entrance/write-outcomes.ts'
import { checkRows, readData } from '../execute.ts'
import { settingsFor } from '../row-settings.ts'
import type { Cohort, Member } from './cohort.ts'
import { preparedAfter } from './live-operation.ts'
import { createLiveResult, type LiveResult } from './live-result.ts'
import { partsOf, togetherStatement } from './read-together.ts'

export interface ReadResult {
  readonly result: LiveResult
  readonly data: string
  readonly rows: number
  /** Of a stream: the cursor of the last row; undefined if there is none. */
  readonly cursor: string | undefined
  /** Of a stream: the batch is full. */
  readonly isMore: boolean
}

export interface Failure {
  readonly error: unknown
  /** `planned`: with the structure as it is by now. `later`: the database is busy or away. */
  readonly retry: 'never' | 'planned' | 'later'
}

/** After so many in a row, it is not the structure. */
const MOST_PLANNED = 3

const toResult = ({ operation }: Cohort, text: string): ReadResult => {
  const { cached } = operation.prepared
  const isStream = operation.batchSize !== undefined
  // The last line of a stream is its cursor.
  const end = isStream ? text.lastIndexOf('\n') : text.length
  const data = text.slice(0, end)
  const rows = countListRows(data)
  return {
    result: createLiveResult(resultBody({ data, cached }, { explain: false, showSql: false })),
    data,
    rows,
    cursor: isStream && end + 1 < text.length ? text.slice(end + 1) : undefined,
    isMore: isStream && countRootRows(data) === operation.batchSize,
  }
}

/** Rows of the only list at the root. */
const countRootRows = (data: string): number => {
  const [list] = Object.values(JSON.parse(data) as Record<string, unknown>)
  return Array.isArray(list) ? list.length : 0
}

const toFailure = (engine: Engine, { operation, failures }: Cohort, error: unknown): Failure => {
  if (isStructural(error) && failures < MOST_PLANNED) return { error: toDatabaseFault(error), retry: 'planned' }
  const callers = callersFault(error, operation.prepared.cached.plan, engine.statementTimeoutMs)
  return callers === undefined ? { error: toDatabaseFault(error), retry: 'later' } : { error: callers, retry: 'never' }
}

/** Never rejects. */
const readCohort = async (engine: Engine, cohort: Cohort): Promise<ReadResult | Failure> => {
  const [member] = cohort.members
  if (member === undefined) return { error: new Error('nobody is left'), retry: 'never' }
  const prepared = preparedAfter(cohort.operation, member.cursor)
  // A replica that is behind what was told may not answer.
  const asking = { grant: member.session.grant, who: member.who, position: engine.changes.position }
  try {
    return toResult(cohort, await readData(engine, prepared, asking))
  } catch (error) {
    const failure = toFailure(engine, cohort, error)
    if (failure.retry === 'planned') await engine.structures.recover().catch(() => undefined)
    return failure
  }
}

const readTogether = async (
  engine: Engine,
  cohorts: readonly Cohort[],
  { session, who }: Member,
): Promise<string[]> => {
  const [{ operation }] = cohorts as [Cohort]
  const { plan, statement, secured } = operation.prepared.cached
  const values = cohorts.map(cohort => cohort.operation.prepared.parameters)
  const settings = secured ? settingsFor(session.grant) : undefined
  const asking = { who, position: engine.changes.position }
  const text = await engine.reader.read(togetherStatement(statement, values, settings), asking)
  const parts = partsOf(text, cohorts.length)
  return plan.estimated ? parts.map(checkRows) : [...parts]
}

/** All of one group. Never rejects. If they cannot be read together, each is read alone: one may have a value that is its own fault. */
export const readCohorts = async (
  engine: Engine,
  cohorts: readonly Cohort[],
): Promise<readonly (ReadResult | Failure)[]> => {
  const [first] = cohorts
  const [member] = first?.members ?? []
  const alone = () => Promise.all(cohorts.map(cohort => readCohort(engine, cohort)))
  if (cohorts.length < 2 || first === undefined || member === undefined) return alone()
  try {
    const parts = await readTogether(engine, cohorts, member)
    return cohorts.map((cohort, index) => toResult(cohort, parts[index] as string))
  } catch {
    return alone()
  }
}
