// The link in the mail to the old address → the account returned to its owner: the old address, no sessions, password or tokens, and
// what was added lately suspended (take-back/).
import { recordAccountEvent } from '../audit/record-account-event.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { type AccountServices, sendLetter } from './account-services.ts'
import { issueMailToken, linkExpired, peekMailToken, useMailToken } from './mail-tokens.ts'
import type { Visit } from './sessions.ts'
import { takeAccountBack } from './take-back/take-account-back.ts'
import { findUserById } from './users.ts'

export interface EmailChange {
  readonly oldEmail: string
  readonly newEmail: string
  /** Whether the account's address has already changed, by this change or a later one. */
  readonly happened: boolean
}

const findChange = async (database: Queryable, changeId: string): Promise<EmailChange> => {
  const change = await database.first<EmailChange>(sql`
    select c.old_email as "oldEmail", c.new_email as "newEmail", lower(u.email) <> lower(c.old_email) as happened
    from minaret.email_changes c join minaret.users u on u.id = c.user_id
    where c.id = ${changeId} and c.undone_at is null`)
  if (change === undefined) throw linkExpired()
  return change
}

/** Reads the link without any effect, because mail scanners open links too. @throws {Fault} `link_expired` */
export const peekEmailChange = async (database: Queryable, token: string): Promise<EmailChange> => {
  const { changeId } = await peekMailToken(database, 'stop_email_change', token)
  return findChange(database, changeId)
}

/** This change and all later ones: a thief who changed the address twice has the link that undoes the second. */
const undoFrom = async (transaction: Queryable, userId: string, changeId: string): Promise<void> => {
  await transaction.run(sql`
    update minaret.email_changes set undone_at = now()
    where user_id = ${userId} and id >= ${changeId} and undone_at is null`)
  await transaction.run(sql`
    update minaret.mail_tokens set used_at = now()
    where user_id = ${userId} and change_id >= ${changeId} and used_at is null`)
}

/** Someone else knows the old password, so it is removed too; the trigger on passwords voids every other link. */
const restore = (transaction: Queryable, userId: string, email: string): Promise<number> =>
  transaction.run(sql`
    update minaret.users set email = ${email}, email_verified_at = now(), password_hash = null, updated_at = now()
    where id = ${userId}`)

/**
 * Stops a pending change, or undoes a confirmed one. @returns the token of a link to choose a new password: whoever
 * reads the mail of this address could request one anyway. @throws {Fault} `link_expired`
 */
export const stopEmailChange = (services: AccountServices, token: string, visit: Visit): Promise<string> =>
  services.database.transaction(async transaction => {
    const { userId, changeId } = await useMailToken(transaction, 'stop_email_change', token)
    const { oldEmail, happened } = await findChange(transaction, changeId)
    const before = await findUserById(transaction, userId)
    await takeAccountBack(transaction, userId)
    await undoFrom(transaction, userId, changeId)
    await restore(transaction, userId, oldEmail)
    const action = happened ? 'account.email_taken_back' : 'account.email_change_stopped'
    await recordAccountEvent(transaction, { action, actorId: userId, userId, address: visit.address })
    const user = await findUserById(transaction, userId)
    if (user !== undefined)
      await sendLetter(transaction, services, 'accountTakenBack', { user, path: '/account/taken-back' })
    // Perhaps somebody else reads the old mailbox.
    if (happened && before !== undefined)
      await sendLetter(transaction, services, 'addressTakenBack', { user: before, email: oldEmail, path: '/account' })
    return issueMailToken(transaction, { userId, purpose: 'reset' })
  })
