// Accounts at other providers that belong to an account here: found, linked after proof of both, and unlinked.
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { type AccountServices, sendLetter } from '../account-services.ts'
import { lockAccount } from '../factors/account-lock.ts'
import type { Session, Visit } from '../sessions.ts'
import type { User } from '../users.ts'
import { keepsAnotherWayIn } from '../ways-in.ts'
import type { Identity } from './identity.ts'

export interface LinkedIdentity {
  readonly id: string
  readonly provider: string
  readonly email: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export const listIdentities = (database: Queryable, userId: string): Promise<LinkedIdentity[]> =>
  database.query<LinkedIdentity>(sql`
    select id, provider, email, created_at as "createdAt", last_used_at as "lastUsedAt"
    from minaret.linked_identities where user_id = ${userId} order by created_at, id`)

/** Whose it is; notes the use. Issuer and subject decide, and nothing else. */
export const useIdentity = async (
  transaction: Queryable,
  { issuer, subject }: Identity,
): Promise<string | undefined> => {
  const row = await transaction.first<{ user_id: string }>(sql`
    update minaret.linked_identities set last_used_at = now()
    where issuer = ${issuer} and subject = ${subject} returning user_id`)
  return row?.user_id
}

/** More than anybody has accounts. */
const MOST_IDENTITIES = 20

/** False if it is linked already, here or to another account, or there are too many. */
const insert = async (transaction: Queryable, userId: string, identity: Identity): Promise<boolean> => {
  const { provider, issuer, subject, email } = identity
  const inserted = await transaction.run(sql`
    insert into minaret.linked_identities (user_id, provider, issuer, subject, email, last_used_at)
    select ${userId}, ${provider.name}, ${issuer}, ${subject}, ${email ?? null}, now()
    where (select count(*) from minaret.linked_identities where user_id = ${userId}) < ${MOST_IDENTITIES}
    on conflict (issuer, subject) do nothing`)
  return inserted > 0
}

interface Linking {
  readonly user: User
  readonly identity: Identity
  readonly visit: Visit
}

/** In the transaction of whoever has shown that both accounts are theirs. */
export const link = async (
  services: AccountServices,
  transaction: Queryable,
  { user, identity, visit }: Linking,
): Promise<boolean> => {
  if (!(await insert(transaction, user.id, identity))) return false
  const action = 'account.provider_linked'
  await recordAccountEvent(transaction, { action, actorId: user.id, userId: user.id, address: visit.address })
  const { label: provider } = identity.provider
  await sendLetter(transaction, services, 'providerLinked', { user, path: '/account/security', provider })
  return true
}

/** The person is signed in here, freshly, and has just signed in there. False if somebody has linked it already. */
export const linkIdentity = (
  services: AccountServices,
  { user }: Session,
  { identity, visit }: { readonly identity: Identity; readonly visit: Visit },
): Promise<boolean> =>
  services.database.transaction(
    async transaction =>
      (await lockAccount(transaction, user.id)) !== undefined &&
      ((await link(services, transaction, { user, identity, visit })) ||
        (await useIdentity(transaction, identity)) === user.id),
  )

export interface Unlinking {
  readonly id: string
  /** For the mail. */
  readonly provider: string
  readonly visit: Visit
}

/** Only one's own, and never the last way in. False if it stays, or there is none. */
export const unlinkIdentity = (
  services: AccountServices,
  { user }: Session,
  { id, provider, visit }: Unlinking,
): Promise<boolean> =>
  services.database.transaction(async transaction => {
    const account = await lockAccount(transaction, user.id)
    const removed = await transaction.run(sql`
      delete from minaret.linked_identities where id = ${id} and user_id = ${user.id}
        and ${keepsAnotherWayIn(account, { userId: user.id, id })}`)
    if (removed === 0) return false
    const action = 'account.provider_unlinked'
    await recordAccountEvent(transaction, { action, actorId: user.id, userId: user.id, address: visit.address })
    await sendLetter(transaction, services, 'providerUnlinked', { user, path: '/account/security', provider })
    return true
  })
