// Rows that nobody needs any more → gone, in small batches, by one process at a time.
import type { Logger } from '../base/log.ts'
import type { Database, Queryable } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'
import { type HousekeepingRule, housekeepingRules } from './housekeeping-rules.ts'

export interface Housekeeping {
  /** Ends after the batch under way. */
  close(): Promise<void>
}

export interface HousekeepingInput {
  readonly database: Database
  readonly log: Logger
  readonly everyMs?: number
}

const HOUSEKEEPING_LOCK = 6_206_148
const EVERY_MS = 60_000
/** All rules at the first round and then once an hour. */
const EVERYTHING_EACH = 60
const BATCH = 1000
const PAUSE_MS = 20

/** Rows that a request holds at this moment are left for the next time: housekeeping waits for nobody, and nobody for it. */
const removeBatch = (queryable: Queryable, { table, past }: HousekeepingRule): Promise<number> =>
  queryable.run(sql`
    delete from ${identifier('minaret', table)} where ctid = any (array(
      select t.ctid from ${identifier('minaret', table)} t where ${past} limit ${BATCH} for update of t skip locked))`)

/** Each batch is a transaction of its own that holds the lock; undefined where another process has it. */
const tidyBatch = (database: Database, rule: HousekeepingRule): Promise<number | undefined> =>
  database.transaction(async transaction => {
    const lock = await transaction.first<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${HOUSEKEEPING_LOCK}) as mine`,
    )
    return lock?.mine === true ? removeBatch(transaction, rule) : undefined
  })

export interface TidyOptions {
  readonly rules?: readonly HousekeepingRule[]
  readonly isClosed?: () => boolean
}

/** @returns how many rows went, by table. */
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

export const startHousekeeping = ({ database, log, everyMs = EVERY_MS }: HousekeepingInput): Housekeeping => {
  let closed = false
  let running: Promise<void> = Promise.resolve()
  let rounds = 0
  const run = async (): Promise<void> => {
    const rules = rounds % EVERYTHING_EACH === 0 ? housekeepingRules : housekeepingRules.filter(({ often }) => often)
    rounds += 1
    try {
      const removed = await tidyUp(database, { rules, isClosed: () => closed })
      if (Object.keys(removed).length > 0) log.debug({ removed }, 'tidied up')
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
