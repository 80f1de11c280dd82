// The review queue: new apps and changes to approved ones, oldest first.
import { isUuid } from '../base/uuid.ts'
import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { namedLike } from './app.ts'
import { searchedMasjids } from './searched-masjids.ts'

export interface Waiting {
  readonly kind: 'app' | 'change'
  readonly appId: string
  readonly changeId: string | null
  readonly name: string
  readonly ownerId: string
  readonly ownerName: string
  readonly since: Date
  readonly scopes: readonly string[]
  /** It was rejected before, or changes were requested. */
  readonly again: boolean
  /** The team wrote last. */
  readonly answered: boolean
  /** It reaches every masjid today. */
  readonly allMasjids: boolean
  /** The account of its owner is less than two days old. */
  readonly newOwner: boolean
}

/** Of `minaret.users`, whose name in the statement is given. */
export const isNewAccount = (user: Sql): Sql => sql`${user}.created_at > now() - interval '2 days'`

/** Of `minaret.app_changes c` and its app `a`. */
const changeIsOpen = sql`c.state = 'pending' and a.state = 'approved' and a.deleted_at is null`
const appIsOpen = sql`a.state = 'pending' and a.deleted_at is null and a.development_of is null`

/** Whom an open app or change waits for: a reviewer, or its team. */
export type WaitsFor = 'reviewer' | 'team'

const waitsFor = (who: WaitsFor, table: Sql): Sql =>
  who === 'reviewer' ? sql`${table}.changes_requested_at is null` : sql`${table}.changes_requested_at is not null`

const answered = sql`(select m.side = 'team' from minaret.app_messages m where m.app_id = a.id order by m.id desc limit 1) is true`

const wasSentBack = sql`
  exists (select from minaret.app_moves m where m.app_id = a.id and m.to_state = 'rejected')
  or exists (select from minaret.app_messages m where m.app_id = a.id and m.kind = 'changes_requested' and m.change_id is null)`

/** The longest wait first; with words, those whose name or owner contains them. */
export const listWaiting = (queryable: Queryable, words = '', who: WaitsFor = 'reviewer'): Promise<Waiting[]> =>
  queryable.query<Waiting>(sql`
    select 'app' as kind, a.id as "appId", null::uuid as "changeId", a.name, u.id as "ownerId", u.name as "ownerName",
      coalesce(a.changes_requested_at, a.submitted_at) as since, a.requested_scopes as scopes, ${wasSentBack} as again,
      ${answered} as answered, false as "allMasjids", ${isNewAccount(sql`u`)} as "newOwner"
    from minaret.apps a join minaret.users u on u.id = a.owner_id
    where ${appIsOpen} and ${waitsFor(who, sql`a`)} and ${namedLike(words)}
    union all
    select 'change', a.id, c.id, a.name, u.id, u.name, coalesce(c.changes_requested_at, c.requested_at),
      case when c.proposed ? 'requestedScopes'
        then array(select jsonb_array_elements_text(c.proposed -> 'requestedScopes')) else a.requested_scopes end,
      false, ${answered}, a.all_masjids, ${isNewAccount(sql`u`)}
    from minaret.app_changes c join minaret.apps a on a.id = c.app_id join minaret.users u on u.id = a.owner_id
    where ${changeIsOpen} and ${waitsFor(who, sql`c`)} and ${namedLike(words)}
    order by since limit 500`)

/** Nobody decides about an app of their own team. */
const appsOfTeamsWith = async (queryable: Queryable, userId: string): Promise<ReadonlySet<string>> => {
  const rows = await queryable.query<{ appId: string }>(
    sql`
      select app_id as "appId" from minaret.app_members where user_id = ${userId}
      union select app_id from minaret.former_app_members where user_id = ${userId}`,
  )
  return new Set(rows.map(({ appId }) => appId))
}

/** What a reviewer looks at after `current`, the id of an app or change: nothing that others have to decide. */
export const nextWaiting = async (
  queryable: Queryable,
  reviewerId: string,
  current?: string,
): Promise<Waiting | undefined> => {
  const waiting = await listWaiting(queryable)
  const place = waiting.findIndex(({ appId, changeId }) => (changeId ?? appId) === current)
  const others = [...waiting.slice(place + 1), ...waiting.slice(0, Math.max(place, 0))]
  const own = await appsOfTeamsWith(queryable, reviewerId)
  return others.find(({ appId, ownerId }) => ownerId !== reviewerId && !own.has(appId))
}

export interface ReviewCounts {
  readonly waiting: number
  readonly asked: number
  readonly approved: number
  readonly suspended: number
  readonly rejected: number
}

const countChanges = (who: WaitsFor): Sql => sql`(
  select count(*) from minaret.app_changes c join minaret.apps a on a.id = c.app_id
  where ${changeIsOpen} and ${waitsFor(who, sql`c`)})::int`

/** How many there are in each view of the desk. */
export const countForReview = async (queryable: Queryable): Promise<ReviewCounts> => {
  const counts = await queryable.first<ReviewCounts>(sql`
    select count(*) filter (where state = 'pending' and changes_requested_at is null)::int + ${countChanges('reviewer')} as waiting,
      count(*) filter (where state = 'pending' and changes_requested_at is not null)::int + ${countChanges('team')} as asked,
      count(*) filter (where state = 'approved')::int as approved,
      count(*) filter (where state = 'suspended')::int as suspended,
      count(*) filter (where state = 'rejected')::int as rejected
    from minaret.apps where deleted_at is null and development_of is null`)
  return counts ?? { waiting: 0, asked: 0, approved: 0, suspended: 0, rejected: 0 }
}

export interface FoundMasjid {
  readonly id: string
  readonly name: string
  readonly city: string
  readonly state: string | null
}

/** By name and city; ids and slugs exactly. */
export const findMasjids = (queryable: Queryable, words: string): Promise<FoundMasjid[]> =>
  queryable.query<FoundMasjid>(sql`
    select id, name, city, state from (${searchedMasjids(words)}) masjid order by place limit 20`)

export const masjidsByIds = (queryable: Queryable, ids: readonly string[]): Promise<FoundMasjid[]> =>
  queryable.query<FoundMasjid>(sql`
    select id, name, city, state from public.up_masjids where id = any (${ids.filter(isUuid)}::uuid[]) order by name`)
