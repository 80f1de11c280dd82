// Changes to one's own account: profile, password, e-mail address. The last two ask for the password again.

import { recordAccountEvent } from '../audit/record-account-event.ts'
import { sql } from '../db/sql.ts'
import { type AccountServices, sendLetter } from './account-services.ts'
import { checkEmail, checkName, checkPicture, emailKey } from './email-rules.ts'
import { isLanguage } from './languages.ts'
import { issueMailToken, useMailToken } from './mail-tokens.ts'
import { verifyPassword } from './password.ts'
import { checkPassword } from './password-rules.ts'
import { endSessions, type Session, type Visit } from './sessions.ts'
import { emailTaken, findUserByEmail, findUserById, setPassword, type User, updateProfile } from './users.ts'

type Faults<Field extends string, Fault extends string> = Readonly<Partial<Record<Field, Fault | undefined>>>

const found = <F extends object>(faults: F): F | undefined =>
  Object.values(faults).some(fault => fault !== undefined) ? faults : undefined

/** @throws {Fault} `too_many_requests` */
const checkCurrentPassword = async (
  { database, limits }: AccountServices,
  userId: string,
  password: string,
): Promise<'password_wrong' | 'password_missing' | undefined> => {
  if (password === '') return 'password_missing'
  limits.passwordPerUser.take(userId)
  const row = await database.first<{ password_hash: string | null }>(
    sql`select password_hash from minaret.users where id = ${userId}`,
  )
  if (!(await verifyPassword(row?.password_hash ?? undefined, password))) return 'password_wrong'
  limits.passwordPerUser.forget(userId)
  return undefined
}

export interface ProfileInput {
  readonly name: string
  readonly picture: string
  readonly language: string
  readonly visit: Visit
}

export const changeProfile = async (
  { database }: AccountServices,
  { id: userId }: User,
  { name, picture, language, visit }: ProfileInput,
): Promise<Faults<'name' | 'picture' | 'language', string> | undefined> => {
  const faults = { name: checkName(name), picture: checkPicture(picture) }
  if (!isLanguage(language)) return { ...faults, language: 'language_wrong' }
  if (found(faults)) return faults
  await database.transaction(async transaction => {
    await updateProfile(transaction, userId, { name, picture: picture || undefined, language })
    const { address } = visit
    await recordAccountEvent(transaction, { action: 'account.profile_changed', actorId: userId, userId, address })
  })
  return undefined
}

export interface PasswordInput {
  readonly current: string
  readonly next: string
  readonly visit: Visit
}

/** Every other session ends: whoever knew the old password is out. */
export const changePassword = async (
  services: AccountServices,
  { id: sessionId, user }: Session,
  { current, next, visit }: PasswordInput,
): Promise<Faults<'current' | 'next', string> | undefined> => {
  const faults = { current: await checkCurrentPassword(services, user.id, current), next: checkPassword(next, user) }
  if (found(faults)) return faults
  await services.database.transaction(async transaction => {
    await setPassword(transaction, user.id, next)
    await endSessions(transaction, user.id, sessionId)
    const { address } = visit
    await recordAccountEvent(transaction, {
      action: 'account.password_changed',
      actorId: user.id,
      userId: user.id,
      address,
    })
    const { language, email: to, name } = user
    await sendLetter(transaction, services, 'passwordChanged', { language, to, name, path: '/forgot-password' })
  })
  return undefined
}

export interface EmailInput {
  readonly email: string
  readonly password: string
  readonly visit: Visit
}

const mailChange = async (services: AccountServices, user: User, { email, visit }: EmailInput): Promise<void> =>
  services.database.transaction(async transaction => {
    const other = await findUserByEmail(transaction, email)
    if (other !== undefined && other.id !== user.id) {
      const { language, email: to, name } = other
      return sendLetter(transaction, services, 'alreadyKnown', { language, to, name, path: '/sign-in' })
    }
    const token = await issueMailToken(transaction, { userId: user.id, purpose: 'change_email', newEmail: email })
    const { language, name } = user
    const path = `/confirm-email?${new URLSearchParams({ token })}`
    await sendLetter(transaction, services, 'changeEmail', { language, to: email, name, path })
    const { address } = visit
    await recordAccountEvent(transaction, {
      action: 'account.email_change_asked',
      actorId: user.id,
      userId: user.id,
      address,
    })
  })

const emailFault = (user: User, email: string) =>
  emailKey(email) === emailKey(user.email) ? ('email_same' as const) : checkEmail(email)

/** Whether the new address has an account already is told to its owner only. @throws {Fault} `too_many_requests` */
export const askForEmailChange = async (
  services: AccountServices,
  user: User,
  input: EmailInput,
): Promise<Faults<'email' | 'password', string> | undefined> => {
  const password = await checkCurrentPassword(services, user.id, input.password)
  const faults = { email: emailFault(user, input.email), password }
  if (found(faults)) return faults
  services.limits.mailPerRecipient.take(emailKey(input.email))
  await mailChange(services, user, input)
  return undefined
}

/** The old address is told, so that a theft does not stay unnoticed. @throws {Fault} `link_expired`, `email_taken` */
export const confirmEmailChange = async (services: AccountServices, token: string, visit: Visit): Promise<void> =>
  services.database.transaction(async transaction => {
    const { userId, email: oldEmail, newEmail = '' } = await useMailToken(transaction, 'change_email', token)
    if ((await findUserByEmail(transaction, newEmail)) !== undefined) throw emailTaken()
    await transaction.run(sql`
      update minaret.users set email = ${newEmail}, email_verified_at = now(), updated_at = now() where id = ${userId}`)
    await recordAccountEvent(transaction, {
      action: 'account.email_changed',
      actorId: userId,
      userId,
      address: visit.address,
    })
    const user = await findUserById(transaction, userId)
    if (user === undefined) return
    const { language, name } = user
    await sendLetter(transaction, services, 'emailChanged', {
      language,
      to: oldEmail,
      name,
      email: newEmail,
      path: '/',
    })
  })
