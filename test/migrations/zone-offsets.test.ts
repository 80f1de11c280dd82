// When time zone rules change: who stores them, what moves with them, and what does not.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { createLogger } from '../../src/base/log.ts'
import { openDatabase } from '../../src/db/database.ts'
import { withClient } from '../../src/db/with-client.ts'
import { fillZoneOffsets } from '../../src/db/zone-offsets/fill-zone-offsets.ts'
import { runtimeRules } from '../../src/db/zone-offsets/stored-rules.ts'
import { materialiseEvents } from '../../src/events/materialise-events.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const ZONE = 'Asia/Karachi'
const log = createLogger('silent')
let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

const run = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => withClient(database.connection, work)
const rowsOf = async (text: string): Promise<unknown[]> => (await run(client => client.query(text))).rows

/** As if other rules were stored: by so many seconds otherwise than the runtime's from now on. */
const storeOther = (seconds: number, rules: string | null) =>
  run(client =>
    client.query(
      `update zone_offsets set rules = $2, clock = row('{-infinity,2026-01-01}'::timestamptz[], '{-infinity,2026-01-01}'::timestamp[],
         array[18000, 18000 + $1::int])::zone_clock where zone = '${ZONE}'`,
      [seconds, rules],
    ),
  )

const storedRules = async () =>
  (await rowsOf(`select distinct rules from zone_offsets where zone = '${ZONE}'`)) as { rules: string | null }[]

const materialise = async (): Promise<void> => {
  const opened = openDatabase(database.connection, { poolSize: 2, log })
  await materialiseEvents({ database: opened, schema: 'public', now: new Date() })
  await opened.close()
}

const localTimes = () =>
  rowsOf(`
    select 'planned' as what, local_time(publish_at, '${ZONE}') - date_trunc('day', local_time(publish_at, '${ZONE}')) as clock from pc_iqamah_changes
    union all select 'announced', local_time(starts_at, '${ZONE}')::time::interval from up_announcements where starts_at > now()
    union all select 'until', local_time(ends_at, '${ZONE}')::time::interval from up_announcements where starts_at > now()
    union all select title || ' ' || edited_by_hand, local_time(starts_at, '${ZONE}')::time::interval from up_event_occurrences occurrence
      join up_events event on event.id = event_id where starts_at between now() + interval '20 days' and now() + interval '27 days'
    order by 1`)

const past = () =>
  rowsOf(`select starts_at from up_announcements where starts_at < now()
    union all select starts_at from up_event_occurrences where starts_at < now() order by 1`)

test('the runtime with the newest rules stores them, whichever starts last', async () => {
  await storeOther(60, '2020a.1')
  await run(client => fillZoneOffsets(client, log, '2019z.1'))
  assert.deepEqual(await storedRules(), [{ rules: '2020a.1' }], 'other zones have newer rules, so nothing is stored')
  await run(client => client.query(`update zone_offsets set rules = '2020a.1'`))
  await run(client => fillZoneOffsets(client, log))
  assert.deepEqual(await storedRules(), [{ rules: runtimeRules() }])
  await run(client => fillZoneOffsets(client, log, '2999a.1'))
  await run(client => fillZoneOffsets(client, log))
  assert.deepEqual(await storedRules(), [{ rules: '2999a.1' }])
  await run(client => client.query(`update zone_offsets set rules = '2020a.1'`))
})

test('what is to come keeps its time on the clock, what has been stays', async () => {
  await run(async client => {
    const { rows } = await client.query<{
      id: string
    }>(`insert into up_masjids (slug, name, address, city, country, latitude, longitude, timezone)
      values ('here', 'Here', '1 Lane', 'Karachi', 'PK', 24.86, 67, '${ZONE}') returning id`)
    const id = String(rows[0]?.id)
    const at = (days: number, clock: string) =>
      `local_instant(date_trunc('day', now() + interval '${days} days')::timestamp + time '${clock}', '${ZONE}')`
    await client.query(`insert into up_announcements (masjid_id, texts, starts_at, ends_at) values
      ('${id}', '{"en": {"title": "Soon"}}', ${at(5, '13:30')}, ${at(6, '18:00')}),
      ('${id}', '{"en": {"title": "Over"}}', ${at(-5, '13:30')}, ${at(-4, '18:00')})`)
    await client.query(`insert into pc_iqamah_changes (masjid_id, prayer, session, first_on, rule, fixed_time, publish_at, status)
      values ('${id}', 'dhuhr', 1, current_date + 9, 'fixed', '13:30', ${at(8, '09:00')}, 'planned')`)
    await client.query(`insert into up_events (masjid_id, title, starts_local, timezone, rrule) values
      ('${id}', 'Moved', date_trunc('day', now() - interval '30 days') + time '19:30', '${ZONE}', 'FREQ=WEEKLY'),
      ('${id}', 'Weekly', date_trunc('day', now() - interval '30 days') + time '10:45', '${ZONE}', 'FREQ=WEEKLY')`)
  })
  await materialise()
  await rowsOf(`update up_event_occurrences set starts_at = starts_at + interval '15 minutes', ends_at = ends_at + interval '15 minutes'
    where event_id = (select id from up_events where title = 'Moved') and starts_at > now()`)
  const [before, were] = [await localTimes(), await past()]
  assert.equal(before.length, 5)
  await storeOther(3600, '2998a.1')
  await materialise()
  assert.deepEqual(await localTimes(), before)
  assert.deepEqual(await past(), were)
  const logged = (await rowsOf(
    `select distinct table_name from changes.log where at > now() - interval '1 minute'`,
  )) as {
    table_name: string
  }[]
  for (const table of ['zone_offsets', 'up_announcements', 'pc_iqamah_changes', 'up_event_occurrences'])
    assert.ok(
      logged.some(({ table_name }) => table_name === `public.${table}`),
      table,
    )
})

test('the offsets of the server, which hold until the first start, move nothing that people gave as an instant', async () => {
  await storeOther(0, null)
  await materialise()
  const given = () =>
    rowsOf(`select starts_at, ends_at from up_announcements union all select publish_at, null from pc_iqamah_changes
      union all select starts_at, ends_at from up_event_occurrences where edited_by_hand order by 1, 2`)
  const were = await given()
  await storeOther(3600, '2998a.1')
  await materialise()
  assert.deepEqual(await given(), were)
  const weekly =
    await rowsOf(`select distinct local_time(starts_at, '${ZONE}')::time::text as clock from up_event_occurrences
    where event_id = (select id from up_events where title = 'Weekly') and starts_at > now()`)
  assert.deepEqual(weekly, [{ clock: '10:45:00' }])
})

test('until the first start, zones in use have the offsets of the server', async () => {
  const migration = readFileSync(new URL('../../migrations/data/0510_zone_offsets.sql', import.meta.url), 'utf8')
  const zones = [
    'Europe/London',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'America/Edmonton',
    'Africa/Cairo',
    'Pacific/Chatham',
  ]
  await rowsOf(`insert into up_events (masjid_id, title, starts_local, timezone)
    select id, 'There', now(), unnest('{${zones}}'::text[]) from up_masjids limit 6`)
  await rowsOf('delete from zone_offsets')
  await rowsOf(/^with used as[\s\S]*?;$/m.exec(migration)?.[0] ?? '')
  const stored = await rowsOf('select zone, rules from zone_offsets order by zone')
  assert.deepEqual(
    stored,
    [...zones, ZONE].sort().map(zone => ({ zone, rules: null })),
  )
  const differing = await rowsOf(`
    select zone, at from zone_offsets, generate_series(now() - interval '300 days', now() + interval '900 days', interval '45 minutes') at
    where local_time(at, clock) <> at at time zone zone limit 5`)
  assert.deepEqual(differing, [])
  await run(client => fillZoneOffsets(client, log))
  assert.deepEqual(await storedRules(), [{ rules: runtimeRules() }])
})
