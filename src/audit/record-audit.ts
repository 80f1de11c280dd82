// Writes an entry to the audit log, in the transaction of the action. Never contains a secret.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** Who acts, and from where. */
export interface Actor {
  readonly kind: 'user' | 'app' | 'command' | 'system' | 'anonymous'
  readonly userId: string | undefined
  readonly address: string | undefined
}

export const commandActor: Actor = { kind: 'command', userId: undefined, address: undefined }
export const systemActor: Actor = { kind: 'system', userId: undefined, address: undefined }

export interface AuditEntry {
  /** Area and event, separated by a dot: `app.approved`, `session.started`. */
  readonly action: string
  readonly actor: Actor
  readonly appId?: string | undefined
  /** The user concerned; defaults to the actor. */
  readonly userId?: string | undefined
  readonly detail?: Readonly<Record<string, unknown>>
}

export const recordAudit = async (queryable: Queryable, entry: AuditEntry): Promise<void> => {
  const { action, actor, appId, userId, detail } = entry
  await queryable.run(sql`
    insert into minaret.audit_log (action, actor_id, actor, app_id, user_id, address, detail)
    values (${action}, ${actor.userId}, ${actor.kind}, ${appId}, ${userId ?? actor.userId}, ${actor.address},
      ${JSON.stringify(detail ?? {})})`)
}
