// Setting up an authenticator app, replacing it and removing it. Nothing counts before a code has shown that the app has the key.
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import { seal, unseal } from '../../base/seal.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { type AccountServices, sendLetter } from '../account-services.ts'
import type { Session, Visit } from '../sessions.ts'
import type { User } from '../users.ts'
import { findAccount, lockAccount } from './account-lock.ts'
import { countRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts'
import { totpName } from './sealing.ts'
import { describeTotpKey, matchTotpStep, newTotpSecret, type TotpKey } from './totp.ts'

/** A key that was shown and never confirmed is forgotten. */
const PENDING_MINUTES = 60

export const beginTotp = async ({ database, factors }: AccountServices, userId: string): Promise<void> => {
  const sealed = seal(newTotpSecret(), { name: totpName(userId), secret: factors.secret })
  await database.run(sql`
    insert into minaret.totp_factors (user_id, pending_secret, pending_at) values (${userId}, ${sealed}, now())
    on conflict (user_id) do update set pending_secret = excluded.pending_secret, pending_at = excluded.pending_at`)
}

const findPending = async (
  { factors }: AccountServices,
  queryable: Queryable,
  userId: string,
): Promise<Buffer | undefined> => {
  const row = await queryable.first<{ pending_secret: Buffer }>(sql`
    select pending_secret from minaret.totp_factors
    where user_id = ${userId} and pending_at > now() - make_interval(mins => ${PENDING_MINUTES})`)
  return row && unseal(row.pending_secret, { name: totpName(userId), secret: factors.secret })
}

export const pendingTotpKey = async (services: AccountServices, user: User): Promise<TotpKey | undefined> => {
  const secret = await findPending(services, services.database, user.id)
  return secret && describeTotpKey(secret, user.email)
}

const store = (transaction: Queryable, userId: string, step: number): Promise<number> =>
  transaction.run(sql`
    update minaret.totp_factors set secret = pending_secret, confirmed_at = now(), last_step = ${step},
      pending_secret = null, pending_at = null
    where user_id = ${userId}`)

/** This browser has shown the new factor. Others have to show it before they change anything that matters. */
const proveSessions = async (transaction: Queryable, { id, user }: Session): Promise<void> => {
  await transaction.run(sql`
    update minaret.sessions set fresh_at = case when id = ${id} then now() end,
      amr = case when id = ${id} then array['pwd', 'otp', 'mfa'] else amr end
    where user_id = ${user.id} and ended_at is null`)
}

export type ConfirmedTotp =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'expired' }
  /** With recovery codes, if the account had none. */
  | { readonly kind: 'confirmed'; readonly codes: readonly string[] | undefined }

/** @throws {Fault} `too_many_requests` */
export const confirmTotp = async (
  services: AccountServices,
  session: Session,
  { typed, visit }: { readonly typed: string; readonly visit: Visit },
): Promise<ConfirmedTotp> => {
  const { database, factors } = services
  const { user } = session
  const account = await findAccount(database, user.id)
  await factors.limit.take('totp', account)
  const outcome = await database.transaction(async (transaction): Promise<ConfirmedTotp> => {
    const locked = await lockAccount(transaction, user.id)
    const secret = await findPending(services, transaction, user.id)
    if (secret === undefined || locked === undefined) return { kind: 'expired' }
    const step = matchTotpStep(secret, typed, factors.clock.now())
    if (step === undefined) return { kind: 'wrong' }
    await store(transaction, user.id, step)
    await proveSessions(transaction, session)
    const codes = await giveRecoveryCodes(services, transaction, user.id)
    await noteFactor(services, transaction, { user, visit, change: 'added' })
    return { kind: 'confirmed', codes }
  })
  if (outcome.kind === 'confirmed') await factors.limit.forget(account)
  return outcome
}

/** With the first factor, unless there are some left. */
export const giveRecoveryCodes = async (
  { factors }: AccountServices,
  transaction: Queryable,
  userId: string,
): Promise<readonly string[] | undefined> =>
  (await countRecoveryCodes(transaction, userId)) > 0
    ? undefined
    : renewRecoveryCodes(transaction, factors.secret, userId)

interface FactorChange {
  readonly user: User
  readonly visit: Visit
  readonly change: 'added' | 'removed'
}

const letters = { added: 'factorAdded', removed: 'factorRemoved' } as const

export const noteFactor = async (
  services: AccountServices,
  transaction: Queryable,
  { user, visit, change }: FactorChange,
): Promise<void> => {
  const action = `account.factor_${change}`
  await recordAccountEvent(transaction, { action, actorId: user.id, userId: user.id, address: visit.address })
  await sendLetter(transaction, services, letters[change], { user, path: '/account/security' })
}

/** Recovery codes and remembered browsers are worth nothing without a factor. */
export const tidyFactors = async (transaction: Queryable, userId: string): Promise<void> => {
  await transaction.run(sql`
    delete from minaret.recovery_codes where user_id = ${userId} and not minaret.has_factor(${userId})`)
  await transaction.run(sql`
    update minaret.devices set remembered_until = null
    where user_id = ${userId} and remembered_until is not null and not minaret.has_factor(${userId})`)
}

export const removeTotp = (services: AccountServices, { user }: Session, visit: Visit): Promise<void> =>
  services.database.transaction(async transaction => {
    await lockAccount(transaction, user.id)
    const removed = await transaction.run(sql`
      delete from minaret.totp_factors where user_id = ${user.id} and confirmed_at is not null`)
    if (removed === 0) return
    await tidyFactors(transaction, user.id)
    await noteFactor(services, transaction, { user, visit, change: 'removed' })
  })
