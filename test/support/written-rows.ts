// Rows of the audit trail of writing, as the triggers would have written them: many of them, quickly, all in one transaction.
import type { Queryable } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'

export interface WrittenRows {
  readonly count: number
  readonly table?: string
  readonly kind?: 'insert' | 'update' | 'delete' | 'restore'
  readonly record?: string
  readonly masjidId?: string
  readonly userId?: string
  readonly appId?: string
  readonly title?: string
  /** The same for all rows, as in one transaction. */
  readonly at?: Date
}

export const writeRows = async (database: Queryable, wish: WrittenRows): Promise<void> => {
  const { kind = 'update', title = 'Salam' } = wish
  const [before, after] = [
    { title: 'Welcome', seats: null },
    { title, seats: 40 },
  ]
  await database.run(sql`
    insert into public.written_rows (at, table_name, record_key, masjid_id, kind, changed_columns, old_values, new_values,
      user_id, app_id, request_id, authority, database_user)
    select coalesce(${wish.at ?? null}::timestamptz, now()), ${wish.table ?? 'up_signs'},
      coalesce(${wish.record ?? null}::text, gen_random_uuid()::text), ${wish.masjidId ?? null}::uuid, ${kind},
      '{title,seats,phone}', ${kind === 'insert' ? null : JSON.stringify(before)}::jsonb,
      ${kind === 'delete' ? null : JSON.stringify(after)}::jsonb, ${wish.userId ?? null}::uuid, ${wish.appId ?? null}::uuid,
      'request-1', 'themselves', 'minaret'
    from generate_series(1, ${wish.count})`)
}
