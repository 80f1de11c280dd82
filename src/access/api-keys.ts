// The digest of an API key → its grant; undefined if the key is unknown or expired, or its app is not approved.
import { sha256 } from '../base/secrets.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { type AppReachRow, appReachColumns, toAppReach } from './app-reach.ts'
import type { Grant } from './grant.ts'
import { isScope, type Scope, scopeKeyOf } from './scopes.ts'

export interface KnownKey {
  readonly grant: Grant
  readonly keyId: string
  readonly issuedAt: number
}

interface KeyRow extends Omit<AppReachRow, 'app_id' | 'client_id'> {
  readonly key_id: string
  readonly app_id: string | null
  readonly client_id: string | null
  readonly environment: 'live' | 'test'
  readonly scopes: readonly string[]
  readonly expires_at: Date | null
  readonly created_at: Date
  readonly requests_per_minute: number | null
}

/** A test key only reaches invented data, so it has its own scopes; a live key never exceeds those of its app. */
const scopesOf = (row: KeyRow): ReadonlySet<Scope> => {
  const scopes = row.scopes.filter(isScope)
  return new Set(row.environment === 'test' ? scopes : scopes.filter(scope => row.app_scopes.includes(scope)))
}

const toGrant = (row: KeyRow): Grant => {
  const scopes = scopesOf(row)
  const reach = row.environment === 'live' && row.app_id !== null ? toAppReach(row as AppReachRow) : undefined
  return {
    kind: 'app',
    credential: 'api_key',
    environment: row.environment,
    appId: row.app_id ?? undefined,
    clientId: row.client_id ?? undefined,
    userId: undefined,
    keyId: row.key_id,
    requestsPerMinute: row.requests_per_minute ?? undefined,
    tokenId: undefined,
    grantId: undefined,
    scopes,
    scopeKey: scopeKeyOf(scopes),
    masjids: reach?.masjids ?? '*',
    ownMasjids: reach?.ownMasjids ?? [],
    expiresAt: row.expires_at === null ? undefined : Math.floor(row.expires_at.getTime() / 1000),
  }
}

export const findKey = async (database: Queryable, key: string): Promise<KnownKey | undefined> => {
  const row = await database.first<KeyRow>(sql`
    select k.id as key_id, k.environment, k.scopes, k.expires_at, k.created_at, k.requests_per_minute, ${appReachColumns}
    from minaret.api_keys k left join minaret.apps a on a.id = k.app_id
    where k.key_hash = ${sha256(key)} and k.revoked_at is null
      and (k.app_id is null or a.deleted_at is null and not minaret.is_held(a.owner_id) and (
        a.state = 'approved' or k.environment = 'test' and a.state <> 'suspended'))`)
  if (row === undefined) return undefined
  return { grant: toGrant(row), keyId: row.key_id, issuedAt: Math.floor(row.created_at.getTime() / 1000) }
}
