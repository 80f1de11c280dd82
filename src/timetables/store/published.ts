// The timetables that a masjid published, for its staff: with who did it.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { TimetableEntry } from '../read/read-timetable.ts'

export interface PublishedTimetable {
  readonly id: string
  readonly kind: 'days' | 'rules'
  readonly name: string
  readonly state: 'published' | 'replaced' | 'undone'
  readonly firstDate: string
  readonly lastDate: string
  readonly count: number
  readonly publishedAt: Date
  readonly publishedBy: string | null
  readonly undoneAt: Date | null
  readonly fromSource: boolean
}

const MOST_LISTED = 30

export const listTimetables = (queryable: Queryable, masjidId: string): Promise<PublishedTimetable[]> =>
  queryable.query<PublishedTimetable>(sql`
    select timetable.id, timetable.kind, timetable.name, timetable.state, first_date as "firstDate", last_date as "lastDate",
      entry_count as count, published_at as "publishedAt", person.name as "publishedBy", undone_at as "undoneAt",
      source_id is not null as "fromSource"
    from public.pc_timetables timetable left join minaret.users person on person.id = timetable.published_by
    where masjid_id = ${masjidId} order by layer desc limit ${MOST_LISTED}`)

export const findTimetable = async (
  queryable: Queryable,
  masjidId: string,
  id: string,
): Promise<PublishedTimetable | undefined> => (await listTimetables(queryable, masjidId)).find(one => one.id === id)

/** Those that stand, and that no rule gives yet. */
export const readStandingDays = async (queryable: Queryable, timetableId: string): Promise<TimetableEntry[]> => {
  const rows = await queryable.query<
    Omit<TimetableEntry, 'adhan' | 'iqamah'> & { readonly adhan: string | null; readonly iqamah: string | null }
  >(sql`
    select date, prayer, session, to_char(adhan, 'HH24:MI') as adhan, to_char(iqamah, 'HH24:MI') as iqamah
    from public.pc_timetable_days
    where timetable_id = ${timetableId} and in_force and by_rule is null order by date, prayer, session`)
  return rows.map(({ adhan, iqamah, ...row }) => ({
    ...row,
    ...(adhan === null ? {} : { adhan }),
    ...(iqamah === null ? {} : { iqamah }),
  }))
}
