// An e-mail address that was given up a few days ago → whether it is kept for its account, which can still take it back.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { emailKey } from './email-rules.ts'

/** Whether it is kept for another account than this one; the database refuses it in any case. */
export const isKeptEmail = async (database: Queryable, email: string, userId?: string): Promise<boolean> => {
  const row = await database.first(sql`
    select id from minaret.email_changes
    where lower(old_email) = ${emailKey(email)} and user_id is distinct from ${userId ?? null}::uuid
      and confirmed_at is not null and undone_at is null and undo_expires_at > now() limit 1`)
  return row !== undefined
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

/** Whether the database refused an address: another account has it, or it is kept for one (migration 0065). */
export const isEmailConflict = (error: unknown): boolean => codeOf(error) === '23505' || codeOf(error) === 'MN004'
