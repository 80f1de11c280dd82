// The owner's pool → the same for statements that change the structure while the service runs: they give way to everybody else.
// All of them pass here; test/changes/giving-way.test.ts finds those that do not.
import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Queryable } from './database.ts'
import { databaseCode } from './database-fault.ts'
import { rawSql } from './sql.ts'

/**
 * Everybody who wants to use a table waits behind a lock that we wait for, so not for long. It is also well below the second after which
 * PostgreSQL looks for deadlocks: we are gone by then, and nobody else's statement is ended.
 */
export const LOCK_MS = 200

declare const gives: unique symbol

/** One table for each transaction, and no advisory lock that others wait for: what did not succeed is tried again at the next look. */
export interface GivingWay extends Database {
  readonly [gives]: true
}

const limit = rawSql(`set local lock_timeout = ${LOCK_MS}`)

export const givingWay = (database: Database): GivingWay => {
  const transaction = <T>(work: (transaction: Queryable) => Promise<T>): Promise<T> =>
    database.transaction(async one => {
      await one.run(limit)
      return work(one)
    })
  return {
    ...database,
    query: statement => transaction(one => one.query(statement)),
    first: statement => transaction(one => one.first(statement)),
    run: statement => transaction(one => one.run(statement)),
    transaction,
  } as GivingWay
}

/** 55P03: a lock was held too long. 40P01: a deadlock. XX000: two processes changed the same thing at once. */
export const isBusy = (error: unknown): boolean =>
  [error, (error as Error | undefined)?.cause].some(one => /^(55P03|40P01|XX000)$/.test(databaseCode(one)))

/** Undefined if others held a lock: the next look tries again. */
export const orLater = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (isBusy(error)) return undefined
    throw error
  }
}

const PATIENCE_MS = 60_000

/** At a start, what cannot be left for later is tried until others are done. */
export const tryUntilFree = async <T>(work: () => Promise<T>, forMs = PATIENCE_MS): Promise<T> => {
  const until = performance.now() + forMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
      await pause(LOCK_MS)
    }
  }
}
