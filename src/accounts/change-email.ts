// Changing the email address: requested with the password, or right after signing in without one; announced to the old address,
// confirmed from the new one.
import { recordAccountEvent } from '../audit/record-account-event.ts'
import { Fault } from '../base/fault.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { type AccountServices, sendLetter } from './account-services.ts'
import { type CurrentPasswordFault, checkCurrentPassword, lockWithPassword } from './current-password.ts'
import { checkEmail, type EmailFault, emailKey } from './email-rules.ts'
import { lockAccount } from './factors/account-lock.ts'
import { hasFactor } from './factors/factor-state.ts'
import { isFresh } from './factors/step-up.ts'
import { isEmailConflict, isKeptEmail } from './kept-email.ts'
import { issueMailToken, peekMailToken, useMailToken } from './mail-tokens.ts'
import { hasPassword } from './passkeys/password-off.ts'
import type { Session, Visit } from './sessions.ts'
import { emailTaken, findUserByEmail, findUserById, type User } from './users.ts'

export interface EmailInput {
  readonly email: string
  readonly password: string
  readonly visit: Visit
}

export interface EmailFaults {
  readonly email?: EmailFault | 'email_same' | undefined
  readonly password?: CurrentPasswordFault | undefined
}

const stopPath = (token: string): string => `/stop-email-change?${new URLSearchParams({ token })}`

/** Sends the link that undoes a change to the account's previous address. */
const tellOldAddress = async (
  transaction: Queryable,
  services: AccountServices,
  {
    user,
    changeId,
    newEmail,
    kind,
  }: { user: User; changeId: string; newEmail: string; kind: 'emailChangeAsked' | 'emailChanged' },
): Promise<void> => {
  const token = await issueMailToken(transaction, { userId: user.id, purpose: 'stop_email_change', changeId })
  await sendLetter(transaction, services, kind, { user, email: newEmail, path: stopPath(token) })
}

const recordChange = async (transaction: Queryable, user: User, newEmail: string): Promise<string> => {
  const row = await transaction.first<{ id: string }>(sql`
    insert into minaret.email_changes (user_id, old_email, new_email)
    values (${user.id}, ${user.email}, ${newEmail}) returning id`)
  return String(row?.id)
}

/** The mail to the new address. Only its owner learns that it already has an account, or is reserved for one. */
const writeToNewAddress = async (
  transaction: Queryable,
  services: AccountServices,
  { user, email, token }: { user: User; email: string; token: string },
): Promise<void> => {
  const other = await findUserByEmail(transaction, email)
  if (other !== undefined && other.id !== user.id)
    return sendLetter(transaction, services, 'alreadyKnown', { user: other, path: '/sign-in' })
  const reader = { ...user, email, emailVerified: false }
  if (await isKeptEmail(transaction, email, user.id))
    return sendLetter(transaction, services, 'addressKept', { user: reader, path: '/sign-in' })
  const path = `/confirm-email?${new URLSearchParams({ token })}`
  return sendLetter(transaction, services, 'changeEmail', { user: reader, path })
}

/** Apart from that mail, all new addresses are treated alike: the mail to the old one, the audit entry, the voided links. */
const askFor = async (
  transaction: Queryable,
  services: AccountServices,
  user: User,
  { email, visit }: EmailInput,
): Promise<void> => {
  const { id: userId } = user
  const changeId = await recordChange(transaction, user, email)
  const token = await issueMailToken(transaction, { userId, purpose: 'change_email', changeId, newEmail: email })
  await writeToNewAddress(transaction, services, { user, email, token })
  await tellOldAddress(transaction, services, { user, changeId, newEmail: email, kind: 'emailChangeAsked' })
  const action = 'account.email_change_asked'
  await recordAccountEvent(transaction, { action, actorId: userId, userId, address: visit.address })
}

const emailFault = (user: User, email: string) =>
  emailKey(email) === emailKey(user.email) ? ('email_same' as const) : checkEmail(email)

interface Proof {
  readonly fault?: CurrentPasswordFault
  /** Locks the account. False if the proof does not hold any more. */
  readonly holds: (transaction: Queryable) => Promise<boolean>
}

/** Who signs in without a password has just shown again who they are. */
const proveBySession = (session: Session): Proof =>
  isFresh(session, 'sending')
    ? { holds: async transaction => (await lockAccount(transaction, session.user.id))?.passwordHash === null }
    : { fault: 'password_missing', holds: async () => false }

const prove = async (services: AccountServices, session: Session, password: string): Promise<Proof> => {
  const { id } = session.user
  if (!(await hasPassword(services, id))) return proveBySession(session)
  const current = await checkCurrentPassword(services, id, password)
  return current.fault === undefined
    ? { holds: transaction => lockWithPassword(transaction, id, current.hash) }
    : { fault: current.fault, holds: async () => false }
}

/** @throws {Fault} `too_many_requests` */
export const askForEmailChange = async (
  services: AccountServices,
  session: Session,
  input: EmailInput,
): Promise<EmailFaults | undefined> => {
  const { user } = session
  const proof = await prove(services, session, input.password)
  const email = emailFault(user, input.email)
  if (proof.fault !== undefined || email !== undefined) return { email, password: proof.fault }
  services.limits.emailChangePerUser.take(user.id)
  services.limits.mailPerRecipient.take(emailKey(input.email))
  return services.database.transaction(async transaction => {
    if (!(await proof.holds(transaction))) return { password: 'password_wrong' }
    const now = await findUserById(transaction, user.id)
    if (now !== undefined) await askFor(transaction, services, now, input)
    return undefined
  })
}

const explainConflict = (error: unknown): never => {
  throw isEmailConflict(error) ? emailTaken() : error
}

const applyChange = async (
  transaction: Queryable,
  { changeId, userId, newEmail }: Record<'changeId' | 'userId' | 'newEmail', string>,
) => {
  await transaction.run(sql`
    update minaret.email_changes set confirmed_at = now(), undo_expires_at = now() + interval '7 days'
    where id = ${changeId}`)
  await transaction.run(sql`
    update minaret.users set email = ${newEmail}, email_verified_at = now(), updated_at = now() where id = ${userId}`)
}

export interface ConfirmChangeInput {
  readonly token: string
  /** Of the browser that opened the link. */
  readonly session: Session | undefined
  readonly password: string
  readonly visit: Visit
}

/** Where a password alone would not be enough to sign in, it is not enough here. */
export const needsSignIn = async (services: AccountServices, userId: string): Promise<boolean> =>
  !(await hasPassword(services, userId)) || hasFactor(services.database, userId)

const signInFirst = (): Fault =>
  new Fault({ code: 'forbidden', status: 403, message: 'Sign in to the account whose address this is to become.' })

/** Reading the new address's mail does not prove ownership of the account: the address may have been mistyped. */
const mayConfirm = async (services: AccountServices, { token, session, password }: ConfirmChangeInput) => {
  const { userId } = await peekMailToken(services.database, 'change_email', token)
  if (session?.user.id === userId) return undefined
  if (await needsSignIn(services, userId)) throw signInFirst()
  return (await checkCurrentPassword(services, userId, password)).fault
}

/**
 * Notifies the old address again, with seven days to undo the change. If the password was replaced while it was being
 * checked here, the link is void. @throws {Fault} `link_expired`, `email_taken`, `forbidden`, `too_many_requests`
 */
export const confirmEmailChange = async (
  services: AccountServices,
  input: ConfirmChangeInput,
): Promise<CurrentPasswordFault | undefined> => {
  const fault = await mayConfirm(services, input)
  if (fault !== undefined) return fault
  await services.database
    .transaction(async transaction => {
      const { userId, changeId, newEmail = '' } = await useMailToken(transaction, 'change_email', input.token)
      const before = await findUserById(transaction, userId)
      if (before === undefined)
        throw new Fault({ code: 'not_found', status: 404, message: 'There is no such account.' })
      await applyChange(transaction, { changeId, userId, newEmail })
      const { address } = input.visit
      await recordAccountEvent(transaction, { action: 'account.email_changed', actorId: userId, userId, address })
      await tellOldAddress(transaction, services, { user: before, changeId, newEmail, kind: 'emailChanged' })
    })
    .catch(explainConflict)
  return undefined
}
