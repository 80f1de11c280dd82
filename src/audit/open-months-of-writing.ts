// The audit trail of writing is partitioned by month; the coming months are opened ahead of time.
import { advisoryLocks } from '../db/advisory-locks.ts'
import { dataSchemas } from '../db/data-schema.ts'
import type { Database } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'

/** Another process may be doing the same; then there is nothing to do. Without a partition, rows go to the default one. */
export const openMonthsOfWriting = (database: Database): Promise<void> =>
  database.transaction(async transaction => {
    const lock = await transaction.first<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.monthsOfWriting}) as mine`,
    )
    if (lock?.mine !== true) return
    for (const schema of dataSchemas)
      await transaction.run(sql`select ${identifier(schema, 'open_months_of_writing')}()`)
  })
