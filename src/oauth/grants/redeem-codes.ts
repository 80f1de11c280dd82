// Authorization codes, each used once → refresh tokens, stored; those that come in at the same moment in one statement.
import type { Scope } from '../../access/scopes.ts'
import { sha256 } from '../../base/secrets.ts'
import { createTogether, type Placed } from '../../base/together.ts'
import type { Queryable } from '../../db/database.ts'
import { prepared, type Sql, sql } from '../../db/sql.ts'
import { REFRESH_IDLE_SECONDS, REFRESH_TOTAL_SECONDS } from '../lifetimes.ts'

export interface CodeUse {
  readonly codeHash: Buffer
  readonly appId: string
  readonly redirectUri: string
  readonly challenge: string
  /** The one that the code is exchanged for. */
  readonly refreshToken: string
}

export interface RedeemedCode {
  readonly grantId: string
  readonly userId: string
  readonly scopes: readonly Scope[]
  readonly nonce: string | null
  readonly authenticatedAt: Date
}

/** Undefined where the code may not be used; the caller then finds out why. */
export type RedeemCode = (use: CodeUse) => Promise<RedeemedCode | undefined>

const ends: Sql = sql`
  now() + make_interval(secs => ${REFRESH_IDLE_SECONDS}), now() + make_interval(secs => ${REFRESH_TOTAL_SECONDS})`

const redeemed: Sql = sql`
  grant_id as "grantId", user_id as "userId", scopes, nonce, auth_time as "authenticatedAt"`

/** One statement consumes the code and stores the refresh token: of fifty at once, one finds the code unused. */
const redeemOne = (use: CodeUse) =>
  prepared(
    'oauth_redeem_code',
    sql`
    with code as (
      update minaret.authorization_codes set used_at = now()
      where code_hash = ${use.codeHash} and app_id = ${use.appId} and redirect_uri = ${use.redirectUri}
        and code_challenge = ${use.challenge} and used_at is null and expires_at > now()
      returning grant_id, user_id, scopes, nonce, auth_time
    ), live as (
      select code.* from code join minaret.grants on grants.id = code.grant_id where grants.revoked_at is null
    ), stored as (
      insert into minaret.refresh_tokens (token_hash, grant_id, app_id, scopes, idle_expires_at, expires_at)
      select ${sha256(use.refreshToken)}, grant_id, ${use.appId}, scopes, ${ends} from live
    )
    select ${redeemed} from live`,
  )

/**
 * The same for many. A code that somebody else holds at this moment is passed over, so that no two statements can wait
 * for each other; of a code that is shown twice, one gets it. The rest is asked for alone.
 */
const redeemMany = (uses: readonly CodeUse[]) =>
  prepared(
    'oauth_redeem_codes',
    sql`
    with asked as (
      select * from unnest(${uses.map(use => use.codeHash)}::bytea[], ${uses.map(use => use.appId)}::uuid[],
        ${uses.map(use => use.redirectUri)}::text[], ${uses.map(use => use.challenge)}::text[],
        ${uses.map(use => sha256(use.refreshToken))}::bytea[])
        with ordinality as asked (code_hash, app_id, redirect_uri, code_challenge, token_hash, place)
    ), free as (
      select asked.place, asked.token_hash, code.code_hash
      from asked
        join minaret.authorization_codes as code using (code_hash, app_id, redirect_uri, code_challenge)
        join minaret.grants on grants.id = code.grant_id
      where code.used_at is null and code.expires_at > now() and grants.revoked_at is null
      for update of code skip locked
    ), live as (
      update minaret.authorization_codes as code set used_at = now()
      from free where code.code_hash = free.code_hash
      returning free.place, free.token_hash, code.grant_id, code.user_id, code.app_id, code.scopes, code.nonce,
        code.auth_time
    ), stored as (
      insert into minaret.refresh_tokens (token_hash, grant_id, app_id, scopes, idle_expires_at, expires_at)
      select token_hash, grant_id, app_id, scopes, ${ends} from live
    )
    select place::int, ${redeemed} from live`,
  )

export const createRedemption = (database: Queryable): RedeemCode =>
  createTogether<CodeUse, RedeemedCode>({
    alone: use => database.first<RedeemedCode>(redeemOne(use)),
    together: uses => database.query<Placed<RedeemedCode>>(redeemMany(uses)),
  })
