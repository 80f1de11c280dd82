// A lost phone and no recovery codes: somebody else removes the factors of an account. Its owner is told, and signs in again.
import { recordAudit } from '../../audit/record-audit.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { type AccountServices, sendLetter } from '../account-services.ts'
import { type AboutUser, refuseOneself } from '../administer.ts'
import { endSessions } from '../sessions.ts'
import { findUserById } from '../users.ts'
import { lockAccount } from './account-lock.ts'
import { tidyFactors } from './authenticator-app.ts'

/** @returns whether there were any. @throws {Fault} `forbidden` for one's own account */
export const resetFactors = (
  services: Pick<AccountServices, 'baseUrl'> & { readonly database: Database },
  input: AboutUser,
): Promise<boolean> =>
  services.database.transaction(async transaction => {
    refuseOneself(input)
    const { userId, actor } = input
    await lockAccount(transaction, userId)
    const user = await findUserById(transaction, userId)
    const apps = await transaction.run(sql`delete from minaret.totp_factors where user_id = ${userId}`)
    const passkeys = await transaction.run(sql`delete from minaret.passkeys where user_id = ${userId}`)
    if (apps + passkeys === 0 || user === undefined) return false
    await tidyFactors(transaction, userId)
    await transaction.run(sql`delete from minaret.sign_in_challenges where user_id = ${userId}`)
    await endSessions(transaction, userId)
    await recordAudit(transaction, { action: 'user.factors_reset', actor, userId })
    await sendLetter(transaction, services, 'factorsReset', { user, path: '/account/security' })
    return true
  })
