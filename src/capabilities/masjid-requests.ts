// Requests to register a masjid or to look after a listed one: as reviewers and the people who sent them see them.
import { searchedMasjids } from '../apps/searched-masjids.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** What a masjid is registered with. */
export interface MasjidDetails {
  readonly name: string
  readonly name_ar: string | null
  readonly address: string
  readonly city: string
  readonly state: string | null
  readonly postal_code: string | null
  readonly country: string
  readonly latitude: number
  readonly longitude: number
  readonly timezone: string
}

export interface MasjidRequest {
  readonly id: string
  readonly kind: 'register' | 'claim'
  readonly state: 'pending' | 'approved' | 'rejected' | 'withdrawn'
  readonly userId: string
  readonly person: string
  readonly email: string
  readonly masjidId: string | null
  /** The name as listed, or as it is to be registered. */
  readonly masjid: string
  readonly slug: string | null
  readonly city: string | null
  /** How many people look after it already. */
  readonly team: number
  /** Why nobody can be given it, though they asked for it: the masjid is not listed any more, or their membership there was ended. */
  readonly obstacle: 'gone' | 'dismissed' | null
  readonly details: Partial<MasjidDetails>
  readonly words: string
  readonly reviewerWords: string | null
  readonly createdAt: Date
  readonly decidedAt: Date | null
}

const select = sql`
  select request.id, request.kind, request.state, request.user_id as "userId", person.name as person, person.email,
    request.masjid_id as "masjidId", coalesce(masjid.name, request.details ->> 'name', '') as masjid, masjid.slug,
    coalesce(masjid.city, request.details ->> 'city') as city, request.details, request.words,
    request.reviewer_words as "reviewerWords", request.created_at as "createdAt", request.decided_at as "decidedAt",
    (select count(distinct member.user_id)::int from public.ua_members member
     where member.masjid_id = request.masjid_id and member.status = 'active' and member.deleted_at is null
       and public.holds_anything(member.masjid_id, member.user_id)) as team,
    case when masjid.deleted_at is not null then 'gone'
      when exists (select from public.ua_members member
        where member.masjid_id = request.masjid_id and member.user_id = request.user_id
          and (member.status <> 'active' or member.deleted_at is not null)) then 'dismissed' end as obstacle
  from minaret.masjid_requests request
    join minaret.users person on person.id = request.user_id
    left join public.up_masjids masjid on masjid.id = request.masjid_id`

export const listRequestsOf = (queryable: Queryable, userId: string): Promise<MasjidRequest[]> =>
  queryable.query<MasjidRequest>(
    sql`${select} where request.user_id = ${userId} order by request.created_at desc limit 20`,
  )

/** Those that wait, oldest first; then those decided lately. */
export const listRequests = (queryable: Queryable): Promise<MasjidRequest[]> =>
  queryable.query<MasjidRequest>(sql`${select}
    where request.state = 'pending' or request.decided_at > now() - interval '30 days'
    order by request.state <> 'pending', case when request.state = 'pending' then request.created_at end,
      request.decided_at desc limit 200`)

export const findRequest = (queryable: Queryable, id: string): Promise<MasjidRequest | undefined> =>
  queryable.first<MasjidRequest>(sql`${select} where request.id = ${id}`)

export interface ListedMasjid {
  readonly id: string
  readonly name: string
  readonly city: string
  readonly address: string
}

export const findListed = (queryable: Queryable, id: string): Promise<ListedMasjid | undefined> =>
  queryable.first<ListedMasjid>(sql`
    select id, name, city, address from public.up_masjids where id = ${id} and deleted_at is null`)

/** By name and city. */
export const searchListed = (queryable: Queryable, words: string): Promise<ListedMasjid[]> =>
  queryable.query<ListedMasjid>(sql`
    select id, name, city, address from (${searchedMasjids(words)}) masjid order by place limit 20`)

export const isTimeZone = async (queryable: Queryable, name: string): Promise<boolean> =>
  (await queryable.first<{ known: boolean }>(sql`select public.is_time_zone(${name}) as known`))?.known === true
