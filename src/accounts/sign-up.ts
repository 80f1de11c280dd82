// Name, email and password → an unconfirmed account and its link by mail; the response does not reveal whether the address was known.

import { recordAccountEvent } from '../audit/record-account-event.ts'
import { networkOf } from '../base/ip-address.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { type AccountServices, sendLetter } from './account-services.ts'
import { atLeast } from './at-least.ts'
import { checkEmail, checkName, type EmailFault, emailKey, type NameFault } from './email-rules.ts'
import { isKeptEmail } from './kept-email.ts'
import type { Language } from './languages.ts'
import { issueMailToken, peekMailToken, useMailToken } from './mail-tokens.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { checkPassword, type PasswordFault } from './password-rules.ts'
import type { Visit } from './sessions.ts'
import { openSession } from './sign-in.ts'
import { findUserByEmail, type User } from './users.ts'

export interface SignUpInput {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly language: Language
  readonly visit: Visit
  /** The authorization request that waits for this person; the link in the mail includes it. */
  readonly request: string | undefined
}

export interface SignUpFaults {
  readonly name?: NameFault | undefined
  readonly email?: EmailFault | undefined
  readonly password?: PasswordFault | undefined
}

const SAME_TIME_MS = 300

const faultsOf = ({ name, email, password }: SignUpInput): SignUpFaults => ({
  name: checkName(name),
  email: checkEmail(email),
  password: checkPassword(password, { name, email }),
})

const insertUser = async (transaction: Queryable, input: SignUpInput, passwordHash: string): Promise<string> => {
  const row = await transaction.first<{ id: string }>(sql`
    insert into minaret.users (email, name, password_hash, locale)
    values (${input.email}, ${input.name}, ${passwordHash}, ${input.language})
    returning id`)
  return row?.id ?? ''
}

/** Nobody has proved to own the address yet, so the latest sign-up decides what is to be confirmed. */
const replaceUnconfirmed = async (transaction: Queryable, id: string, input: SignUpInput, hash: string) => {
  await transaction.run(sql`
    update minaret.users set name = ${input.name}, password_hash = ${hash}, locale = ${input.language}, updated_at = now()
    where id = ${id} and email_verified_at is null`)
  return id
}

const confirmPath = (token: string, request: string | undefined): string =>
  `/confirm?${new URLSearchParams({ token, ...(request === undefined ? {} : { request }) })}`

export const sendConfirmation = async (
  transaction: Queryable,
  services: AccountServices,
  input: Pick<SignUpInput, 'name' | 'email' | 'language' | 'request'> & { readonly userId: string },
): Promise<void> => {
  const { userId, request } = input
  const token = await issueMailToken(transaction, { userId, purpose: 'confirm' })
  const user = { ...input, emailVerified: false }
  await sendLetter(transaction, services, 'confirm', { user, path: confirmPath(token, request) })
}

const register = async (services: AccountServices, input: SignUpInput): Promise<void> => {
  const { email, visit } = input
  const hash = await hashPassword({ password: input.password, turnOf: networkOf(visit.address) })
  await services.database.transaction(async transaction => {
    await transaction.run(sql`select pg_advisory_xact_lock(hashtextextended(${`sign-up ${emailKey(email)}`}, 0))`)
    const known: User | undefined = await findUserByEmail(transaction, email)
    if (known?.emailVerified === true)
      return sendLetter(transaction, services, 'alreadyKnown', { user: known, path: '/sign-in' })
    if (await isKeptEmail(transaction, email))
      return sendLetter(transaction, services, 'addressKept', {
        user: { ...input, emailVerified: false },
        path: '/sign-in',
      })
    const userId = known
      ? await replaceUnconfirmed(transaction, known.id, input, hash)
      : await insertUser(transaction, input, hash)
    await recordAccountEvent(transaction, { action: 'account.signed_up', userId, address: visit.address })
    await sendConfirmation(transaction, services, { ...input, userId })
  })
}

/** @returns the faults of the fields; none if the mail was queued. @throws {Fault} `too_many_requests` */
export const signUp = async (services: AccountServices, input: SignUpInput): Promise<SignUpFaults | undefined> => {
  const faults = faultsOf(input)
  if (Object.values(faults).some(fault => fault !== undefined)) return faults
  services.limits.signUpPerAddress.take(networkOf(input.visit.address))
  services.limits.mailPerRecipient.take(emailKey(input.email))
  await atLeast(SAME_TIME_MS, register(services, input))
  return undefined
}

export interface ConfirmInput {
  readonly token: string
  readonly password: string
  readonly visit: Visit
}

/**
 * The link proves access to the mailbox, the password that the account is the reader's own. Without the password, someone
 * could sign up with another person's address and wait for that person to confirm it. @returns a session token, or
 * nothing if the password is wrong. @throws {Fault} `link_expired`, `too_many_requests`
 */
export const confirmEmail = async (services: AccountServices, input: ConfirmInput): Promise<string | undefined> => {
  const { database, limits } = services
  const { userId } = await peekMailToken(database, 'confirm', input.token)
  limits.passwordPerUser.take(userId)
  const user = await database.first<{ password_hash: string | null }>(
    sql`select password_hash from minaret.users where id = ${userId}`,
  )
  const typed = { password: input.password, turnOf: networkOf(input.visit.address) }
  if (!(await verifyPassword(user?.password_hash ?? undefined, typed))) return undefined
  await database.transaction(async transaction => {
    await useMailToken(transaction, 'confirm', input.token)
    await transaction.run(
      sql`update minaret.users set email_verified_at = now(), updated_at = now() where id = ${userId}`,
    )
    const { address } = input.visit
    await recordAccountEvent(transaction, { action: 'account.email_confirmed', actorId: userId, userId, address })
  })
  limits.passwordPerUser.forget(userId)
  return openSession(services, userId, input.visit)
}
