// Some of the masjids → with rules for their iqamahs, and their announced times as rows. Added after the calculated times are there, so
// that timing those measures nothing else.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Bench } from '../bench-frame.ts'
import { connect } from './connect.ts'
import { cityCount, type Sizes } from './tables.ts'

/** All masjids of these cities: 250 of them. Rows of all would take gigabytes, and say nothing else. */
const ANNOUNCING_CITIES = 10

export const announcingCities = (sizes: Sizes): readonly number[] =>
  Array.from({ length: Math.min(ANNOUNCING_CITIES, cityCount(sizes)) }, (_, city) => city)

/** Numbers of the masjids of a city. */
export const masjidsOfCity = (sizes: Sizes, city: number): readonly number[] =>
  Array.from({ length: sizes.masjids }, (_, index) => index + 1).filter(number => number % cityCount(sizes) === city)

/** As masjids usually have them, with two sessions of Jumu'ah, and their own rules in Ramadan. */
const addRules = (sizes: Sizes): string => `
insert into pc_iqamah_schedules (masjid_id, prayer, session, label, rule, fixed_time, offset_minutes, round_to, khutbah_minutes, season, priority)
select md5('masjid' || n)::uuid, prayer::pc_prayer, session, label, rule::pc_iqamah_rule, fixed_time::time, offset_minutes, round_to,
  khutbah_minutes, season::pc_season, priority
from generate_series(1, ${sizes.masjids}) n, (values
  ('fajr', 1, null, 'rounded_offset', null, 20, 15, null, 'all_year', 0),
  ('dhuhr', 1, null, 'rounded_offset', null, 10, 15, null, 'all_year', 0),
  ('asr', 1, null, 'rounded_offset', null, 10, 15, null, 'all_year', 0),
  ('maghrib', 1, null, 'offset', null, 5, null, null, 'all_year', 0),
  ('isha', 1, null, 'rounded_offset', null, 10, 15, null, 'all_year', 0),
  ('isha', 1, null, 'offset', null, 15, null, null, 'ramadan', 5),
  ('taraweeh', 1, null, 'offset', null, 30, null, null, 'ramadan', 0),
  ('jumuah', 1, 'First Jumu’ah', 'fixed', '13:30', null, null, 25, 'all_year', 0),
  ('jumuah', 2, 'Second Jumu’ah', 'fixed', '14:30', null, null, 25, 'all_year', 0)
) rule(prayer, session, label, rule, fixed_time, offset_minutes, round_to, khutbah_minutes, season, priority)
where n % ${cityCount(sizes)} < ${ANNOUNCING_CITIES}
  and not exists (select from pc_iqamah_schedules known where known.masjid_id = md5('masjid' || n)::uuid)`

const WAITING = `
select (select count(*) from outdated_times)::int as marked,
  (select count(distinct masjid_id) from pc_iqamah_schedules where masjid_id not in (select masjid_id from announced_reach))::int as missing`

const POLL_MS = 500
const DEADLINE_MS = 600_000

const untilRows = async ({ progress }: Bench, client: pg.Client): Promise<void> => {
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    const { rows } = await client.query<{ marked: number; missing: number }>(WAITING)
    const left = (rows[0]?.marked ?? 0) + (rows[0]?.missing ?? 0)
    if (left === 0) return
    if (Date.now() > deadline) throw new Error('The announced times were not kept as rows within ten minutes.')
    progress.step(`waiting for announced times, ${rows[0]?.missing} masjids to go`)
    await delay(POLL_MS)
  }
}

/** While a service runs, whose job keeps the rows. */
export const announceTimes = async (bench: Bench): Promise<void> => {
  const client = await connect(bench.database)
  try {
    await client.query('set search_path = public, extensions')
    const { rowCount } = await client.query(addRules(bench.sizes))
    await untilRows(bench, client)
    if (rowCount !== 0)
      await client.query('vacuum analyze announced_times, announced_reach, outdated_times, pc_iqamah_schedules')
  } finally {
    await client.end()
  }
}
