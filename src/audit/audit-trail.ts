// Events → rows of the audit log, written in batches so that no response waits for them.
import type { Logger } from '../base/log.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { createHourlyTallies, type Tally } from './hourly-tallies.ts'

interface AuditEvent {
  /** Area and event, separated by a dot: `oauth.token_issued`. */
  readonly action: string
  readonly actor: 'user' | 'app' | 'command' | 'system' | 'anonymous'
  /** The acting user; for the actor `user`, defaults to the user concerned. */
  readonly actorId?: string | undefined
  readonly appId: string | undefined
  /** The user concerned. */
  readonly userId: string | undefined
  readonly address: string | undefined
  /** Never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface AuditTrail {
  note(event: AuditEvent): void
  /**
   * For events that can happen thousands of times a second: the first of equal events is a row, and those that follow are one
   * row an hour, with their number. `key` tells them apart.
   */
  tally(key: string, event: () => AuditEvent): void
  /** Writes pending entries, and stops. */
  close(): Promise<void>
}

const WRITE_EVERY_MS = 500
const LARGEST_BATCH = 1000
/** Bounds memory while the database is down: beyond this the oldest entries are dropped, and the log says how many. */
const MOST_WAITING = 50_000

type Entry = AuditEvent & { readonly at: Date }

const toEntry = ({ event, count, since }: Tally<AuditEvent>): Entry => ({
  ...event,
  at: count === 1 ? since : new Date(),
  detail: { ...event.detail, ...(count === 1 ? {} : { count, since }) },
})

const toRow = ({ at, action, actor, actorId, appId, userId, address, detail }: Entry): object => ({
  at,
  action,
  actor,
  actor_id: actorId ?? (actor === 'user' ? userId : undefined),
  app_id: appId,
  user_id: userId,
  address,
  detail: detail ?? {},
})

const insert = (batch: readonly Entry[]) => sql`
  insert into minaret.audit_log (at, action, actor, actor_id, app_id, user_id, address, detail)
  select at, action, actor, actor_id, app_id, user_id, address, detail
  from jsonb_to_recordset(${JSON.stringify(batch.map(toRow))}::jsonb) as entry (at timestamptz, action text, actor text,
    actor_id uuid, app_id uuid, user_id uuid, address text, detail jsonb)`

export const openAuditTrail = (database: Queryable, log: Logger): AuditTrail => {
  const waiting: Entry[] = []
  const tallies = createHourlyTallies<AuditEvent>()
  let writing: Promise<void> = Promise.resolve()

  /** Entries that could not be written are retried with the next batch. */
  const writeBatch = async (batch: readonly Entry[]): Promise<void> => {
    try {
      await database.run(insert(batch))
    } catch (error) {
      waiting.unshift(...batch)
      throw error
    }
  }
  const write = async (counted: readonly Tally<AuditEvent>[]): Promise<void> => {
    for (const tally of counted) waiting.push(toEntry(tally))
    while (waiting.length > 0) await writeBatch(waiting.splice(0, LARGEST_BATCH))
  }
  const writeNext = (counted = tallies.take()): Promise<void> => {
    writing = writing
      .then(() => write(counted))
      .catch(error => log.error({ err: error }, 'the audit log could not be written'))
    return writing
  }
  const timer = setInterval(() => writeNext(), WRITE_EVERY_MS)
  timer.unref()
  return {
    note: event => {
      waiting.push({ ...event, at: new Date() })
      if (waiting.length > MOST_WAITING) {
        log.error(`the audit log cannot be written: ${waiting.splice(0, LARGEST_BATCH).length} entries were given up`)
      }
    },
    tally: tallies.add,
    close: async () => {
      clearInterval(timer)
      await writeNext(tallies.takeAll())
    },
  }
}
