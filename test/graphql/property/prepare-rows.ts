// A running Minaret → one with a few masjids of the demo data and all that belongs to them, some of it deleted, and a key that can read it all.
import pg from 'pg'
import { dataScopes } from '../../../src/access/scopes.ts'
import { advisoryLocks } from '../../../src/db/advisory-locks.ts'
import type { Database } from '../../../src/db/database.ts'
import { rawSql, sql } from '../../../src/db/sql.ts'
import { generateFixtures } from '../../../src/fixtures/generate-fixtures.ts'
import { upsertRows } from '../../../src/fixtures/load-fixtures.ts'
import { loadRsvps } from '../../../src/fixtures/load-rsvps.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import type { TestMinaret } from '../../support/minaret.ts'
import { addSpecimens } from './specimens.ts'

const TODAY = '2026-03-01'
const MASJIDS = 8
const MOST_ROWS = 300

const isLong = (table: string): boolean => ['ua_donations', 'pc_timetable_days'].includes(table)

const loadFew = async (database: Database): Promise<string[]> => {
  const { tables } = generateFixtures({ today: TODAY })
  const masjids = (tables.find(({ name }) => name === 'up_masjids')?.rows ?? []).slice(0, MASJIDS).map(({ id }) => id)
  for (const { name, rows } of tables) {
    const kept = rows.filter(row => {
      if (name === 'up_masjids') return masjids.includes(row.id)
      return !('masjid_id' in row) || masjids.includes(String(row.masjid_id))
    })
    await upsertRows(database, { schema: 'public', name }, isLong(name) ? kept.slice(0, MOST_ROWS) : kept)
  }
  // Others are hidden by a policy.
  await database.run(sql`update public.pc_timetable_days set in_force = true`)
  return masjids
}

/** Pauses the background job that writes times and occurrences, so that the rows are the same in every run. */
const holdJob = async ({ databaseUrl }: TestMinaret): Promise<() => Promise<void>> => {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query('select pg_advisory_lock($1)', [advisoryLocks.prayerJob])
  return () => client.end()
}

const times = [
  `insert into public.pc_calculated_times (id, masjid_id, date, fajr, sunrise, dhuhr, asr, maghrib, isha, midnight, last_third,
     hijri_year, hijri_month, hijri_day, is_ramadan, parameters_hash, engine_version)
   select md5(m.id::text || n)::uuid, m.id, date '2026-02-16' + n, case when n % 5 > 0 then at + interval '5 hours' end,
     at + interval '6 hours 12 minutes', at + interval '12 hours', at + interval '15 hours 7 minutes', at + interval '18 hours',
     case when n % 4 > 0 then at + interval '19 hours 30 minutes' end, null, null, 1447, 8 + n / 4, 1 + n % 4, n / 4 = 1, 'p' || n % 3, 'test'
   from public.up_masjids m, generate_series(0, 9) n, lateral (select (date '2026-02-16' + n)::timestamp at time zone m.timezone as at) t`,
  `insert into public.up_event_occurrences (id, event_id, masjid_id, starts_local, starts_at, ends_at, status, capacity)
   select md5(e.id::text || n)::uuid, e.id, e.masjid_id, e.starts_local + n * interval '7 days',
     (timestamp '2026-02-25 18:00' + n * interval '7 days') at time zone e.timezone,
     (timestamp '2026-02-25 18:00' + n * interval '7 days') at time zone e.timezone + make_interval(mins => e.duration_minutes),
     e.status, e.capacity
   from public.up_events e, generate_series(0, 4) n`,
]

const deletions = [
  `update public.up_entities set deleted_at = now() where id in (select id from public.up_entities order by id limit 20)`,
  `update public.up_masjids set deleted_at = now() where id in (select id from public.up_masjids order by id limit 1)`,
  `update public.up_events set deleted_at = now() where id in (select id from public.up_events order by id limit 6)`,
  `update public.pc_iqamah_schedules set deleted_at = now() where id in (select id from public.pc_iqamah_schedules order by id limit 5)`,
  `update public.ua_members set deleted_at = now() where id in (select id from public.ua_members order by id limit 10)`,
]

export interface PreparedRows {
  readonly key: string
  /** Resumes the background job. */
  release(): Promise<void>
}

export const prepareRows = async (minaret: TestMinaret): Promise<PreparedRows> => {
  const { database } = minaret.service
  const release = await holdJob(minaret)
  const masjids = await loadFew(database)
  for (const statement of times) await database.run(rawSql(statement))
  await loadRsvps(database, { schema: 'public', today: TODAY })
  for (const statement of deletions) await database.run(rawSql(statement))
  await addSpecimens(database)
  await database.run(rawSql('analyze'))
  const app = await makeApp(database, { scopes: dataScopes, masjids: { only: '*', own: masjids } })
  return { key: (await makeKey(database, { appId: app.id, scopes: dataScopes })).key, release }
}
