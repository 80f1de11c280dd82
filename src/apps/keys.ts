// An app's API keys: created within its scopes, shown once, listed, revoked.
import { createApiKey, type KeyEnvironment, keyHint } from '../access/api-key-format.ts'
import { dataScopes, type Scope, sortScopes } from '../access/scopes.ts'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import { isPlainLine } from '../base/plain-text.ts'
import { sha256 } from '../base/secrets.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { createdBefore, credentialRefused, explainDatabaseFault, scopeRefused } from './faults.ts'
import { checkKeyLimit } from './key-limit.ts'

export interface CreateKeyInput {
  /** The new key's id, if it was chosen before: a form that is sent twice creates one key. */
  readonly id?: string | undefined
  readonly appId: string
  readonly actor: Actor
  readonly name: string
  readonly environment: KeyEnvironment
  /** A test key defaults to every data scope. */
  readonly scopes: readonly Scope[]
  readonly expiresAt?: Date | undefined
  /** Undefined: as many as the app. */
  readonly requestsPerMinute?: number | undefined
}

export interface ListedKey {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly environment: KeyEnvironment
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
  readonly requestsPerMinute: number | null
}

export interface NewKey {
  readonly id: string
  /** Cannot be shown again. */
  readonly key: string
}

const scopesFor = ({ environment, scopes }: CreateKeyInput): Scope[] => {
  if (scopes.length === 0 && environment === 'live') throw scopeRefused('Choose at least one scope for the key.')
  return sortScopes(scopes.length === 0 ? dataScopes : scopes)
}

/** @throws {Fault} `created_before` if there is one with this id. */
export const createKey = (database: Database, input: CreateKeyInput): Promise<NewKey> =>
  database
    .transaction(async transaction => {
      const { appId, actor, environment, expiresAt, requestsPerMinute } = input
      const name = input.name.trim() === '' ? `${environment} key` : input.name.trim().slice(0, 100)
      if (!isPlainLine(name))
        throw credentialRefused('The name of a key is one line, without characters that are not seen.')
      const scopes = scopesFor(input)
      if (expiresAt !== undefined && !(expiresAt.getTime() > Date.now()))
        throw credentialRefused('The expiry must be in the future.')
      checkKeyLimit(requestsPerMinute)
      const key = createApiKey(environment)
      const row = await transaction.first<{ id: string }>(sql`
        insert into minaret.api_keys (id, app_id, name, hint, key_hash, environment, scopes, expires_at, requests_per_minute, created_by)
        values (coalesce(${input.id}::uuid, gen_random_uuid()), ${appId}, ${name}, ${keyHint(key)}, ${sha256(key)},
          ${environment}, ${scopes}, ${expiresAt}, ${requestsPerMinute}, ${actor.userId})
        returning id`)
      const id = String(row?.id)
      const limited = requestsPerMinute === undefined ? {} : { requests_per_minute: requestsPerMinute }
      const detail = { key_id: id, environment, scopes, ...limited }
      await recordAudit(transaction, { action: 'key.created', actor, appId, detail })
      return { id, key }
    })
    .catch(error => {
      if (error?.constraint === 'api_keys_pkey') throw createdBefore()
      return explainDatabaseFault(error)
    })

export const revokeKey = (
  database: Database,
  { appId, actor, keyId }: { appId: string; actor: Actor; keyId: string },
): Promise<void> =>
  database.transaction(async transaction => {
    const gone = await transaction.run(sql`
      update minaret.api_keys set revoked_at = now()
      where id::text = ${keyId} and app_id = ${appId} and revoked_at is null`)
    if (gone === 0) throw credentialRefused('There is no such key, or it was revoked already.')
    await recordAudit(transaction, { action: 'key.revoked', actor, appId, detail: { key_id: keyId } })
  })

export const listKeys = (queryable: Queryable, appId: string): Promise<ListedKey[]> =>
  queryable.query<ListedKey>(sql`
    select id, name, hint, environment, scopes, created_at as "createdAt", expires_at as "expiresAt",
      last_used_at as "lastUsedAt", revoked_at as "revokedAt", requests_per_minute as "requestsPerMinute"
    from minaret.api_keys where app_id = ${appId} order by revoked_at is not null, created_at desc limit 200`)
