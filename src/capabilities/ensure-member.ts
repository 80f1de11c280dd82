// An account and a masjid → a membership there, so that a masjid's first person can be given capabilities.
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** A member who is listed with the account's confirmed address is the same person. */
const linkByAddress = (transaction: Queryable, masjidId: string, { id, email }: User): Promise<number> =>
  transaction.run(sql`
    update public.ua_members member set user_id = ${id}
    from minaret.users account
    where account.id = ${id} and account.email_verified_at is not null
      and member.masjid_id = ${masjidId} and lower(member.email) = lower(${email}) and member.user_id is null
      and member.deleted_at is null`)

/** Whoever was dismissed is not taken back by this: the grant is then refused. */
export const ensureMember = async (transaction: Queryable, masjidId: string, user: User): Promise<void> => {
  const known = await transaction.first(sql`
    select from public.ua_members where masjid_id = ${masjidId} and user_id = ${user.id}`)
  if (known !== undefined || (await linkByAddress(transaction, masjidId, user)) > 0) return
  await transaction.run(sql`
    insert into public.ua_members (masjid_id, user_id, given_name) values (${masjidId}, ${user.id}, left(${user.name}, 100))`)
}
