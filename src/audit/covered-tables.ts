// Capabilities → the audited tables that they cover, as the comments of the database say (`@capability events`).
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** How times are calculated is part of the masjid's own row. */
export const tablesCoveredBy = async (queryable: Queryable, capabilities: readonly string[]): Promise<string[]> => {
  const rows = await queryable.query<{ name: string }>(sql`
    select distinct relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
    where tgfoid = 'public.note_writing'::regproc and relnamespace = 'public'::regnamespace
      and (substring(obj_description(pg_class.oid, 'pg_class') from '(?:^|\n)@capability[ ]+([a-z]+)') = any(${capabilities}::text[])
        or relname = 'up_masjids' and 'times' = any(${capabilities}::text[]))
    order by 1`)
  return rows.map(({ name }) => name)
}
