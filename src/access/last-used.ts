// Uses of keys and secrets → their last_used_at, at most once a minute each, written in batches in the background.
import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import type { Queryable } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'

const tables = ['api_keys', 'app_secrets'] as const
type UsedTable = (typeof tables)[number]

export interface LastUsed {
  /** Returns immediately. */
  note(table: UsedTable, id: string): void
  /** Writes what is queued. */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface LastUsedInput {
  readonly database: Queryable
  readonly clock: Clock
  readonly log: Logger
}

const FLUSH_MS = 5000
const MINUTE_MS = 60_000
const REMEMBERED = 100_000

const write = (database: Queryable, table: UsedTable, uses: ReadonlyMap<string, Date>): Promise<number> =>
  database.run(sql`
    update ${identifier('minaret', table)} t set last_used_at = u.at
    from unnest(${[...uses.keys()]}::uuid[], ${[...uses.values()]}::timestamptz[]) as u (id, at)
    where t.id = u.id and (t.last_used_at is null or t.last_used_at <= u.at - interval '1 minute')`)

export const createLastUsed = ({ database, clock, log }: LastUsedInput): LastUsed => {
  const waiting = new Map<UsedTable, Map<string, Date>>(tables.map(table => [table, new Map()]))
  const noted = new Map<string, number>()

  const flush = async (): Promise<void> => {
    for (const table of tables) {
      const uses = waiting.get(table)
      if (uses === undefined || uses.size === 0) continue
      waiting.set(table, new Map())
      await write(database, table, uses).catch(error => log.warn({ err: error }, 'the last use was not recorded'))
    }
  }
  const timer = setInterval(() => void flush(), FLUSH_MS).unref()
  return {
    note: (table, id) => {
      const now = clock.now()
      const before = noted.get(id)
      if (before !== undefined && now.getTime() - before < MINUTE_MS) return
      if (noted.size >= REMEMBERED) noted.clear()
      noted.set(id, now.getTime())
      waiting.get(table)?.set(id, now)
    },
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
