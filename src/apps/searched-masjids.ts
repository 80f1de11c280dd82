// Words that somebody typed → rows of the masjids they may mean, with their place: some hundreds at most, however large the directory.
import { hasIdOrSlug } from '../db/id-or-slug.ts'
import { type Sql, sql } from '../db/sql.ts'

/** The one of that id or slug comes first. `offset 0` keeps PostgreSQL from reading the whole directory for those few. */
export const searchedMasjids = (words: string): Sql => sql`
  select masjid.*, found.place from (
    select masjid_id, min(place) as place from (
      select id as masjid_id, 0 as place from public.up_masjids where ${hasIdOrSlug(words)}
      union all
      select masjid_id, place from public.found_masjids(${words}, null, null)
    ) searched group by masjid_id
  ) found
  cross join lateral (
    select * from public.up_masjids where id = found.masjid_id and deleted_at is null offset 0
  ) masjid`
