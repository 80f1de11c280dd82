// Authorization codes, each used once → stored refresh tokens. Concurrent requests share one statement.
import type { Resource } from '../../access/resources.ts'
import type { Scope } from '../../access/scopes.ts'
import { sha256 } from '../../base/secrets.ts'
import { type BatchStatement, createBatched } from '../../db/batched.ts'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { AskedResource } from '../authorize/check-resource.ts'

export interface CodeUse {
  readonly codeHash: Buffer
  readonly appId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly resource: AskedResource
  /** The refresh token that the code is exchanged for. */
  readonly refreshToken: string
  /** The key that was proven. */
  readonly thumbprint: string | undefined
  /** Whether its refresh token is bound to that key: those of public clients are (RFC 9449 section 5). */
  readonly bound: boolean
}

export interface RedeemedCode {
  readonly grantId: string
  readonly userId: string
  readonly scopes: readonly Scope[]
  readonly nonce: string | null
  readonly authenticatedAt: Date
  readonly amr: readonly string[]
  /** Null: the service as a whole. */
  readonly resource: Resource | null
  /** The session in the browser, as apps know it; null for a device. */
  readonly sid: string | null
}

/** Undefined if the code may not be used; the caller then finds out why. */
export type RedeemCode = (use: CodeUse) => Promise<RedeemedCode | undefined>

/** RFC 8707 section 2.2: a token request names what was authorized, or nothing. Of `asked` and `grants`. */
export const isForResource: Sql = sql`asked.resource in ('', coalesce(grants.resource, '/'))`

/** Of `redeemed` and its app. */
const ends: Sql = sql`
  now() + make_interval(secs => apps.refresh_idle_seconds), now() + make_interval(secs => apps.refresh_total_seconds)`

/**
 * Consumes the codes and stores their refresh tokens. Of fifty concurrent uses of one code, only one succeeds. A code
 * that cannot be used, for whatever reason, is left unchanged.
 */
const redeem: BatchStatement<CodeUse> = (uses, locking) => sql`
  with asked as (
    select * from unnest(${uses.map(use => use.codeHash)}::bytea[], ${uses.map(use => use.appId)}::uuid[],
      ${uses.map(use => use.redirectUri)}::text[], ${uses.map(use => use.challenge)}::text[],
      ${uses.map(use => sha256(use.refreshToken))}::bytea[], ${uses.map(use => use.resource)}::text[],
      ${uses.map(use => use.thumbprint ?? null)}::text[], ${uses.map(use => use.bound)}::boolean[])
      with ordinality as asked (code_hash, app_id, redirect_uri, code_challenge, token_hash, resource, jkt, bound, place)
  ), usable as (
    select asked.place, asked.token_hash, case when asked.bound then asked.jkt end as dpop_jkt,
      code.code_hash, grants.amr, grants.sid, grants.resource
    from asked
      join minaret.authorization_codes as code using (code_hash, app_id, redirect_uri, code_challenge)
      join minaret.grants on grants.id = code.grant_id
    where code.used_at is null and code.expires_at > now() and grants.revoked_at is null and ${isForResource}
      and (code.dpop_jkt is null or code.dpop_jkt = asked.jkt)
    for update of code ${locking}
  ), redeemed as (
    update minaret.authorization_codes as code set used_at = now()
    from usable where code.code_hash = usable.code_hash
    returning usable.place, usable.token_hash, usable.dpop_jkt, code.grant_id, code.user_id, code.app_id, code.scopes, code.nonce,
      code.auth_time, usable.amr, usable.sid, usable.resource
  ), stored as (
    insert into minaret.refresh_tokens (token_hash, grant_id, app_id, scopes, dpop_jkt, idle_expires_at, expires_at)
    select token_hash, grant_id, app_id, redeemed.scopes, dpop_jkt, ${ends}
    from redeemed join minaret.apps on apps.id = redeemed.app_id
  )
  select place::int, grant_id as "grantId", user_id as "userId", scopes, nonce, auth_time as "authenticatedAt", amr, sid, resource
  from redeemed`

export const createRedemption = (database: Queryable): RedeemCode =>
  createBatched<CodeUse, RedeemedCode>({ database, name: 'oauth_redeem_codes', statement: redeem })
