// What a careful developer would write by hand over the same view: one statement each, whose JSON PostgreSQL makes.

const asOne = (rows: string): string =>
  `select json_build_object('rows', coalesce(json_agg(found), '[]'))::text from (${rows}) found`

export const day = asOne(`
  select prayer, session, label, adhan_at, iqamah_at from pc_prayer_times where masjid_id = $1 and date = $2 order by adhan_at`)

export const month = asOne(`
  select date, prayer, session, label, adhan_at, iqamah_at from pc_prayer_times
  where masjid_id = $1 and date between $2 and $3 order by date, adhan_at`)

export const next = asOne(`
  select prayer, session, adhan_at, iqamah_at from pc_prayer_times
  where masjid_id = $1 and date >= $2 order by adhan_at limit 100`)

const masjidsWith = (times: string): string =>
  asOne(`
  select id, name, city, (select coalesce(json_agg(times), '[]') from (${times}) times) as times
  from up_masjids masjid where city = $1 and deleted_at is null order by name limit 25`)

export const list = masjidsWith(`
  select prayer, session, adhan_at, iqamah_at from pc_prayer_times
  where masjid_id = masjid.id and date = $2 order by adhan_at`)

export const jumuah = masjidsWith(`
  select session, label, khutbah_at, iqamah_at from pc_prayer_times
  where masjid_id = masjid.id and date = $2 and prayer = 'jumuah' order by session`)
