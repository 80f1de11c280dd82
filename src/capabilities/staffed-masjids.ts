// A person → the masjids they look after, and what they may do at each.
import { searchedMasjids } from '../apps/searched-masjids.ts'
import type { Capability } from '../base/capability-names.ts'
import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'

export interface StaffedMasjid {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly nameArabic: string | null
  readonly city: string | null
  readonly timezone: string
  readonly verified: boolean
  /** Its rule for high latitudes was written by an upgrade, and nobody has said yet whether it stays. */
  readonly ruleToConfirm: boolean
  readonly capabilities: readonly Capability[]
  /** Held too, but not in force until the account has a second factor. */
  readonly guarded: readonly Capability[]
}

/** More are found by searching. */
const MOST_LISTED = 50

interface Who {
  readonly userId: string
  /** Administrators of the service look after every masjid. */
  readonly isAdmin: boolean
}

interface Wanted {
  /** One masjid, by its slug. */
  readonly slug?: string
  /** Of a name or city; for administrators, who have too many masjids for a list. */
  readonly words?: string
}

/** As PostgreSQL decides it for writing: see look_up_writing_masjids in migrations/data/0370_guarded_capabilities.sql. */
const heldBy = (userId: string) => sql`
  select masjid_id, coalesce(array_agg(distinct held order by held) filter (where not is_guarded), '{}')::text[] as capabilities,
    coalesce(array_agg(distinct held order by held) filter (where is_guarded), '{}')::text[] as guarded
  from public.ua_members member cross join lateral (
    select unnest(public.role_capabilities(member.role))
    union
    select capability from public.ua_capabilities granted
    where granted.masjid_id = member.masjid_id and granted.user_id = member.user_id and granted.withdrawn_at is null
  ) of_member (held) cross join lateral (
    select not public.is_in_force(${userId}, held)
  ) guard (is_guarded)
  where member.user_id = ${userId} and member.status = 'active' and member.deleted_at is null
    and public.is_account_in_force(${userId})
  group by masjid_id`

/** Which of all masjids are looked at, as masjid_id and place: a few hundred at most. */
const wantedOf = ({ isAdmin }: Who, { slug, words = '' }: Wanted): Sql => {
  if (slug !== undefined) return sql`select id as masjid_id, 0 as place from public.up_masjids where slug = ${slug}`
  if (!isAdmin) return sql`select masjid_id, 0 as place from held`
  if (words.trim() !== '')
    return sql`select id as masjid_id, place from (${searchedMasjids(words)}) masjid order by place limit ${MOST_LISTED}`
  return sql`
    select masjid_id, 0 as place from held
    union select id, 0 from (select id from public.up_masjids where deleted_at is null order by name, id limit ${MOST_LISTED}) first`
}

/** Those of their own first; at most MOST_LISTED. */
export const findStaffedMasjids = (database: Queryable, who: Who, wanted: Wanted = {}): Promise<StaffedMasjid[]> =>
  database.query<StaffedMasjid>(sql`
    with held as (${heldBy(who.userId)})
    select masjid.id, masjid.slug, masjid.name, masjid.name_ar as "nameArabic", masjid.city, masjid.timezone,
      masjid.verification = 'verified' as verified, masjid.high_latitude_rule_to_confirm as "ruleToConfirm",
      case when ${who.isAdmin} then enum_range(null::public.ua_capability)::text[] else held.capabilities end as capabilities,
      case when ${who.isAdmin} or held.guarded is null then '{}' else held.guarded end as guarded
    from (${wantedOf(who, wanted)}) wanted
      cross join lateral (select * from public.up_masjids where id = wanted.masjid_id and deleted_at is null offset 0) masjid
      left join held on held.masjid_id = masjid.id
    where ${who.isAdmin} or held.masjid_id is not null
    order by held.masjid_id is null, wanted.place, masjid.name, masjid.id limit ${MOST_LISTED}`)
