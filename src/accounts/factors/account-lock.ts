// Locks an account while its factors are read or changed, so that of two requests at once the second sees what the first did.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Account } from './limit-codes.ts'

/** Undefined if the account is disabled or gone. */
export const lockAccount = async (transaction: Queryable, userId: string): Promise<Account | undefined> => {
  const row = await transaction.first<{ password_hash: string | null }>(sql`
    select password_hash from minaret.users where id = ${userId} and disabled_at is null for no key update`)
  return row && { userId, passwordHash: row.password_hash }
}

/** For the count of attempts, which must not be undone with the transaction. */
export const findAccount = async (database: Queryable, userId: string): Promise<Account> => {
  const row = await database.first<{ password_hash: string | null }>(sql`
    select password_hash from minaret.users where id = ${userId}`)
  return { userId, passwordHash: row?.password_hash ?? null }
}
