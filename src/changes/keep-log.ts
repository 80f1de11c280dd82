// The change log is kept: its partitions are made ahead and dropped with their rows, and its cursors belong to this server.
import { advisoryLocks } from '../db/advisory-locks.ts'
import type { Database } from '../db/database.ts'
import { givingWay, orLater } from '../db/giving-way.ts'
import { sql } from '../db/sql.ts'

const keep = (database: Database, days: number): Promise<void> =>
  givingWay(database).transaction(async transaction => {
    const lock = await transaction.first<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.changeLog}) as mine`,
    )
    if (lock?.mine === true) await transaction.run(sql`select changes.keep(make_interval(days => ${days}::int))`)
  })

/** At the start and then every minute. Another process may be doing the same; then there is nothing to do. */
export const keepChangeLog = (database: Database, days: number): Promise<void> => orLater(keep(database, days))
