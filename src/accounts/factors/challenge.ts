// Between the password and the session: a browser that has yet to show the second factor.
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import { randomToken, sha256 } from '../../base/secrets.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { AccountServices } from '../account-services.ts'
import { startSession, type Visit } from '../sessions.ts'
import { lockAccount } from './account-lock.ts'
import { rememberDevice } from './devices.ts'
import type { Account } from './limit-codes.ts'
import { tellOfNewDevice } from './new-device.ts'
import { type TypedCode, useCode } from './use-code.ts'

const CHALLENGE_MINUTES = 10

/** @returns the token for the browser's cookie. */
export const startChallenge = async (
  transaction: Queryable,
  userId: string,
  /** How the first step was taken (RFC 8176). */
  amr: readonly string[],
): Promise<string> => {
  const token = randomToken(32)
  await transaction.run(sql`
    insert into minaret.sign_in_challenges (token_hash, user_id, amr, expires_at)
    values (${sha256(token)}, ${userId}, ${amr}::text[], now() + make_interval(mins => ${CHALLENGE_MINUTES}))`)
  return token
}

export interface Challenge {
  readonly account: Account
  readonly email: string
  readonly hasApp: boolean
}

export const findChallenge = async (database: Queryable, token: string): Promise<Challenge | undefined> => {
  const row = await database.first<{ id: string; password_hash: string | null; email: string; has_app: boolean }>(sql`
    select users.id, users.password_hash, users.email,
      exists (select from minaret.totp_factors t where t.user_id = users.id and t.confirmed_at is not null) as has_app
    from minaret.sign_in_challenges challenge join minaret.users on users.id = challenge.user_id
    where token_hash = ${sha256(token)} and used_at is null and expires_at > now() and users.disabled_at is null`)
  return row && { account: { userId: row.id, passwordHash: row.password_hash }, email: row.email, hasApp: row.has_app }
}

export interface ChallengeAnswer {
  /** Of the browser's cookie. */
  readonly token: string
  readonly code: TypedCode
  readonly remember: boolean
  readonly visit: Visit
}

export type ChallengeOutcome =
  | { readonly kind: 'signed_in'; readonly token: string; readonly device: string | undefined }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'expired' }

/** Consumes it, in one statement. @returns how the first step was taken; undefined if it is used or expired. */
const closeChallenge = async (transaction: Queryable, token: string): Promise<readonly string[] | undefined> => {
  const closed = await transaction.first<{ amr: readonly string[] }>(sql`
    update minaret.sign_in_challenges set used_at = now()
    where token_hash = ${sha256(token)} and used_at is null and expires_at > now() returning amr`)
  return closed?.amr
}

interface Passed {
  readonly userId: string
  readonly visit: Visit
  readonly remember: boolean
  /** How the first step was taken. */
  readonly amr: readonly string[]
}

const enter = async (
  services: AccountServices,
  transaction: Queryable,
  { userId, visit, remember, amr }: Passed,
): Promise<ChallengeOutcome> => {
  await tellOfNewDevice(services, transaction, { userId, visit })
  const token = await startSession(transaction, userId, visit, [...amr, 'otp', 'mfa'])
  const device = remember ? await rememberDevice(transaction, userId, visit) : undefined
  const { address } = visit
  await recordAccountEvent(transaction, { action: 'account.signed_in', actorId: userId, userId, address })
  return { kind: 'signed_in', token, device }
}

/** A wrong code leaves the challenge open, until the limit. @throws {Fault} `too_many_requests` */
export const answerChallenge = async (
  services: AccountServices,
  { token, code, remember, visit }: ChallengeAnswer,
): Promise<ChallengeOutcome> => {
  const { database, factors } = services
  const challenge = await findChallenge(database, token)
  if (challenge === undefined) return { kind: 'expired' }
  const { account } = challenge
  const { userId } = account
  await factors.limit.take(code.kind, account)
  const outcome = await database.transaction(async (transaction): Promise<ChallengeOutcome> => {
    const locked = await lockAccount(transaction, userId)
    if (locked?.passwordHash !== account.passwordHash) return { kind: 'expired' }
    if (!(await useCode(services, transaction, { userId, ...code }))) return { kind: 'wrong' }
    const amr = await closeChallenge(transaction, token)
    return amr === undefined ? { kind: 'expired' } : enter(services, transaction, { userId, visit, remember, amr })
  })
  if (outcome.kind === 'signed_in') await factors.limit.forget(account)
  if (outcome.kind === 'wrong')
    await recordAccountEvent(database, { action: 'account.code_refused', userId, address: visit.address })
  return outcome
}
