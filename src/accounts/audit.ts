// An event in somebody's account → a line of the audit log, in the transaction of what it tells of.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface AuditLine {
  readonly action: string
  /** Who did it; undefined when nobody was signed in. */
  readonly actorId?: string | undefined
  /** Whom it concerns. */
  readonly userId?: string | undefined
  readonly appId?: string | undefined
  readonly address?: string | undefined
  /** Never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
}

export const recordAudit = async (database: Queryable, line: AuditLine): Promise<void> => {
  await database.run(sql`
    insert into minaret.audit_log (action, actor, actor_id, user_id, app_id, address, detail)
    values (${line.action}, ${line.actorId === undefined ? 'anonymous' : 'user'}, ${line.actorId ?? null},
      ${line.userId ?? null}, ${line.appId ?? null}, ${line.address ?? null}, ${JSON.stringify(line.detail ?? {})})`)
}
