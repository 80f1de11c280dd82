// The owner says which sign-in was the last of theirs, and later which of the other things were theirs after all.
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import { sql } from '../../db/sql.ts'
import { type AccountServices, sendLetter } from '../account-services.ts'
import type { Visit } from '../sessions.ts'
import type { User } from '../users.ts'

interface Answering {
  readonly user: User
  readonly visit: Visit
}

/**
 * What happened until that sign-in resumes; what came later is suspended. `all`: every sign-in was theirs; `none`: no one was.
 * False if there is no such sign-in.
 */
export const nameLastOwn = (
  services: AccountServices,
  { user, visit, signIn }: Answering & { readonly signIn: string },
): Promise<boolean> =>
  services.database.transaction(async transaction => {
    const { id: userId } = user
    const named = await transaction.first<{ at: string }>(sql`
      select created_at::text as at from minaret.sessions where id::text = ${signIn} and user_id = ${userId}
      union all select now()::text where ${signIn} = 'all'
      union all select '-infinity' where ${signIn} = 'none'`)
    if (named === undefined) return false
    const { address } = visit
    await recordAccountEvent(transaction, { action: 'account.last_own_named', actorId: userId, userId, address })
    await transaction.query(sql`select minaret.name_last_own(${userId}, ${named.at}::timestamptz)`)
    await sendLetter(transaction, services, 'lastOwnNamed', { user, path: '/account/taken-back' })
    return true
  })

/** False if something else stands in its place. */
export const keepSteps = (
  { database }: AccountServices,
  { user: { id: userId }, visit, ids }: Answering & { readonly ids: readonly string[] },
): Promise<boolean> =>
  database.transaction(async transaction => {
    const { address } = visit
    await recordAccountEvent(transaction, { action: 'account.suspended_kept', actorId: userId, userId, address })
    const row = await transaction.first<{ kept: boolean }>(sql`
      select minaret.keep_acts(${userId}, ${ids}::bigint[]) as kept`)
    return row?.kept === true
  })
