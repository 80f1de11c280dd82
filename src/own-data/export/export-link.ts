// A wish to download one's data → a link that works once, for an hour, in the browser that asked.
import type { AccountServices } from '../../accounts/account-services.ts'
import { linkExpired } from '../../accounts/mail-tokens.ts'
import type { Session } from '../../accounts/sessions.ts'
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import { randomToken, sha256 } from '../../base/secrets.ts'
import { sql } from '../../db/sql.ts'

interface Asking {
  readonly session: Session
  readonly address: string
}

/** @throws {Fault} `too_many_requests` */
export const createExportLink = async (
  { database, limits }: AccountServices,
  { session: { id, user }, address }: Asking,
): Promise<string> => {
  limits.exportPerUser.take(user.id)
  const token = randomToken(32)
  await database.transaction(async transaction => {
    await transaction.run(sql`
      insert into minaret.data_exports (token_hash, user_id, session_id) values (${sha256(token)}, ${user.id}, ${id})`)
    const action = 'account.export_asked'
    await recordAccountEvent(transaction, { action, actorId: user.id, userId: user.id, address })
  })
  return token
}

/** @throws {Fault} `link_expired`, also for somebody else's link */
export const takeExportLink = async (
  { database }: AccountServices,
  token: string,
  { session: { id, user }, address }: Asking,
): Promise<void> =>
  database.transaction(async transaction => {
    const taken = await transaction.run(sql`
      update minaret.data_exports set used_at = now()
      where token_hash = ${sha256(token)} and user_id = ${user.id} and session_id = ${id}
        and used_at is null and expires_at > now()`)
    if (taken === 0) throw linkExpired()
    const action = 'account.exported'
    await recordAccountEvent(transaction, { action, actorId: user.id, userId: user.id, address })
  })
