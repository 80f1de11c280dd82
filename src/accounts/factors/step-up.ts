// Somebody who is signed in shows again who they are, before something that matters.
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { AccountServices } from '../account-services.ts'
import { checkCurrentPassword, lockWithPassword } from '../current-password.ts'
import type { Session, Visit } from '../sessions.ts'
import { findAccount, lockAccount } from './account-lock.ts'
import { hasFactor } from './factor-state.ts'
import { type TypedCode, useCode } from './use-code.ts'

/** A page opened in time can still be sent some minutes later. */
const FRESH_SECONDS = { reading: 600, sending: 900 } as const

export const isFresh = ({ secondsSinceProof }: Session, doing: keyof typeof FRESH_SECONDS): boolean =>
  secondsSinceProof <= FRESH_SECONDS[doing]

export const markFresh = (transaction: Queryable, sessionId: string, amr: readonly string[]): Promise<number> =>
  transaction.run(sql`
    update minaret.sessions set fresh_at = now(), amr = array(select distinct unnest(amr || ${amr}::text[]))
    where id = ${sessionId} and ended_at is null`)

const noteRefused = ({ database }: AccountServices, { user }: Session, { address }: Visit): Promise<void> =>
  recordAccountEvent(database, { action: 'account.code_refused', actorId: user.id, userId: user.id, address })

/** @throws {Fault} `too_many_requests` */
export const stepUpWithCode = async (
  services: AccountServices,
  session: Session,
  { code, visit }: { readonly code: TypedCode; readonly visit: Visit },
): Promise<boolean> => {
  const { database, factors } = services
  const { id: userId } = session.user
  const account = await findAccount(database, userId)
  await factors.limit.take(code.kind, account)
  const passed = await database.transaction(async transaction => {
    if ((await lockAccount(transaction, userId)) === undefined) return false
    if (!(await useCode(services, transaction, { userId, ...code }))) return false
    return (await markFresh(transaction, session.id, ['otp', 'mfa'])) > 0
  })
  await (passed ? factors.limit.forget(account) : noteRefused(services, session, visit))
  return passed
}

/** For accounts without a second factor. @throws {Fault} `too_many_requests` */
export const stepUpWithPassword = async (
  services: AccountServices,
  session: Session,
  typed: string,
): Promise<boolean> => {
  const { user } = session
  const current = await checkCurrentPassword(services, user.id, typed)
  if (current.fault !== undefined) return false
  return services.database.transaction(async transaction => {
    if (!(await lockWithPassword(transaction, user.id, current.hash))) return false
    return !(await hasFactor(transaction, user.id)) && (await markFresh(transaction, session.id, ['pwd'])) > 0
  })
}
