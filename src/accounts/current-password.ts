// The typed current password → the hash it matches, so that a later step can check that the hash is still current.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { AccountServices } from './account-services.ts'
import { verifyPassword } from './password.ts'

export type CurrentPasswordFault = 'password_wrong' | 'password_missing'

export type CurrentPassword =
  | { readonly hash: string; readonly fault?: undefined }
  | { readonly fault: CurrentPasswordFault }

/** @throws {Fault} `too_many_requests` */
export const checkCurrentPassword = async (
  { database, limits }: AccountServices,
  userId: string,
  password: string,
): Promise<CurrentPassword> => {
  if (password === '') return { fault: 'password_missing' }
  limits.passwordPerUser.take(userId)
  const row = await database.first<{ password_hash: string | null }>(
    sql`select password_hash from minaret.users where id = ${userId}`,
  )
  const hash = row?.password_hash ?? undefined
  if (!(await verifyPassword(hash, { password, turnOf: userId })) || hash === undefined)
    return { fault: 'password_wrong' }
  limits.passwordPerUser.forget(userId)
  return { hash }
}

/**
 * Locks the account. False if the password was replaced, or the account disabled, during the check: a request made with
 * the old password must not succeed after that.
 */
export const lockWithPassword = async (transaction: Queryable, userId: string, hash: string): Promise<boolean> => {
  const row = await transaction.first(sql`
    select id from minaret.users
    where id = ${userId} and password_hash = ${hash} and disabled_at is null for no key update`)
  return row !== undefined
}
