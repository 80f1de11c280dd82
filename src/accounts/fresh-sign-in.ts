// Before something that a stolen session must not do → a sign-in of the last minutes, or the password again.
import { sql } from '../db/sql.ts'
import type { AccountServices } from './account-services.ts'
import { type CurrentPasswordFault, checkCurrentPassword } from './current-password.ts'
import type { Session } from './sessions.ts'

const FRESH_MS = 5 * 60_000

export const isFresh = ({ authTime }: Pick<Session, 'authTime'>, now = Date.now()): boolean =>
  now - authTime.getTime() < FRESH_MS

/** @returns what is wrong with the typed password; undefined if it is right, or not needed. @throws {Fault} `too_many_requests` */
export const requireFreshSignIn = async (
  services: AccountServices,
  session: Session,
  password: string,
): Promise<CurrentPasswordFault | undefined> => {
  if (isFresh(session)) return undefined
  const { fault } = await checkCurrentPassword(services, session.user.id, password)
  if (fault !== undefined) return fault
  await services.database.run(sql`update minaret.sessions set auth_time = now() where id = ${session.id}`)
  return undefined
}
