// An account → everything by which its rows are found: identifier, confirmed address, memberships, households.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface Person {
  readonly userId: string
  /** Undefined unless confirmed: an address that was only typed may be a stranger's. */
  readonly email: string | undefined
  readonly memberIds: readonly string[]
  readonly householdIds: readonly string[]
}

interface Row {
  readonly email: string | null
  readonly member_ids: string[]
  readonly household_ids: string[]
}

/** `alone`: only households in which nobody else lives. */
export const findPerson = async (
  queryable: Queryable,
  userId: string,
  { alone }: { readonly alone: boolean },
): Promise<Person> => {
  const row = await queryable.first<Row>(sql`
    with own as (select id, household_id from public.ua_members where user_id = ${userId})
    select (select email from minaret.users where id = ${userId} and email_verified_at is not null) as email,
      array(select id from own) as member_ids,
      array(select distinct household_id from own where household_id is not null and not (${alone} and exists (
        select from public.ua_members other
        where other.household_id = own.household_id and other.user_id is distinct from ${userId}))) as household_ids`)
  return {
    userId,
    email: row?.email ?? undefined,
    memberIds: row?.member_ids ?? [],
    householdIds: row?.household_ids ?? [],
  }
}
