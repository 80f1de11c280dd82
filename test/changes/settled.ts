// Waits until the log shows everything that has been committed: other databases of the test cluster hold it back too.
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'

const DEADLINE_MS = 60_000

export const settled = async (database: Database): Promise<void> => {
  const mine = await database.first<{ xid: string }>(sql`select pg_current_xact_id()::text as xid`)
  const passed = () =>
    database.first<{ passed: boolean }>(
      sql`select pg_snapshot_xmin(pg_current_snapshot()) > ${mine?.xid}::text::xid8 as passed`,
    )
  for (const end = Date.now() + DEADLINE_MS; (await passed())?.passed !== true; await delay(5))
    if (Date.now() > end) throw new Error('a transaction in the cluster has been in progress for a minute')
}
