// Changes to one's own account: the profile, and the password, which requires the current one.
import { recordAccountEvent } from '../audit/record-account-event.ts'
import { type AccountServices, sendLetter } from './account-services.ts'
import { checkCurrentPassword, lockWithPassword } from './current-password.ts'
import { checkName, checkPicture } from './email-rules.ts'
import { isLanguage } from './languages.ts'
import { hashPassword } from './password.ts'
import { checkPassword } from './password-rules.ts'
import { endSessions, type Session, type Visit } from './sessions.ts'
import { setPasswordHash, type User, updateProfile } from './users.ts'

type Faults<Field extends string, Fault extends string> = Readonly<Partial<Record<Field, Fault | undefined>>>

const found = <F extends object>(faults: F): F | undefined =>
  Object.values(faults).some(fault => fault !== undefined) ? faults : undefined

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

/** Every other session ends, so that anyone who knew the old password is signed out. */
export const changePassword = async (
  services: AccountServices,
  { id: sessionId, user }: Session,
  { current: typed, next, visit }: PasswordInput,
): Promise<Faults<'current' | 'next', string> | undefined> => {
  const current = await checkCurrentPassword(services, user.id, typed)
  const faults = { current: current.fault, next: checkPassword(next, user) }
  if (current.fault !== undefined || found(faults)) return faults
  const hash = await hashPassword({ password: next, turnOf: user.id })
  return services.database.transaction(async transaction => {
    if (!(await lockWithPassword(transaction, user.id, current.hash))) return { current: 'password_wrong' }
    await setPasswordHash(transaction, user.id, hash)
    await endSessions(transaction, user.id, sessionId)
    const action = 'account.password_changed'
    await recordAccountEvent(transaction, { action, actorId: user.id, userId: user.id, address: visit.address })
    await sendLetter(transaction, services, 'passwordChanged', { user, path: '/forgot-password' })
    return undefined
  })
}
