// The link in the mail to the old address → the account returned to its owner: the old address, no sessions, password or tokens.
import { recordAccountEvent } from '../audit/record-account-event.ts'
import type { Queryable } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'
import type { AccountServices } from './account-services.ts'
import { tidyFactors } from './factors/authenticator-app.ts'
import { issueMailToken, linkExpired, peekMailToken, useMailToken } from './mail-tokens.ts'
import { endSessions, type Visit } from './sessions.ts'

export interface EmailChange {
  readonly oldEmail: string
  readonly newEmail: string
  /** Whether the account's address has already changed, by this change or a later one. */
  readonly happened: boolean
  readonly askedAt: Date
}

const findChange = async (database: Queryable, changeId: string): Promise<EmailChange> => {
  const change = await database.first<EmailChange>(sql`
    select c.old_email as "oldEmail", c.new_email as "newEmail", lower(u.email) <> lower(c.old_email) as happened,
      c.asked_at as "askedAt"
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

/** A thief may have allowed an app of their own, so recent consents are withdrawn. Every app has to ask again. */
const endTokens = async (transaction: Queryable, userId: string, since: Date): Promise<void> => {
  await transaction.run(sql`
    update minaret.consents set withdrawn_at = now()
    where user_id = ${userId} and given_at >= ${since} and withdrawn_at is null`)
  await transaction.run(sql`
    update minaret.grants set revoked_at = now() where user_id = ${userId} and revoked_at is null`)
}

/** Factors that a thief may have added would keep the owner out. */
const endFactors = async (transaction: Queryable, userId: string, since: Date): Promise<void> => {
  await transaction.run(sql`
    delete from minaret.totp_factors where user_id = ${userId} and coalesce(confirmed_at, pending_at) >= ${since}`)
  await transaction.run(sql`delete from minaret.passkeys where user_id = ${userId} and created_at >= ${since}`)
  await tidyFactors(transaction, userId)
}

/** Ends recent secrets and keys of the person's own apps, and pending changes to them: they may be a thief's. */
const endCredentials = async (transaction: Queryable, userId: string, since: Date): Promise<void> => {
  for (const table of ['api_keys', 'app_secrets'])
    await transaction.run(sql`
      update ${identifier('minaret', table)} set revoked_at = now()
      where created_by = ${userId} and created_at >= ${since} and revoked_at is null`)
  await transaction.run(sql`
    update minaret.app_changes set state = 'withdrawn', decided_at = now()
    where requested_by = ${userId} and requested_at >= ${since} and state = 'pending'`)
}

/**
 * Stops a pending change, or undoes a confirmed one. @returns the token of a link to choose a new password: whoever
 * reads the mail of this address could request one anyway. @throws {Fault} `link_expired`
 */
export const stopEmailChange = (services: AccountServices, token: string, visit: Visit): Promise<string> =>
  services.database.transaction(async transaction => {
    const { userId, changeId } = await useMailToken(transaction, 'stop_email_change', token)
    const { oldEmail, happened, askedAt } = await findChange(transaction, changeId)
    await undoFrom(transaction, userId, changeId)
    await restore(transaction, userId, oldEmail)
    await endSessions(transaction, userId)
    await endTokens(transaction, userId, askedAt)
    await endCredentials(transaction, userId, askedAt)
    await endFactors(transaction, userId, askedAt)
    const action = happened ? 'account.email_taken_back' : 'account.email_change_stopped'
    await recordAccountEvent(transaction, { action, actorId: userId, userId, address: visit.address })
    return issueMailToken(transaction, { userId, purpose: 'reset' })
  })
