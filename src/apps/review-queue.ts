// The review queue: new apps and changes to approved ones, oldest first.
import { contains } from '../base/like.ts'
import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { namedLike } from './app.ts'

export interface Waiting {
  readonly kind: 'app' | 'change'
  readonly appId: string
  readonly changeId: string | null
  readonly name: string
  readonly ownerName: string
  readonly since: Date
  readonly scopes: readonly string[]
  /** It was rejected before. */
  readonly again: boolean
  /** The account of its owner is less than two days old. */
  readonly newOwner: boolean
}

/** Of `minaret.users`, whose name in the statement is given. */
export const isNewAccount = (user: Sql): Sql => sql`${user}.created_at > now() - interval '2 days'`

/** Of `minaret.app_changes c` and its app `a`. */
const changeWaits = sql`c.state = 'pending' and a.state = 'approved' and a.deleted_at is null`

/** The longest wait first; with words, those whose name or owner contains them. */
export const listWaiting = (queryable: Queryable, words = ''): Promise<Waiting[]> =>
  queryable.query<Waiting>(sql`
    select 'app' as kind, a.id as "appId", null::uuid as "changeId", a.name, u.name as "ownerName",
      a.submitted_at as since, a.requested_scopes as scopes,
      exists (select from minaret.app_moves m where m.app_id = a.id and m.to_state = 'rejected') as again,
      ${isNewAccount(sql`u`)} as "newOwner"
    from minaret.apps a join minaret.users u on u.id = a.owner_id
    where a.state = 'pending' and a.deleted_at is null and a.development_of is null and ${namedLike(words)}
    union all
    select 'change', a.id, c.id, a.name, u.name, c.requested_at,
      case when c.proposed ? 'requestedScopes'
        then array(select jsonb_array_elements_text(c.proposed -> 'requestedScopes')) else a.requested_scopes end, false,
      ${isNewAccount(sql`u`)}
    from minaret.app_changes c join minaret.apps a on a.id = c.app_id join minaret.users u on u.id = a.owner_id
    where ${changeWaits} and ${namedLike(words)}
    order by since limit 500`)

export interface ReviewCounts {
  readonly waiting: number
  readonly approved: number
  readonly suspended: number
  readonly rejected: number
}

/** How many there are in each view of the desk. */
export const countForReview = async (queryable: Queryable): Promise<ReviewCounts> => {
  const counts = await queryable.first<ReviewCounts>(sql`
    select count(*) filter (where state = 'pending')::int + (
        select count(*) from minaret.app_changes c join minaret.apps a on a.id = c.app_id
        where ${changeWaits})::int as waiting,
      count(*) filter (where state = 'approved')::int as approved,
      count(*) filter (where state = 'suspended')::int as suspended,
      count(*) filter (where state = 'rejected')::int as rejected
    from minaret.apps where deleted_at is null and development_of is null`)
  return counts ?? { waiting: 0, approved: 0, suspended: 0, rejected: 0 }
}

export interface FoundMasjid {
  readonly id: string
  readonly name: string
  readonly city: string
  readonly state: string | null
}

/** Matches names and cities partly, ids and slugs exactly. */
export const findMasjids = (queryable: Queryable, words: string): Promise<FoundMasjid[]> => {
  const pattern = contains(words)
  return queryable.query<FoundMasjid>(sql`
    select id, name, city, state from public.up_masjids
    where deleted_at is null and (name ilike ${pattern} or city ilike ${pattern} or slug = ${words} or id::text = ${words})
    order by name limit 20`)
}

export const masjidsByIds = (queryable: Queryable, ids: readonly string[]): Promise<FoundMasjid[]> =>
  queryable.query<FoundMasjid>(sql`
    select id, name, city, state from public.up_masjids where id::text = any (${ids}::text[]) order by name`)
