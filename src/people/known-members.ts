// A masjid → its members, as far as an import compares with them; those deleted too, since they keep their email address.
// As text, which goes to the thread that reads lists as it comes: taking tens of thousands of rows apart takes a while.
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface KnownMember {
  readonly id: string
  readonly given_name: string
  readonly family_name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly joined_on: string
  readonly household: string | null
  readonly shares: boolean
  readonly hasAccount: boolean
  readonly deleted: boolean
}

/** Beyond this, a list is compared with the newest members only; email addresses are unique in the database all the same. */
const MOST_COMPARED = 50_000

/** JSON of a list of them. */
export const findKnownMembers = async (database: Database, masjidId: string): Promise<string> => {
  const row = await database.first<{ members: string }>(sql`
    select coalesce(json_agg(known), '[]')::text as members from (
      select member.id, given_name, family_name, email, phone, joined_on::text, household.name as household,
        consent_api_sharing as shares, user_id is not null as "hasAccount", member.deleted_at is not null as deleted
      from public.ua_members member
      left join public.ua_households household on household.id = member.household_id and household.deleted_at is null
      where member.masjid_id = ${masjidId} order by member.created_at desc, member.id limit ${MOST_COMPARED}) known`)
  return row?.members ?? '[]'
}
