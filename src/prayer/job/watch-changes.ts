// Looks for changed masjids and events until there are some. Of all processes, one does it.
//
// Triggers only mark what is due. They cannot notify anyone: NOTIFY takes a lock that all databases of the server share and
// holds it until the commit is on disk, so that every commit would wait for every other. Looking needs nothing but the
// marks, which survive whatever happens to the processes, and costs a few index probes.
import { advisoryLocks } from '../../db/advisory-locks.ts'
import { type DataSchema, dataSchemas } from '../../db/data-schema.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { identifier, joinSql, prepared, rawSql, type Sql, sql } from '../../db/sql.ts'

export interface Watch {
  readonly database: Database
  /** How often to look. */
  readonly everyMs: number
  readonly sleep: (milliseconds: number) => Promise<void>
  /** Checked after each look. */
  readonly isOver: () => boolean
}

/** This many are done quickly while someone waits; more are done in the background. */
export const FEW = 20

/** How long one transaction holds the lock. Nothing keeps a snapshot in it, so it does not hold vacuum back. */
const TURN_MS = 10_000
/** A watcher whose machine went away without a word loses its transaction, and so the lock, after this long. */
const LOST_AFTER_MS = 5000
/** However long a look takes, at most a twentieth of the time is spent looking. */
const REST_PER_LOOK = 20

const settings = rawSql(`
  select set_config('idle_in_transaction_session_timeout', '${LOST_AFTER_MS}', true),
    set_config('enable_seqscan', 'off', true)`)

/** By the partial index of what is due, which is empty most of the time, whatever the number of rows. */
const changedIn = (schema: DataSchema, table: string): Sql => sql`(
  select from ${identifier(schema, table)} where filled_revision is distinct from revision
  order by touched_at desc limit ${rawSql(String(FEW + 1))})`

const changedRows = joinSql(
  dataSchemas.flatMap(schema => [changedIn(schema, 'calculation_states'), changedIn(schema, 'occurrence_states')]),
  ' union all ',
)

export const countChanged = prepared('count_changed', sql`select count(*)::int as count from (${changedRows}) due`)

const look = async (transaction: Queryable, { everyMs, sleep, isOver }: Watch): Promise<number> => {
  const until = performance.now() + TURN_MS
  for (;;) {
    const started = performance.now()
    const count = (await transaction.first<{ count: number }>(countChanged))?.count ?? 0
    if (count > 0 || isOver() || performance.now() > until) return count
    await sleep(Math.min(Math.max(everyMs, REST_PER_LOOK * (performance.now() - started)), LOST_AFTER_MS / 2))
  }
}

/** @returns how many are due, counted up to one more than a few; 'taken' if another process is watching. */
export const watchChanges = (watch: Watch): Promise<number | 'taken'> =>
  watch.database.transaction(async transaction => {
    const row = await transaction.first<{ free: boolean }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.prayerWatch}) as free`,
    )
    if (row?.free !== true) return 'taken'
    await transaction.query(settings)
    return look(transaction, watch)
  })
