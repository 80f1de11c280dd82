// An account and a masjid → a membership there, so that a masjid's first person can be given capabilities.
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface NewMember {
  readonly masjidId: string
  readonly user: User
  /** Whether the account itself asked for this or agreed to it. */
  readonly accepted: boolean
}

type LinkState = 'linked' | 'waits' | 'refused' | 'none'

/** A member who is listed with the account's confirmed address is the same person, once that is proven. */
const linkByAddress = async (
  transaction: Queryable,
  { masjidId, user, accepted }: NewMember,
): Promise<LinkState | undefined> => {
  const row = await transaction.first<{ state: LinkState }>(sql`
    select public.link_by_address(${masjidId}, ${user.id}, ${accepted}) as state`)
  return row?.state
}

/**
 * Whoever was dismissed is not taken back by this: the grant is then refused. While a link waits, the account has a membership
 * of its own, with nothing in it but what it may do.
 */
export const ensureMember = async (transaction: Queryable, member: NewMember): Promise<void> => {
  const { masjidId, user } = member
  const known = await transaction.first(sql`
    select from public.ua_members where masjid_id = ${masjidId} and user_id = ${user.id}`)
  if (known !== undefined) return
  const state = await linkByAddress(transaction, member)
  if (state === 'linked' || state === 'refused') return
  await transaction.run(sql`
    insert into public.ua_members (masjid_id, user_id, given_name) values (${masjidId}, ${user.id}, left(${user.name}, 100))`)
}
