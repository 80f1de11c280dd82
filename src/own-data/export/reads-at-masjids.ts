// A person → which apps read tables with people at the person's masjids, by day: reads that may have included their rows. Which
// rows an app was sent is not recorded.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Person } from '../person.ts'
import { type ExportedRow, type ExportedSource, MOST_ROWS } from './exported-table.ts'

const columns = ['day', 'app', 'table', 'reads', 'rows'] as const

const readSums = (queryable: Queryable, { userId, memberIds }: Person): Promise<ExportedRow[]> =>
  queryable.query<ExportedRow>(sql`
    with own as (select distinct masjid_id from public.ua_members where id = any (${memberIds}::uuid[])),
    staff as (
      select distinct member.user_id from public.ua_members member join own using (masjid_id)
      where member.role in ('board', 'admin') and member.user_id is not null and member.user_id <> ${userId})
    select to_char(read.at at time zone 'UTC', 'YYYY-MM-DD') as day, app.name as app, read.table_name as table,
      count(*)::integer as reads, sum(read.row_count)::float8 as rows
    from minaret.read_log read join minaret.apps app on app.id = read.app_id
    where exists (select from own)
      and (read.user_id is null or read.user_id in (select user_id from staff))
      and (app.all_masjids or exists (
        select from minaret.app_masjids reach join own using (masjid_id) where reach.app_id = app.id))
    group by 1, 2, 3 order by 1, 2, 3 limit ${MOST_ROWS}`)

export const readsAtMasjids = (queryable: Queryable, person: Person): ExportedSource => ({
  name: 'reads_at_your_masjids',
  columns,
  read: async function* () {
    const rows = await readSums(queryable, person)
    if (rows.length > 0) yield rows
  },
})
