// An email address that was given up recently → whether it is still reserved for its account, which can undo the change.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { emailKey } from './email-rules.ts'

/** Whether it is reserved for another account; the database refuses it in any case. */
export const isKeptEmail = async (database: Queryable, email: string, userId?: string): Promise<boolean> => {
  const row = await database.first(sql`
    select id from minaret.email_changes
    where lower(old_email) = ${emailKey(email)} and user_id is distinct from ${userId ?? null}::uuid
      and confirmed_at is not null and undone_at is null and undo_expires_at > now() limit 1`)
  return row !== undefined
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

/** Whether the database refused an address: another account has it, or it is reserved for one (migration 0065). */
export const isEmailConflict = (error: unknown): boolean => codeOf(error) === '23505' || codeOf(error) === 'MN004'
