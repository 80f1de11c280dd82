// Refresh tokens, each used once → their stored successors. Concurrent requests share one statement.
import type { Resource } from '../../access/resources.ts'
import type { Scope } from '../../access/scopes.ts'
import { sha256 } from '../../base/secrets.ts'
import { type BatchStatement, createBatched } from '../../db/batched.ts'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { AskedResource } from '../authorize/check-resource.ts'
import { REFRESH_REPEAT_SECONDS, SCREEN_IDLE_SECONDS } from '../lifetimes.ts'
import { isForResource } from './redeem-codes.ts'

export interface RefreshUse {
  readonly tokenHash: Buffer
  readonly successor: string
  readonly appId: string
  /** Narrower scopes for the access token; empty if none are requested. */
  readonly narrowed: readonly Scope[]
  readonly resource: AskedResource
  /** The key that was proven. */
  readonly thumbprint: string | undefined
  /** Whether the successor is bound to that key: those of public clients are (RFC 9449 section 5). */
  readonly bound: boolean
  /** Where the request came from. */
  readonly address: string | undefined
}

export interface Rotated {
  readonly grantId: string
  /** Null if the grant is a masjid's. */
  readonly userId: string | null
  readonly scopes: readonly Scope[]
  readonly authenticatedAt: Date
  readonly amr: readonly string[]
  /** Null: the service as a whole. */
  readonly resource: Resource | null
  /** The session in the browser, as apps know it; null for a device. */
  readonly sid: string | null
  /** Whether the token before it was given to another address, or to none that is known. */
  readonly moved: boolean
}

/** Undefined if the token may not be used; the caller then finds out why. */
export type RotateRefreshToken = (use: RefreshUse) => Promise<Rotated | undefined>

/** A screen may lose power before it has stored the successor: until that was used, the same one is given again. */
const isLost: Sql = sql`
  grants.masjid_id is not null and not exists (
    select from minaret.refresh_tokens as next where next.parent_id = token.id and next.used_at is not null)`

/**
 * A repeat within the grace period succeeds too: its successor is the same, and so already stored. Whether the family
 * is active depends on the grant alone, so that a concurrent revocation leaves no active token, whichever comes first.
 */
const isUsable: Sql = sql`
  grants.revoked_at is null and token.revoked_at is null
  and least(token.idle_expires_at, token.expires_at) > now()
  and (token.used_at is null or token.used_at > now() - make_interval(secs => ${REFRESH_REPEAT_SECONDS})
    or ${isLost})`

/** Of `used` and its app: what the app has chosen since counts too. */
const idleEnd: Sql = sql`
  now() + make_interval(secs => case when user_id is null then ${SCREEN_IDLE_SECONDS}::int else apps.refresh_idle_seconds end)`

/**
 * Uses the tokens and stores their successors. If a batch has the same token twice, only one of them gets it. A repeat stores
 * nothing: beside a concurrent revocation, which has the successor and waits for this token, that would wait for it in turn.
 */
const rotate: BatchStatement<RefreshUse> = (uses, locking) => sql`
  with asked as (
    select * from unnest(${uses.map(use => use.tokenHash)}::bytea[], ${uses.map(use => use.appId)}::uuid[],
      ${uses.map(use => sha256(use.successor))}::bytea[], ${uses.map(use => use.narrowed.join(' '))}::text[],
      ${uses.map(use => use.resource)}::text[], ${uses.map(use => use.thumbprint ?? null)}::text[],
      ${uses.map(use => use.bound)}::boolean[], ${uses.map(use => use.address ?? null)}::text[])
      with ordinality as asked (token_hash, app_id, successor, narrowed, resource, jkt, bound, address, place)
  ), usable as (
    select asked.place, asked.successor, asked.address, token.asked_from is distinct from asked.address as moved,
      coalesce(token.dpop_jkt, case when asked.bound then asked.jkt end) as next_jkt, token.id,
      token.used_at is null as is_first, grants.user_id, grants.auth_time, grants.amr, grants.sid, grants.resource
    from asked
      join minaret.refresh_tokens as token using (token_hash, app_id)
      join minaret.grants on grants.id = token.grant_id
    where ${isUsable} and string_to_array(asked.narrowed, ' ') <@ token.scopes and ${isForResource}
      and (token.dpop_jkt is null or token.dpop_jkt = asked.jkt)
    for update of token ${locking}
  ), used as (
    update minaret.refresh_tokens as token set used_at = coalesce(token.used_at, now())
    from usable where token.id = usable.id
    returning usable.*, token.grant_id, token.app_id, token.scopes, token.expires_at
  ), stored as (
    insert into minaret.refresh_tokens (token_hash, grant_id, app_id, parent_id, scopes, dpop_jkt, asked_from,
      idle_expires_at, expires_at)
    select successor, grant_id, app_id, used.id, used.scopes, next_jkt, address, ${idleEnd}, expires_at
    from used join minaret.apps on apps.id = used.app_id
    where used.is_first
    on conflict do nothing
  )
  select place::int, grant_id as "grantId", user_id as "userId", scopes, auth_time as "authenticatedAt", amr, sid, resource, moved
  from used`

export const createRotation = (database: Queryable): RotateRefreshToken =>
  createBatched<RefreshUse, Rotated>({ database, name: 'oauth_rotate_refresh_tokens', statement: rotate })
