// What an account has besides its password.
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { type AccountServices, sendLetter } from '../account-services.ts'
import type { Session, Visit } from '../sessions.ts'
import { lockAccount } from './account-lock.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'

export interface FactorState {
  /** Since when there is an authenticator app. */
  readonly appSince: Date | undefined
  readonly recoveryCodes: number
}

export const readFactorState = async (database: Queryable, userId: string): Promise<FactorState> => {
  const row = await database.first<{ app_since: Date | null; codes: number }>(sql`
    select (select confirmed_at from minaret.totp_factors where user_id = ${userId}) as app_since,
      (select count(*)::int from minaret.recovery_codes where user_id = ${userId} and used_at is null) as codes`)
  return { appSince: row?.app_since ?? undefined, recoveryCodes: row?.codes ?? 0 }
}

export const hasFactor = async (database: Queryable, userId: string): Promise<boolean> => {
  const row = await database.first<{ has: boolean }>(sql`select minaret.has_factor(${userId}) as has`)
  return row?.has === true
}

/** Undefined if the account has no factor to recover. */
export const replaceRecoveryCodes = (
  services: AccountServices,
  { user }: Session,
  visit: Visit,
): Promise<readonly string[] | undefined> =>
  services.database.transaction(async transaction => {
    await lockAccount(transaction, user.id)
    if (!(await hasFactor(transaction, user.id))) return undefined
    const codes = await renewRecoveryCodes(transaction, services.factors.secret, user.id)
    const action = 'account.recovery_codes_renewed'
    await recordAccountEvent(transaction, { action, actorId: user.id, userId: user.id, address: visit.address })
    await sendLetter(transaction, services, 'recoveryRenewed', { user, path: '/account/security' })
    return codes
  })
