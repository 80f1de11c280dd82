// Deletes rows that are no longer needed, in small batches, one process at a time, and opens and drops partitions of logs.
import { keepLogs, type Retention } from '../audit/keep-logs.ts'
import type { Logger } from '../base/log.ts'
import { keepChangeLog } from '../changes/keep-log.ts'
import { advisoryLocks } from '../db/advisory-locks.ts'
import type { Database, Queryable } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'
import { unwatched, type WatchJob } from '../metrics/job-book.ts'
import { type HousekeepingRule, housekeepingRules } from './housekeeping-rules.ts'

export interface Housekeeping {
  /** Stops after the current batch. */
  close(): Promise<void>
}

export interface HousekeepingInput {
  readonly database: Database
  readonly log: Logger
  readonly changeLogDays: number
  readonly retention: Retention
  readonly everyMs?: number
  readonly watch?: WatchJob | undefined
}

const EVERY_MS = 60_000
/** All rules run in the first round and then once an hour. */
const EVERYTHING_EACH = 60
const BATCH = 1000
const PAUSE_MS = 20

/** Locked rows are skipped until the next round, so that neither requests nor housekeeping wait for each other. */
const removeBatch = (
  queryable: Queryable,
  { schema = 'minaret', table, past, becomes }: HousekeepingRule,
): Promise<number> => {
  const target = identifier(schema, table)
  const change = becomes === undefined ? sql`delete from ${target}` : sql`update ${target} set ${becomes}`
  return queryable.run(sql`
    ${change} where ctid = any (array(
      select t.ctid from ${target} t where ${past} limit ${BATCH} for update of t skip locked))`)
}

/** Each batch is its own transaction and takes the lock; undefined if another process holds it. */
const tidyBatch = (database: Database, rule: HousekeepingRule): Promise<number | undefined> =>
  database.transaction(async transaction => {
    const lock = await transaction.first<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.housekeeping}) as mine`,
    )
    return lock?.mine === true ? removeBatch(transaction, rule) : undefined
  })

export interface TidyOptions {
  readonly rules?: readonly HousekeepingRule[]
  readonly isClosed?: () => boolean
}

/** @returns the number of rows by table that were no longer needed as they were. */
export const tidyUp = async (
  database: Database,
  { rules = housekeepingRules, isClosed = () => false }: TidyOptions = {},
): Promise<Record<string, number>> => {
  const removed: Record<string, number> = {}
  for (const rule of rules) {
    for (;;) {
      if (isClosed()) return removed
      const count = await tidyBatch(database, rule)
      if (count === undefined) return removed
      if (count > 0) removed[rule.table] = (removed[rule.table] ?? 0) + count
      if (count < BATCH) break
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
    }
  }
  return removed
}

export const startHousekeeping = ({
  database,
  log,
  changeLogDays,
  retention,
  everyMs = EVERY_MS,
  watch = unwatched,
}: HousekeepingInput): Housekeeping => {
  let closed = false
  let running: Promise<void> = Promise.resolve()
  let rounds = 0
  const round = async (): Promise<void> => {
    const everything = rounds % EVERYTHING_EACH === 0
    const rules = everything ? housekeepingRules : housekeepingRules.filter(({ often }) => often)
    rounds += 1
    await keepChangeLog(database, changeLogDays)
    if (everything) {
      const { months, entries } = await keepLogs(database, retention)
      if (months.length > 0) log.info({ months }, 'dropped months of logs that are past their retention')
      if (entries > 0) log.debug({ entries }, 'deleted entries of logs that are past their retention')
    }
    const removed = await tidyUp(database, { rules, isClosed: () => closed })
    if (Object.keys(removed).length > 0) log.debug({ removed }, 'tidied up')
  }
  const run = async (): Promise<void> => {
    try {
      await watch('housekeeping', round)
    } catch (error) {
      if (!closed) log.warn({ err: error }, 'tidying up failed; it is tried again')
    }
  }
  const timer = setInterval(() => {
    running = running.then(run)
  }, everyMs).unref()
  return {
    close: () => {
      closed = true
      clearInterval(timer)
      return running
    },
  }
}
