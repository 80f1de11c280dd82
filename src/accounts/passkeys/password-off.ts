// Signing in with passkeys only: the password is removed. A link by mail sets a new one.
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import { sql } from '../../db/sql.ts'
import { type AccountServices, sendLetter } from '../account-services.ts'
import { lockAccount } from '../factors/account-lock.ts'
import type { Session, Visit } from '../sessions.ts'

export const hasPassword = async ({ database }: AccountServices, userId: string): Promise<boolean> => {
  const row = await database.first(sql`
    select from minaret.users where id = ${userId} and password_hash is not null`)
  return row !== undefined
}

/** False without a passkey to sign in with, or without a password. */
export const removePassword = (services: AccountServices, { user }: Session, visit: Visit): Promise<boolean> =>
  services.database.transaction(async transaction => {
    await lockAccount(transaction, user.id)
    const removed = await transaction.run(sql`
      update minaret.users set password_hash = null, updated_at = now()
      where id = ${user.id} and password_hash is not null
        and exists (select from minaret.passkeys where user_id = ${user.id})`)
    if (removed === 0) return false
    const action = 'account.password_removed'
    await recordAccountEvent(transaction, { action, actorId: user.id, userId: user.id, address: visit.address })
    await sendLetter(transaction, services, 'passwordRemoved', { user, path: '/forgot-password' })
    return true
  })
