// People → when each last signed in, as the audit log tells.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** Only those who signed in for as long as the audit log is kept. */
export const lastSignIns = async (queryable: Queryable, userIds: readonly string[]): Promise<Map<string, Date>> => {
  const rows = await queryable.query<{ id: string; at: Date }>(sql`
    select person.id, latest.at from unnest(${userIds}::uuid[]) as person (id)
      cross join lateral (select max(l.at) as at from minaret.audit_log l
        where l.user_id = person.id and l.action = 'account.signed_in') as latest
    where latest.at is not null`)
  return new Map(rows.map(({ id, at }) => [id, at]))
}
