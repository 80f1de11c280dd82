// What people and apps did → rows of the audit log, written in batches so that no answer waits for them.
import type { Logger } from '../base/log.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface AuditEvent {
  /** Such as `oauth.token_issued`: the part, a dot, what happened. */
  readonly action: string
  readonly actor: 'user' | 'app' | 'command' | 'system' | 'anonymous'
  /** The user who did it; for the actor `user`, by default the one whom it concerns. */
  readonly actorId?: string | undefined
  readonly appId: string | undefined
  /** The user whom it concerns. */
  readonly userId: string | undefined
  readonly address: string | undefined
  /** Never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface AuditTrail {
  note(event: AuditEvent): void
  /** Writes what waits, and stops. */
  close(): Promise<void>
}

const WRITE_EVERY_MS = 500
const LARGEST_BATCH = 1000
/** A database that is away must not fill the memory: beyond this the oldest are given up, and the log says how many. */
const MOST_WAITING = 50_000

type Entry = AuditEvent & { readonly at: Date }

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
  let waiting: Entry[] = []
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, LARGEST_BATCH)
      await database.run(insert(batch))
      waiting = waiting.slice(batch.length)
    }
  }
  const writeNext = (): Promise<void> => {
    writing = writing.then(write).catch(error => log.error({ err: error }, 'the audit log could not be written'))
    return writing
  }
  const timer = setInterval(() => waiting.length > 0 && writeNext(), WRITE_EVERY_MS)
  timer.unref()
  return {
    note: event => {
      waiting.push({ ...event, at: new Date() })
      if (waiting.length > MOST_WAITING) {
        log.error(`the audit log cannot be written: ${waiting.splice(0, LARGEST_BATCH).length} entries were given up`)
      }
    },
    close: async () => {
      clearInterval(timer)
      await writeNext()
    },
  }
}
