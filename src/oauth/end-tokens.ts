// Tokens that a client wants ended → ended, with the news of it, in every process; those of one moment in one statement,
// since the commits of transactions with news wait for each other in PostgreSQL.
import { createTogether, type Placed } from '../base/together.ts'
import type { Queryable } from '../db/database.ts'
import { prepared, sql } from '../db/sql.ts'

interface RefreshTokenOf {
  readonly tokenHash: Buffer
  readonly appId: string
}

export interface EndTokens {
  /** RFC 7009 section 2.1: the access tokens of the same grant end with the refresh token. Undefined where none ended. */
  readonly refreshToken: (token: RefreshTokenOf) => Promise<{ readonly userId: string } | undefined>
  readonly accessToken: (tokenId: string) => Promise<unknown>
}

/** Ends the authorization of the token; a trigger ends the rest of it and writes the news. */
const endOne = ({ tokenHash, appId }: RefreshTokenOf) =>
  prepared(
    'oauth_end_refresh_token',
    sql`
    update minaret.grants set revoked_at = now()
    from minaret.refresh_tokens as token
    where token.token_hash = ${tokenHash} and token.app_id = ${appId} and grants.id = token.grant_id
      and grants.revoked_at is null
    returning grants.user_id as "userId"`,
  )

/** An authorization that somebody else holds at this moment is passed over, and asked for alone. */
const endMany = (tokens: readonly RefreshTokenOf[]) =>
  prepared(
    'oauth_end_refresh_tokens',
    sql`
    with asked as (
      select * from unnest(${tokens.map(token => token.tokenHash)}::bytea[], ${tokens.map(token => token.appId)}::uuid[])
        with ordinality as asked (token_hash, app_id, place)
    ), free as (
      select asked.place, grants.id
      from asked
        join minaret.refresh_tokens as token using (token_hash, app_id)
        join minaret.grants on grants.id = token.grant_id
      where grants.revoked_at is null
      for no key update of grants skip locked
    )
    update minaret.grants set revoked_at = now()
    from free where grants.id = free.id
    returning free.place::int, grants.user_id as "userId"`,
  )

/** In one order everywhere, so that no two statements can wait for each other. */
const revokeMany = (tokenIds: readonly string[]) =>
  prepared(
    'oauth_end_access_tokens',
    sql`
    select place::int, minaret.revoke('token', id)
    from (select * from unnest(${tokenIds}::text[]) with ordinality as asked (id, place) order by id) as asked`,
  )

export const createEndTokens = (database: Queryable): EndTokens => ({
  refreshToken: createTogether<RefreshTokenOf, { userId: string }>({
    alone: token => database.first(endOne(token)),
    together: tokens => database.query<Placed<{ userId: string }>>(endMany(tokens)),
  }),
  accessToken: createTogether<string, object>({
    alone: tokenId => database.first(revokeMany([tokenId])),
    together: tokenIds => database.query<Placed<object>>(revokeMany(tokenIds)),
  }),
})
