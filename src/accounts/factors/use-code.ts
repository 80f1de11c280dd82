// A typed code → used up, if it is right: a code of the authenticator app, or a recovery code.
import { unseal } from '../../base/seal.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { type AccountServices, sendLetter } from '../account-services.ts'
import { findUserById } from '../users.ts'
import type { CodeKind } from './limit-codes.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { totpName } from './sealing.ts'
import { matchTotpStep } from './totp.ts'

export interface TypedCode {
  readonly kind: CodeKind
  readonly typed: string
}

/** RFC 6238 section 5.2: "The verifier MUST NOT accept the second attempt of the OTP". */
const useTotpCode = async (
  { factors }: AccountServices,
  transaction: Queryable,
  { userId, typed }: { readonly userId: string; readonly typed: string },
): Promise<boolean> => {
  const row = await transaction.first<{ secret: Buffer }>(sql`
    select secret from minaret.totp_factors where user_id = ${userId} and confirmed_at is not null`)
  if (row === undefined) return false
  const secret = unseal(row.secret, { name: totpName(userId), secret: factors.secret })
  const step = matchTotpStep(secret, typed, factors.clock.now())
  if (step === undefined) return false
  const used = await transaction.run(sql`
    update minaret.totp_factors set last_step = ${step} where user_id = ${userId} and last_step < ${step}`)
  return used > 0
}

const tellOfRecovery = async (services: AccountServices, transaction: Queryable, userId: string): Promise<void> => {
  const user = await findUserById(transaction, userId)
  if (user !== undefined) await sendLetter(transaction, services, 'recoveryUsed', { user, path: '/account/security' })
}

export const useCode = async (
  services: AccountServices,
  transaction: Queryable,
  { userId, kind, typed }: TypedCode & { readonly userId: string },
): Promise<boolean> => {
  if (kind === 'totp') return useTotpCode(services, transaction, { userId, typed })
  const used = await useRecoveryCode(transaction, services.factors.secret, { userId, typed })
  if (used) await tellOfRecovery(services, transaction, userId)
  return used
}
