// Five thousand masjids in a hundred cities, with rules, sources, twenty days of times, events and occurrences: generated in SQL, in seconds.
import type { Database } from '../../src/db/database.ts'
import { rawSql } from '../../src/db/sql.ts'

const MASJIDS = 5000

/**
 * City 1 is around 35° N, 78° W; each has fifty masjids within about five kilometres. Every row was written long ago, so that a
 * reader of changes finds only what a test changes. Skipping triggers and foreign keys takes a tenth of the time.
 */
const statements = [
  'set local session_replication_role = replica',
  `insert into up_masjids (slug, name, address, city, state, country, latitude, longitude, timezone, updated_at)
   select 'masjid-' || n, 'Masjid ' || n, n || ' Larkspur Lane', 'City ' || city, 'NC', 'US',
     35 + (city % 10) * 0.5 + sin(n) * 0.04, -78 - (city / 10) * 0.5 + cos(n * 7) * 0.04, 'America/New_York', '2026-01-01'
   from (select n, 1 + n / 50 as city from generate_series(0, ${MASJIDS - 1}) n) numbered`,
  `insert into calculation_states (masjid_id, filled_revision, changed_at) select id, 1, '2026-01-01' from up_masjids`,
  `insert into pc_prayer_sources (masjid_id, kind, label, priority, confidence, last_success_at, updated_at)
   select id, 'manual', 'Entered by the masjid', 20, 0.95, '2026-06-01', '2026-01-01' from up_masjids`,
  `insert into pc_iqamah_schedules (masjid_id, source_id, prayer, rule, offset_minutes, round_to, updated_at)
   select masjid.id, source.id, prayer, 'rounded_offset', 10, 15, '2026-01-01'
   from up_masjids masjid join pc_prayer_sources source on source.masjid_id = masjid.id,
     unnest(array['fajr', 'dhuhr', 'asr', 'maghrib', 'isha']::pc_prayer[]) prayer`,
  `insert into pc_iqamah_schedules (masjid_id, prayer, session, rule, fixed_time, khutbah_minutes, updated_at)
   select id, 'jumuah', session, 'fixed', time '12:45' + session * interval '45 minutes', 20, '2026-01-01'
   from up_masjids, generate_series(1, 2) session`,
  `insert into pc_calculated_times (masjid_id, date, fajr, sunrise, dhuhr, asr, maghrib, isha, hijri_year, hijri_month,
     hijri_day, is_ramadan, parameters_hash, engine_version)
   select masjid.id, day::date, day + interval '8.5 hours', day + interval '10 hours', day + interval '17.3 hours',
     day + interval '21 hours', day + interval '24.5 hours', day + interval '26 hours' + (length(slug) - 8) * interval '10 minutes',
     1448, 1, 1, false, '', ''
   from up_masjids masjid, generate_series(timestamptz '2026-06-15 00:00Z', '2026-06-24 00:00Z', '1 day') day`,
  `insert into up_events (masjid_id, title, starts_local, timezone, updated_at)
   select id, 'Halaqah', '2026-06-20 19:30', 'America/New_York', '2026-01-01' from up_masjids, generate_series(1, 2)`,
  `insert into up_event_occurrences (event_id, masjid_id, starts_local, starts_at, ends_at, updated_at)
   select id, masjid_id, starts_local + n * interval '1 day', timestamptz '2026-06-20 23:30Z' + n * interval '1 day',
     timestamptz '2026-06-21 00:30Z' + n * interval '1 day', '2026-01-01'
   from up_events, generate_series(0, 1) n`,
  // One in twenty has rows of announced times for these days, all others are read from the definition.
  `insert into announced_reach (masjid_id, last_date)
   select id, case when hashtext(slug) % 20 = 0 then date '2026-06-24' else '2026-06-14' end from up_masjids`,
  `insert into announced_times select defined.* from announced_reach join defined_prayer_times defined using (masjid_id)
   where last_date > '2026-06-14'`,
  'analyze',
]

export const loadManyMasjids = (database: Database): Promise<void> =>
  database.transaction(async transaction => {
    for (const statement of statements) await transaction.run(rawSql(statement))
  })
