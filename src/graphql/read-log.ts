// Reads of tables with personal data → rows of the read log, written in batches so that no response waits for them.
import type { Grant } from '../access/grant.ts'
import type { Logger } from '../base/log.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { countPersonalRows } from './count-rows.ts'
import type { Plan } from './plan/plan.ts'

export interface ReadLog {
  note(grant: Grant, plan: Plan, data: string): void
  flush(): Promise<void>
  close(): Promise<void>
}

const WRITE_EVERY_MS = 500
const MOST_WAITING = 50_000

interface Entry {
  readonly at: Date
  readonly app_id: string | undefined
  readonly user_id: string | undefined
  readonly key_id: string | undefined
  readonly table_name: string
  readonly row_count: number
}

const insert = (batch: readonly Entry[]) => sql`
  insert into minaret.read_log (at, app_id, user_id, key_id, table_name, row_count)
  select at, app_id, user_id, key_id, table_name, row_count
  from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as entry (at timestamptz, app_id uuid, user_id uuid,
    key_id uuid, table_name text, row_count integer)`

export const createReadLog = (database: Queryable, log: Logger): ReadLog => {
  let waiting: Entry[] = []
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const batch = waiting
    if (batch.length === 0) return
    waiting = []
    await database.run(insert(batch)).catch(error => {
      log.error({ err: error }, 'the read log could not be written; retrying')
      waiting = [...batch, ...waiting].slice(-MOST_WAITING)
    })
  }
  const flush = (): Promise<void> => {
    writing = writing.then(write)
    return writing
  }
  const timer = setInterval(() => void flush(), WRITE_EVERY_MS)
  timer.unref()
  return {
    note: ({ appId, userId, keyId }, plan, data) => {
      const at = new Date()
      for (const [table, rows] of countPersonalRows(plan, data))
        waiting.push({ at, app_id: appId, user_id: userId, key_id: keyId, table_name: table.name, row_count: rows })
    },
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
