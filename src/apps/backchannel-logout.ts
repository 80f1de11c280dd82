// Where an app is told of sign-outs (OpenID Connect Back-Channel Logout 1.0). Its owner sets it at any time, like webhooks.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { FetchRefused } from '../outbound/fetch-refused.ts'
import { checkPostAddress } from '../outbound/guarded-post.ts'
import { registrationRefused } from './faults.ts'

export const findLogoutUri = async (database: Queryable, appId: string): Promise<string | undefined> => {
  const row = await database.first<{ uri: string | null }>(sql`
    select backchannel_logout_uri as uri from minaret.apps where id = ${appId}`)
  return row?.uri ?? undefined
}

const isPostable = (uri: string, loopback: boolean): boolean => {
  try {
    checkPostAddress(uri, loopback)
    return true
  } catch (error) {
    if (error instanceof FetchRefused) return false
    throw error
  }
}

export interface LogoutUriChange {
  readonly appId: string
  /** Empty: the app is not told. */
  readonly uri: string
  /** Whether it may be on this machine: in development. */
  readonly loopback: boolean
  readonly actor: Actor
}

/** @throws {Fault} `registration_refused` unless it is a public https address without a port. */
export const setLogoutUri = async (
  database: Database,
  { appId, uri, loopback, actor }: LogoutUriChange,
): Promise<void> => {
  if (uri !== '' && !isPostable(uri, loopback))
    throw registrationRefused('The address for sign-outs must be a public https address without a port.')
  await database.transaction(async transaction => {
    const changed = await transaction.run(sql`
      update minaret.apps set backchannel_logout_uri = nullif(${uri}, '')
      where id = ${appId} and deleted_at is null and backchannel_logout_uri is distinct from nullif(${uri}, '')`)
    if (changed > 0) await recordAudit(transaction, { action: 'app.logout_uri_changed', actor, appId })
  })
}
