// How many requests a minute a key may make: checked, and changed while the key is in use.
import { MOST_REQUESTS_PER_MINUTE } from '../access/key-limits.ts'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { credentialRefused } from './faults.ts'

export const isKeyLimit = (limit: number): boolean =>
  Number.isInteger(limit) && limit >= 1 && limit <= MOST_REQUESTS_PER_MINUTE

/** @throws {Fault} `credential_refused` */
export const checkKeyLimit = (limit: number | undefined): void => {
  if (limit !== undefined && !isKeyLimit(limit))
    throw credentialRefused(
      `The limit of a key is a whole number of requests a minute, from 1 to ${MOST_REQUESTS_PER_MINUTE}.`,
    )
}

export interface SetKeyLimitInput {
  readonly appId: string
  readonly actor: Actor
  readonly keyId: string
  /** Undefined: as many as the app. */
  readonly requestsPerMinute: number | undefined
}

export const setKeyLimit = (database: Database, input: SetKeyLimitInput): Promise<void> =>
  database.transaction(async transaction => {
    const { appId, actor, keyId, requestsPerMinute } = input
    checkKeyLimit(requestsPerMinute)
    const changed = await transaction.run(sql`
      update minaret.api_keys set requests_per_minute = ${requestsPerMinute}
      where id::text = ${keyId} and app_id = ${appId} and revoked_at is null`)
    if (changed === 0) throw credentialRefused('There is no such key, or it was revoked.')
    const detail = { key_id: keyId, requests_per_minute: requestsPerMinute ?? null }
    await recordAudit(transaction, { action: 'key.limited', actor, appId, detail })
  })
