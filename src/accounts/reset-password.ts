// A forgotten password: email → link → new password, and every session ends.

import { recordAccountEvent } from '../audit/record-account-event.ts'
import { networkOf } from '../base/ip-address.ts'
import { sql } from '../db/sql.ts'
import { type AccountServices, sendLetter } from './account-services.ts'
import { atLeast } from './at-least.ts'
import { emailKey } from './email-rules.ts'
import { issueMailToken, peekMailToken, useMailToken } from './mail-tokens.ts'
import { hashPassword } from './password.ts'
import { checkPassword, type PasswordFault } from './password-rules.ts'
import { endSessions, type Visit } from './sessions.ts'
import { findUserByEmail, findUserById, setPasswordHash } from './users.ts'

const SAME_TIME_MS = 200

const mailLink = async (services: AccountServices, email: string, visit: Visit): Promise<void> => {
  const user = await findUserByEmail(services.database, email)
  if (user === undefined || user.disabled) return
  const { id: userId } = user
  await services.database.transaction(async transaction => {
    const token = await issueMailToken(transaction, { userId, purpose: 'reset' })
    const path = `/reset-password?${new URLSearchParams({ token })}`
    await sendLetter(transaction, services, 'reset', { user, path })
    await recordAccountEvent(transaction, { action: 'account.password_reset_asked', userId, address: visit.address })
  })
}

/** The same for known and unknown addresses. @throws {Fault} `too_many_requests` */
export const askForReset = async (services: AccountServices, email: string, visit: Visit): Promise<void> => {
  services.limits.signUpPerAddress.take(networkOf(visit.address))
  services.limits.mailPerRecipient.take(emailKey(email))
  await atLeast(SAME_TIME_MS, mailLink(services, email, visit))
}

export interface ResetInput {
  readonly token: string
  readonly password: string
  readonly visit: Visit
}

/** The link was sent by mail, so it also confirms the address. @throws {Fault} `link_expired` */
export const resetPassword = async (
  services: AccountServices,
  { token, password, visit }: ResetInput,
): Promise<PasswordFault | undefined> => {
  const owner = await peekMailToken(services.database, 'reset', token)
  const fault = checkPassword(password, owner)
  if (fault !== undefined) return fault
  const hash = await hashPassword({ password, turnOf: networkOf(visit.address) })
  await services.database.transaction(async transaction => {
    const { userId } = await useMailToken(transaction, 'reset', token)
    const user = await findUserById(transaction, userId)
    await setPasswordHash(transaction, userId, hash)
    await transaction.run(sql`
      update minaret.users set email_verified_at = coalesce(email_verified_at, now()) where id = ${userId}`)
    await endSessions(transaction, userId)
    const action = 'account.password_reset'
    await recordAccountEvent(transaction, { action, actorId: userId, userId, address: visit.address })
    if (user !== undefined)
      await sendLetter(transaction, services, 'passwordChanged', { user, path: '/forgot-password' })
  })
  return undefined
}
