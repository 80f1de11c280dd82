// E-mail and password → a new session; the same answer, after the same work, for an unknown address and a wrong password.

import { recordAccountEvent } from '../audit/record-account-event.ts'
import { networkOf } from '../base/ip-address.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { AccountServices } from './account-services.ts'
import { emailKey } from './email-rules.ts'
import { isOutdated, verifyPassword } from './password.ts'
import { startSession, type Visit } from './sessions.ts'
import { setPassword } from './users.ts'

export interface SignInInput {
  readonly email: string
  readonly password: string
  readonly visit: Visit
}

export type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly token: string; readonly userId: string }
  | { readonly kind: 'unconfirmed'; readonly userId: string }
  | { readonly kind: 'refused' }

interface Candidate {
  readonly id: string
  readonly password_hash: string | null
  readonly confirmed: boolean
  readonly disabled: boolean
}

const findCandidate = (database: Queryable, email: string): Promise<Candidate | undefined> =>
  database.first<Candidate>(sql`
    select id, password_hash, email_verified_at is not null as confirmed, disabled_at is not null as disabled
    from minaret.users where lower(email) = ${emailKey(email)}`)

const accountAndAddress = ({ email, visit }: SignInInput): string => `${emailKey(email)} ${networkOf(visit.address)}`

/** @throws {Fault} `too_many_requests` */
const countAttempt = ({ limits }: AccountServices, input: SignInInput): void => {
  const { email, visit } = input
  limits.signInPerAddress.take(networkOf(visit.address))
  limits.signInPerAccountAndAddress.take(accountAndAddress(input))
  limits.signInPerAccount.take(emailKey(email))
}

/** The session of whoever has just shown to be this user. */
export const openSession = async (services: AccountServices, userId: string, visit: Visit): Promise<string> =>
  services.database.transaction(async transaction => {
    const token = await startSession(transaction, userId, visit)
    await recordAccountEvent(transaction, {
      action: 'account.signed_in',
      actorId: userId,
      userId,
      address: visit.address,
    })
    return token
  })

/** @throws {Fault} `too_many_requests` */
export const signIn = async (services: AccountServices, input: SignInInput): Promise<SignInOutcome> => {
  countAttempt(services, input)
  const { database, limits } = services
  const { email, password, visit } = input
  const user = await findCandidate(database, email)
  const matches = await verifyPassword(user?.password_hash ?? undefined, password)
  if (user === undefined || !matches || user.disabled) {
    await recordAccountEvent(database, { action: 'account.sign_in_refused', userId: user?.id, address: visit.address })
    return { kind: 'refused' }
  }
  if (!user.confirmed) return { kind: 'unconfirmed', userId: user.id }
  limits.signInPerAccountAndAddress.forget(accountAndAddress(input))
  if (isOutdated(user.password_hash ?? '')) await setPassword(database, user.id, password)
  return { kind: 'signed_in', token: await openSession(services, user.id, visit), userId: user.id }
}
