// Links sent by mail: 256 random bits, stored as a digest, each valid once and for a limited time.
import { Fault } from '../base/fault.ts'
import { randomToken, sha256 } from '../base/secrets.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export type MailPurpose = 'confirm' | 'reset' | 'change_email' | 'stop_email_change'

const lifetimes: Readonly<Record<MailPurpose, number>> = {
  confirm: 24,
  reset: 1,
  change_email: 24,
  stop_email_change: 7 * 24,
}

export interface MailTokenInput {
  readonly userId: string
  readonly purpose: MailPurpose
  /** The email change that the link confirms or undoes. */
  readonly changeId?: string
  readonly newEmail?: string
}

/** A new link voids earlier ones of its kind, except for links that undo a change, which all stay valid. */
const voidOlder = async (database: Queryable, { userId, purpose }: MailTokenInput): Promise<void> => {
  if (purpose === 'stop_email_change') return
  await database.run(sql`
    update minaret.mail_tokens set used_at = now()
    where user_id = ${userId} and purpose = ${purpose} and used_at is null`)
}

export const issueMailToken = async (database: Queryable, input: MailTokenInput): Promise<string> => {
  const { userId, purpose, changeId, newEmail } = input
  const token = randomToken(32)
  await voidOlder(database, input)
  await database.run(sql`
    insert into minaret.mail_tokens (token_hash, user_id, purpose, change_id, new_email, expires_at)
    values (${sha256(token)}, ${userId}, ${purpose}, ${changeId ?? null}, ${newEmail ?? null},
      now() + make_interval(hours => ${lifetimes[purpose]}))`)
  return token
}

export interface MailToken {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly changeId: string
  readonly newEmail: string | undefined
}

interface MailTokenRow {
  readonly user_id: string
  readonly email: string
  readonly name: string
  readonly change_id: string | null
  readonly new_email: string | null
}

const toMailToken = (row: MailTokenRow | undefined): MailToken => {
  if (row === undefined) throw linkExpired()
  const { user_id: userId, email, name, change_id, new_email } = row
  return { userId, email, name, changeId: change_id ?? '', newEmail: new_email ?? undefined }
}

export const linkExpired = (): Fault =>
  new Fault({ code: 'link_expired', status: 410, message: 'This link has already been used or has expired.' })

/** An account that waits to be erased can still be taken back: a thief may have asked for that. */
const isReachable = sql`(users.disabled_at is null
  or mail_tokens.purpose = 'stop_email_change' and minaret.is_erasure_their_own(users.id))`

/** Reads the link without using it, because mail scanners open links too. @throws {Fault} `link_expired` */
export const peekMailToken = async (database: Queryable, purpose: MailPurpose, token: string): Promise<MailToken> =>
  toMailToken(
    await database.first<MailTokenRow>(sql`
      select users.id as user_id, users.email, users.name, mail_tokens.change_id, mail_tokens.new_email
      from minaret.mail_tokens join minaret.users on users.id = mail_tokens.user_id
      where token_hash = ${sha256(token)} and purpose = ${purpose} and used_at is null and expires_at > now()
        and ${isReachable}`),
  )

/**
 * Uses the link, in one statement. Locks the account first, like everything that voids links: of two links used
 * concurrently, the second sees the effect of the first. @throws {Fault} `link_expired`
 */
export const useMailToken = async (transaction: Queryable, purpose: MailPurpose, token: string): Promise<MailToken> => {
  await transaction.run(sql`
    select from minaret.users where id = (select user_id from minaret.mail_tokens where token_hash = ${sha256(token)})
    for no key update`)
  return toMailToken(
    await transaction.first<MailTokenRow>(sql`
      update minaret.mail_tokens set used_at = now() from minaret.users
      where users.id = mail_tokens.user_id and ${isReachable}
        and token_hash = ${sha256(token)} and purpose = ${purpose} and used_at is null and mail_tokens.expires_at > now()
      returning users.id as user_id, users.email, users.name, mail_tokens.change_id, mail_tokens.new_email`),
  )
}
