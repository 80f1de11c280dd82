// A sign-in with a browser, or from a network, that the person has not used lately → a mail, in case it was not them.
import { networkOf } from '../../base/ip-address.ts'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type AccountServices, sendLetter } from '../account-services.ts'
import type { Visit } from '../sessions.ts'
import { readUserAgent } from '../user-agent.ts'
import { findUserById } from '../users.ts'

/** Browsers update themselves, so only their names count. */
const browserOf = (userAgent: string | null | undefined): string | undefined => {
  const known = readUserAgent(userAgent ?? '')
  return known && `${known.browser} ${known.system}`
}

interface Earlier {
  readonly address: string | null
  readonly user_agent: string | null
}

/** Sessions are kept for a month after their end. The first browser of an account is new to nobody. */
const isNew = (earlier: readonly Earlier[], { address, userAgent }: Visit): boolean => {
  if (!earlier.some(session => browserOf(session.user_agent) !== undefined)) return false
  return !earlier.some(
    session =>
      browserOf(session.user_agent) === browserOf(userAgent) &&
      networkOf(session.address ?? undefined) === networkOf(address),
  )
}

export const selectEarlier = (userId: string): Sql => sql`
  select distinct address, user_agent from minaret.sessions where user_id = ${userId} limit 500`

/** Before the new session is there. */
export const tellOfNewDevice = async (
  services: Pick<AccountServices, 'baseUrl'>,
  transaction: Queryable,
  { userId, visit, unusual = false }: { readonly userId: string; readonly visit: Visit; readonly unusual?: boolean },
): Promise<void> => {
  const earlier = await transaction.query<Earlier>(selectEarlier(userId))
  if (!unusual && !isNew(earlier, visit)) return
  const user = await findUserById(transaction, userId)
  const kind = unusual ? 'unusualSignIn' : 'newDevice'
  if (user !== undefined) await sendLetter(transaction, services, kind, { user, path: '/account/sessions' })
}

/** A cookie that has moved to another browser was copied: it is not the browser that was remembered. */
export const isSameBrowser = (remembered: string | null, visit: Visit): boolean =>
  browserOf(remembered) === browserOf(visit.userAgent)
