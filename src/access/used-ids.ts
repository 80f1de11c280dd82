// An identifier (`jti`) → whether this is its first use, in all processes.
import { sha256 } from '../base/secrets.ts'
import { type BatchStatement, createBatched } from '../db/batched.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

interface UsedId {
  /** Where it must be unique: whose it is, and of what kind. */
  readonly within: string
  readonly id: string
  /** Seconds since 1970; afterwards it would be refused anyway. */
  readonly expiresAt: number
}

/** True for one of all requests with the same identifier. */
export type UseOnce = (used: UsedId) => Promise<boolean>

interface Use {
  readonly hash: Buffer
  readonly expiresAt: number
}

/** In a fixed order, so that statements cannot deadlock. Within one statement the first of two alike wins. */
const useIds: BatchStatement<Use> = uses => sql`
  with asked as (
    select min(place) as place, hash, max(expires) as expires
    from unnest(${uses.map(use => use.hash)}::bytea[], ${uses.map(use => use.expiresAt)}::float8[])
      with ordinality as asked (hash, expires, place)
    group by hash order by hash
  ), stored as (
    insert into minaret.used_token_ids (id_hash, expires_at) select hash, to_timestamp(expires) from asked
    on conflict (id_hash) do nothing returning id_hash
  )
  select asked.place::int from asked join stored on stored.id_hash = asked.hash`

export const createUseOnce = (database: Queryable): UseOnce => {
  const use = createBatched<Use, object>({ database, name: 'oauth_use_ids', statement: useIds })
  return async ({ within, id, expiresAt }) => (await use({ hash: sha256(`${within}\n${id}`), expiresAt })) !== undefined
}
