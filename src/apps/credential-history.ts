// Which secrets and keys of an app were made and revoked, and by whom: the entries of the audit log, newest first.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface CredentialEvent {
  readonly action: string
  readonly at: Date
  /** Null for the operator at the command line. */
  readonly by: string | null
  /** What the key is called; null for a secret, and for a key that is long gone. */
  readonly key: string | null
}

const credentialActions = [
  'app.secret_created',
  'app.secret_revoked',
  'key.created',
  'key.revoked',
  'key.limited',
  'app.keys_changed',
] as const

export const listCredentialEvents = (queryable: Queryable, appId: string): Promise<CredentialEvent[]> =>
  queryable.query<CredentialEvent>(sql`
    select log.action, log.at, actor.name as by, key.name as key
    from minaret.audit_log as log left join minaret.users as actor on actor.id = log.actor_id
      left join minaret.api_keys as key on key.id::text = log.detail ->> 'key_id' and key.app_id = ${appId}
    where log.app_id = ${appId} and log.action = any(${credentialActions})
    order by log.at desc, log.id desc limit 100`)
