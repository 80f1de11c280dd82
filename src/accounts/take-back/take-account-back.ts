// An account that somebody else was in → no sessions, tokens and remembered browsers, and what it added, replaced or granted in the
// last 30 days is suspended until its owner says what was theirs. PostgreSQL does it: migrations/identity/0402_take_back.sql.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

/** Before anything else in its transaction that writes what it suspends. Nothing is removed for good. */
export const takeAccountBack = (transaction: Queryable, userId: string): Promise<unknown> =>
  transaction.query(sql`select minaret.take_account_back(${userId})`)
