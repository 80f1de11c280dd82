// A day → the sandbox's invented data relative to it: rows, prayer times, occurrences and RSVPs, in one transaction.

import { advisoryLocks } from '../db/advisory-locks.ts'
import type { Database, Queryable } from '../db/database.ts'
import { LOCK_MS, tryUntilFree } from '../db/giving-way.ts'
import { quoteLiteral, rawSql, sql } from '../db/sql.ts'
import { loadFixtures } from '../fixtures/load-fixtures.ts'
import { loadRsvps } from '../fixtures/load-rsvps.ts'
import { runSchema } from '../prayer/job/run-job.ts'

export interface Renewal {
  readonly database: Database
  readonly now: Date
}

export const RENEWED_CHANNEL = 'minaret_sandbox_renewed'

export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

export const readRenewedDay = async (database: Queryable): Promise<string | undefined> =>
  (await database.first<{ day: string }>(sql`select day from minaret.sandbox_renewals`))?.day

/**
 * Runs everything inside one transaction, one statement at a time, so that readers switch from the old day to the new
 * one at once.
 */
const within = (database: Database, transaction: Queryable): Database => {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
  const joined: Database = {
    connection: database.connection,
    query: statement => inTurn(() => transaction.query(statement)),
    first: statement => inTurn(() => transaction.first(statement)),
    run: statement => inTurn(() => transaction.run(statement)),
    transaction: work => work(joined),
    close: async () => undefined,
  }
  return joined
}

const LONG_WAIT = `set local lock_timeout = '10min'`

/** Waits for another process that is renewing, or for a run of the prayer job, which takes minutes on a slow machine. */
const takeLocks = async (transaction: Queryable): Promise<void> => {
  await transaction.run(rawSql(LONG_WAIT))
  await transaction.run(sql`select pg_advisory_xact_lock(${advisoryLocks.sandboxRenewal})`)
  await transaction.run(sql`select pg_advisory_xact_lock(${advisoryLocks.prayerJob})`)
}

/**
 * All that a renewal may write, before anything is written, and without waiting for long: whoever alters several of these tables in one
 * transaction waits for the renewal, but never in a circle with it.
 */
const takeTables = async (transaction: Queryable): Promise<void> => {
  const rows = await transaction.query<{ name: string }>(sql`
    select oid::regclass::text as name from pg_class
    where relnamespace = 'sandbox'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> 'written_rows' order by oid`)
  await transaction.run(rawSql(`set local lock_timeout = ${LOCK_MS}`))
  await transaction.run(rawSql(`lock table ${rows.map(({ name }) => name).join()} in row exclusive mode`))
  await transaction.run(rawSql(LONG_WAIT))
}

const targetOf = (now: Date) => ({ schema: 'sandbox', today: dayOf(now) })

/** Only the rows, which takes a second: the first start should not wait for 400 days of prayer times. */
export const loadRows = (database: Database, now: Date): Promise<void> => loadFixtures(database, targetOf(now))

const fill = async (database: Database, { now }: Renewal): Promise<void> => {
  await loadRows(database, now)
  await runSchema({ database, now }, 'sandbox')
  await loadRsvps(database, targetOf(now))
}

/** The sandbox's tables have no triggers: a renewal may have changed every row of every table. */
const logRenewal = (transaction: Queryable): Promise<unknown> =>
  transaction.run(sql`
    insert into changes.log (table_name, kind)
    select 'sandbox.' || relname, 'bulk' from pg_class
    where relnamespace = 'sandbox'::regnamespace and relkind in ('r', 'p') and relname ~ '^(up|ua|pc)_'`)

const renewOnce = (renewal: Renewal): Promise<boolean> =>
  renewal.database.transaction(async transaction => {
    const day = dayOf(renewal.now)
    await takeLocks(transaction)
    const renewed = await readRenewedDay(transaction)
    if (renewed !== undefined && renewed >= day) return false
    await takeTables(transaction)
    await fill(within(renewal.database, transaction), renewal)
    await logRenewal(transaction)
    await transaction.run(sql`
      insert into minaret.sandbox_renewals (day) values (${day})
      on conflict (only_one) do update set day = excluded.day, renewed_at = now()`)
    await transaction.run(rawSql(`notify ${RENEWED_CHANNEL}, ${quoteLiteral(day)}`))
    return true
  })

/** Returns whether there was anything to do. */
export const renewFixtures = (renewal: Renewal): Promise<boolean> => tryUntilFree(() => renewOnce(renewal))
