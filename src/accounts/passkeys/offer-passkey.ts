// Whether somebody who has just signed in is offered a passkey: not with one, nor after they wanted no more offers.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { AccountServices } from '../account-services.ts'
import { isFresh } from '../factors/step-up.ts'
import type { Session } from '../sessions.ts'

/** Only within minutes of the sign-in: then a passkey can be added without showing again who it is. */
export const isPasskeyOffered = async (
  { database, passkeys }: Pick<AccountServices, 'database' | 'passkeys'>,
  session: Session,
): Promise<boolean> => {
  if (passkeys.party === undefined || !isFresh(session, 'reading')) return false
  const row = await database.first<{ offered: boolean }>(sql`
    select passkey_offer_ended_at is null and not exists (
      select from minaret.passkeys where passkeys.user_id = users.id) as offered
    from minaret.users where id = ${session.user.id}`)
  return row?.offered === true
}

/** For good. */
export const endPasskeyOffer = (database: Queryable, userId: string): Promise<number> =>
  database.run(sql`
    update minaret.users set passkey_offer_ended_at = now() where id = ${userId} and passkey_offer_ended_at is null`)
