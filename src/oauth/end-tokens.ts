// Tokens that clients revoke → ended, with a notification to every process. Concurrent requests share one statement,
// because PostgreSQL serializes the commits of transactions that notify. This process refuses them without waiting for it.
import type { Revocations } from '../access/revocations.ts'
import { type BatchStatement, createBatched } from '../db/batched.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

interface RefreshTokenOf {
  readonly tokenHash: Buffer
  readonly appId: string
}

export interface EndTokens {
  /** RFC 7009 section 2.1: the access tokens of the same grant end with the refresh token. Undefined if none ended. */
  readonly refreshToken: (token: RefreshTokenOf) => Promise<{ readonly userId: string } | undefined>
  readonly accessToken: (tokenId: string) => Promise<void>
}

/** Ends the tokens' authorizations; a trigger ends everything else of each and notifies. */
const endRefreshTokens: BatchStatement<RefreshTokenOf> = (tokens, locking) => sql`
  with asked as (
    select * from unnest(${tokens.map(token => token.tokenHash)}::bytea[], ${tokens.map(token => token.appId)}::uuid[])
      with ordinality as asked (token_hash, app_id, place)
  ), live as (
    select asked.place, grants.id
    from asked
      join minaret.refresh_tokens as token using (token_hash, app_id)
      join minaret.grants on grants.id = token.grant_id
    where grants.revoked_at is null
    for no key update of grants ${locking}
  )
  update minaret.grants set revoked_at = now()
  from live where grants.id = live.id
  returning live.place::int, grants.id as "grantId", grants.user_id as "userId"`

/** Always in the same order, so that statements cannot deadlock. */
const endAccessTokens: BatchStatement<string> = tokenIds => sql`
  select place::int, minaret.revoke('token', id)
  from (select * from unnest(${tokenIds}::text[]) with ordinality as asked (id, place) order by id) as asked`

export const createEndTokens = (database: Queryable, revocations: Pick<Revocations, 'noteOwn'>): EndTokens => {
  const refreshToken = createBatched<RefreshTokenOf, { grantId: string; userId: string }>({
    database,
    name: 'oauth_end_refresh_tokens',
    statement: endRefreshTokens,
  })
  const accessToken = createBatched<string, object>({
    database,
    name: 'oauth_end_access_tokens',
    statement: endAccessTokens,
  })
  return {
    refreshToken: async token => {
      const ended = await refreshToken(token)
      if (ended !== undefined) revocations.noteOwn('grant', ended.grantId)
      return ended
    },
    accessToken: async tokenId => {
      await accessToken(tokenId)
      revocations.noteOwn('token', tokenId)
    },
  }
}
