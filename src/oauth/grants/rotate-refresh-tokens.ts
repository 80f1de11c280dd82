// Refresh tokens, each used once → their successors, stored; those that come in at the same moment in one statement.
import type { Scope } from '../../access/scopes.ts'
import { sha256 } from '../../base/secrets.ts'
import { createTogether, type Placed } from '../../base/together.ts'
import type { Queryable } from '../../db/database.ts'
import { prepared, type Sql, sql } from '../../db/sql.ts'
import { REFRESH_IDLE_SECONDS, REFRESH_REPEAT_SECONDS } from '../lifetimes.ts'

export interface RefreshUse {
  readonly tokenHash: Buffer
  readonly successor: string
  readonly appId: string
  /** Narrower scopes for the access token; empty where none are asked for. */
  readonly narrowed: readonly Scope[]
}

export interface Rotated {
  readonly grantId: string
  readonly userId: string
  readonly scopes: readonly Scope[]
  readonly authenticatedAt: Date
}

/** Undefined where the token may not be used; the caller then finds out why. */
export type RotateRefreshToken = (use: RefreshUse) => Promise<Rotated | undefined>

/**
 * A repeat within the time of grace passes too: its successor is the same, and so stored already. Whether the family
 * lives is decided by the grant alone, so that a revocation at the same moment leaves no live token, whoever comes first.
 */
const isUsable: Sql = sql`
  grants.revoked_at is null and token.revoked_at is null
  and least(token.idle_expires_at, token.expires_at) > now()
  and (token.used_at is null or token.used_at > now() - make_interval(secs => ${REFRESH_REPEAT_SECONDS}))`

const idleEnd: Sql = sql`now() + make_interval(secs => ${REFRESH_IDLE_SECONDS})`

/** One statement uses the token and stores its successor. */
const rotateOne = (use: RefreshUse) =>
  prepared(
    'oauth_rotate_refresh_token',
    sql`
    with used as (
      update minaret.refresh_tokens as token set used_at = coalesce(token.used_at, now())
      from minaret.grants
      where token.token_hash = ${use.tokenHash} and token.app_id = ${use.appId} and grants.id = token.grant_id
        and ${isUsable} and ${use.narrowed}::text[] <@ token.scopes
      returning token.id, token.grant_id, token.scopes, token.expires_at, grants.user_id, grants.auth_time
    ), stored as (
      insert into minaret.refresh_tokens (token_hash, grant_id, app_id, parent_id, scopes, idle_expires_at, expires_at)
      select ${sha256(use.successor)}, grant_id, ${use.appId}, id, scopes, ${idleEnd}, expires_at
      from used
      on conflict do nothing
    )
    select grant_id as "grantId", user_id as "userId", scopes, auth_time as "authenticatedAt" from used`,
  )

/**
 * The same for many. A token that somebody else holds at this moment is passed over, so that no two statements can wait
 * for each other; of a token that is asked for twice, one gets it. The rest is asked for alone.
 */
const rotateMany = (uses: readonly RefreshUse[]) =>
  prepared(
    'oauth_rotate_refresh_tokens',
    sql`
    with asked as (
      select * from unnest(${uses.map(use => use.tokenHash)}::bytea[], ${uses.map(use => use.appId)}::uuid[],
        ${uses.map(use => sha256(use.successor))}::bytea[]) with ordinality as asked (token_hash, app_id, successor, place)
    ), free as (
      select asked.place, asked.successor, token.id, grants.user_id, grants.auth_time
      from asked
        join minaret.refresh_tokens as token on token.token_hash = asked.token_hash and token.app_id = asked.app_id
        join minaret.grants on grants.id = token.grant_id
      where ${isUsable}
      for update of token skip locked
    ), used as (
      update minaret.refresh_tokens as token set used_at = coalesce(token.used_at, now())
      from free where token.id = free.id
      returning free.place, free.successor, free.user_id, free.auth_time, token.id, token.grant_id, token.app_id,
        token.scopes, token.expires_at
    ), stored as (
      insert into minaret.refresh_tokens (token_hash, grant_id, app_id, parent_id, scopes, idle_expires_at, expires_at)
      select successor, grant_id, app_id, id, scopes, ${idleEnd}, expires_at from used
      on conflict do nothing
    )
    select place::int, grant_id as "grantId", user_id as "userId", scopes, auth_time as "authenticatedAt" from used`,
  )

export const createRotation = (database: Queryable): RotateRefreshToken => {
  const alone = (use: RefreshUse): Promise<Rotated | undefined> => database.first<Rotated>(rotateOne(use))
  const rotate = createTogether<RefreshUse, Rotated>({
    alone,
    together: uses => database.query<Placed<Rotated>>(rotateMany(uses)),
  })
  return use => (use.narrowed.length === 0 ? rotate(use) : alone(use))
}
