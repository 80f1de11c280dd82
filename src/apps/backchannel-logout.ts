// Where an app is told of sign-outs (OpenID Connect Back-Channel Logout 1.0). Its owner sets it at any time, like webhooks.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { type Asking, mayBeReached } from '../outbound/check-saved-address.ts'
import { registrationRefused } from './faults.ts'

export const findLogoutUri = async (database: Queryable, appId: string): Promise<string | undefined> => {
  const row = await database.first<{ uri: string | null }>(sql`
    select backchannel_logout_uri as uri from minaret.apps where id = ${appId}`)
  return row?.uri ?? undefined
}

export interface LogoutUriChange extends Asking {
  readonly appId: string
  /** Empty: the app is not told. */
  readonly uri: string
  readonly actor: Actor
}

/** @throws {Fault} `registration_refused` unless it is a public https address without a port. */
export const setLogoutUri = async (
  database: Database,
  { appId, uri, actor, ...asking }: LogoutUriChange,
): Promise<void> => {
  if (uri !== '' && !(await mayBeReached(uri, asking)))
    throw registrationRefused('The address for sign-outs must be a public https address without a port.')
  await database.transaction(async transaction => {
    const changed = await transaction.run(sql`
      update minaret.apps set backchannel_logout_uri = nullif(${uri}, '')
      where id = ${appId} and deleted_at is null and backchannel_logout_uri is distinct from nullif(${uri}, '')`)
    if (changed > 0) await recordAudit(transaction, { action: 'app.logout_uri_changed', actor, appId })
  })
}
