// Email and password → a new session; the same response, after the same work, for an unknown address and a wrong password.

import { recordAccountEvent } from '../audit/record-account-event.ts'
import { networkOf } from '../base/ip-address.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { AccountServices } from './account-services.ts'
import { lockWithPassword } from './current-password.ts'
import { emailKey } from './email-rules.ts'
import { startChallenge } from './factors/challenge.ts'
import { isRememberedDevice } from './factors/devices.ts'
import { tellOfNewDevice } from './factors/new-device.ts'
import { isUnusual } from './factors/unusual.ts'
import { hashPassword, isOutdated, type TypedPassword, verifyPassword } from './password.ts'
import { startSession, type Visit } from './sessions.ts'

const PASSWORD = ['pwd'] as const

export interface SignInInput {
  readonly email: string
  readonly password: string
  readonly visit: Visit
  /** An app asks for more than a password: remembered browsers are asked for the second factor too. */
  readonly strong?: boolean | undefined
}

export type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly token: string; readonly userId: string }
  /** The password was right. The token belongs to a browser that has yet to show the second factor. */
  | { readonly kind: 'challenged'; readonly token: string }
  | { readonly kind: 'unconfirmed'; readonly userId: string }
  | { readonly kind: 'refused' }

interface Candidate {
  readonly id: string
  readonly password_hash: string | null
  readonly confirmed: boolean
  readonly disabled: boolean
  readonly has_factor: boolean
}

const findCandidate = (database: Queryable, email: string): Promise<Candidate | undefined> =>
  database.first<Candidate>(sql`
    select id, password_hash, email_verified_at is not null as confirmed, disabled_at is not null as disabled,
      minaret.has_factor(id) as has_factor
    from minaret.users where lower(email) = ${emailKey(email)}`)

const accountAndAddress = ({ email, visit }: SignInInput): string => `${emailKey(email)} ${networkOf(visit.address)}`

/** @throws {Fault} `too_many_requests` */
const countAttempt = ({ limits }: AccountServices, input: SignInInput): void => {
  const { email, visit } = input
  limits.signInPerAddress.take(networkOf(visit.address))
  limits.signInPerAccountAndAddress.take(accountAndAddress(input))
  limits.signInPerAccount.take(emailKey(email))
}

interface Proved {
  readonly userId: string
  readonly visit: Visit
  /** How (RFC 8176). */
  readonly amr: readonly string[]
  readonly unusual?: boolean
}

/** Starts a session for someone who has just proved to be this user. */
const startNoted = async (
  services: AccountServices,
  transaction: Queryable,
  { userId, visit, amr, unusual = false }: Proved,
): Promise<string> => {
  await tellOfNewDevice(services, transaction, { userId, visit, unusual })
  const token = await startSession(transaction, userId, visit, amr)
  const { address } = visit
  await recordAccountEvent(transaction, { action: 'account.signed_in', actorId: userId, userId, address })
  return token
}

export const openSession = (services: AccountServices, userId: string, visit: Visit): Promise<string> =>
  services.database.transaction(transaction => startNoted(services, transaction, { userId, visit, amr: PASSWORD }))

export type Opened = Extract<SignInOutcome, { readonly token: string }>

interface FirstStep extends Pick<SignInInput, 'visit' | 'strong'> {
  readonly user: Pick<Candidate, 'id' | 'has_factor'>
  /** How the first step was taken (RFC 8176). */
  readonly amr: readonly string[]
}

/**
 * The first step is taken: whoever has a second factor is asked for it, unless this browser is remembered and nothing is unusual.
 * The others are told of what is unusual by mail.
 */
export const openOrChallenge = async (
  services: AccountServices,
  transaction: Queryable,
  { user: { id: userId, has_factor }, visit, strong, amr }: FirstStep,
): Promise<Opened> => {
  const unusual = await isUnusual(transaction, userId, visit)
  if (has_factor && (strong === true || unusual || !(await isRememberedDevice(transaction, userId, visit))))
    return { kind: 'challenged', token: await startChallenge(transaction, userId, amr) }
  return { kind: 'signed_in', token: await startNoted(services, transaction, { userId, visit, amr, unusual }), userId }
}

/** Undefined if the password was replaced while it was being checked: that ends every session, including this one. */
const openWithPassword = (
  services: AccountServices,
  user: Candidate,
  input: SignInInput,
): Promise<Opened | undefined> =>
  services.database.transaction(async transaction =>
    (await lockWithPassword(transaction, user.id, user.password_hash ?? ''))
      ? openOrChallenge(services, transaction, { user, visit: input.visit, strong: input.strong, amr: PASSWORD })
      : undefined,
  )

/** Rehashes the same password with today's settings: no reason to send mail or void links (migration 0065). */
const renewHash = async ({ database }: AccountServices, { id, password_hash }: Candidate, typed: TypedPassword) => {
  const hash = await hashPassword(typed)
  await database.transaction(async transaction => {
    await transaction.run(sql`select set_config('minaret.same_password', 'on', true)`)
    await transaction.run(sql`
      update minaret.users set password_hash = ${hash} where id = ${id} and password_hash = ${password_hash}`)
  })
}

/** @throws {Fault} `too_many_requests`, `too-many-waiting`, `unavailable` */
export const signIn = async (services: AccountServices, input: SignInInput): Promise<SignInOutcome> => {
  countAttempt(services, input)
  const { database, limits } = services
  const { email, password, visit } = input
  const user = await findCandidate(database, email)
  const typed = { password, turnOf: networkOf(visit.address) }
  const matches = await verifyPassword(user?.password_hash ?? undefined, typed)
  const refused = async (): Promise<SignInOutcome> => {
    await recordAccountEvent(database, { action: 'account.sign_in_refused', userId: user?.id, address: visit.address })
    return { kind: 'refused' }
  }
  if (user === undefined || !matches || user.disabled) return refused()
  if (!user.confirmed) return { kind: 'unconfirmed', userId: user.id }
  const opened = await openWithPassword(services, user, input)
  if (opened === undefined) return refused()
  limits.signInPerAccountAndAddress.forget(accountAndAddress(input))
  if (isOutdated(user.password_hash ?? '')) await renewHash(services, user, typed)
  return opened
}
