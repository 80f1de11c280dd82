import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identifier, sql } from '../../src/db/sql.ts'
import { generateFixtures } from '../../src/fixtures/generate-fixtures.ts'
import { loadFixtures } from '../../src/fixtures/load-fixtures.ts'
import { loadRsvps } from '../../src/fixtures/load-rsvps.ts'
import { insertRow, useDatabase } from './use-database.ts'

const today = '2026-03-08'
const model = useDatabase(owner => loadFixtures(owner, { schema: 'public', seed: 7, today }))

const count = async (table: string, schema = 'public'): Promise<number> => {
  const row = await model().owner.first<{ count: string }>(sql`
    select count(*) from ${identifier(schema, table)} stored where to_jsonb(stored) ->> 'deleted_at' is null`)
  return Number(row?.count)
}
/** Changes when any row of the table is written. */
const versions = (table: string) =>
  model().owner.first(sql`select md5(string_agg(xmin::text, ',' order by id)) as state from ${identifier(table)}`)

test('every generated row is in the database', async () => {
  for (const { name, rows } of generateFixtures({ seed: 7, today }).tables)
    assert.equal(await count(name), rows.length, name)
})

test('loading again on the same day writes nothing', async () => {
  const states = () => Promise.all(['ua_donations', 'pc_timetables', 'pc_timetable_days'].map(versions))
  const before = await states()
  await loadFixtures(model().owner, { schema: 'public', seed: 7, today })
  assert.deepEqual(await states(), before)
})

test('every day of an invented timetable stands', async () => {
  const down = await model().owner.query(sql`select id from pc_timetable_days where not in_force limit 3`)
  assert.deepEqual(down, [])
})

test('the total of each campaign is the sum of its gifts', async () => {
  const wrong = await model().owner.query(sql`
    select ledger.campaign_id from campaign_ledgers ledger
    where raised_minor <> (
      select coalesce(sum(amount_minor - refunded_minor), 0) from ua_donations
      where campaign_id = ledger.campaign_id and status in ('succeeded', 'refunded'))`)
  assert.deepEqual(wrong, [])
  const row = await model().owner.first<{ sum: string }>(sql`select sum(raised_minor) from campaign_ledgers`)
  assert.ok(Number(row?.sum) > 0)
})

test('the next day, or another seed, replaces fixtures and keeps rows written by others', async () => {
  const { owner } = model()
  const masjid = await owner.first<{ id: string }>(sql`select id from up_masjids where slug = 'larkspur-lane-masjid'`)
  const times = { starts_local: '2026-05-01T10:00:00', timezone: 'UTC' }
  const own = await insertRow(owner, 'up_events', { masjid_id: masjid?.id, title: 'Somebody’s own', ...times })
  await loadFixtures(owner, { schema: 'public', seed: 7, today: '2026-03-09' })
  await loadFixtures(owner, { schema: 'public', seed: 8, today: '2026-03-09' })
  assert.equal(await count('up_masjids'), 140)
  assert.equal(await count('up_events'), 701)
  assert.deepEqual(await owner.first(sql`select title from up_events where id = ${own}`), { title: 'Somebody’s own' })
  await loadFixtures(owner, { schema: 'public', seed: 7, today })
  assert.equal(await count('ua_members'), 2300)
})

test('demo accounts are linked to an administrator and to a member with gifts', async () => {
  const users = { admin: '30000000-0000-4000-8000-000000000001', member: '30000000-0000-4000-8000-000000000002' }
  await loadFixtures(model().owner, { schema: 'public', seed: 7, today, users })
  const rows = await model().owner.query(sql`
    select user_id, role, (select count(*)::int from ua_donations where member_id = ua_members.id) >= 12 as gifts
    from ua_members where user_id is not null order by user_id`)
  assert.equal(rows.length, 2)
  assert.partialDeepStrictEqual(rows[0] ?? {}, { user_id: users.admin, role: 'admin' })
  assert.deepEqual(rows[1], { user_id: users.member, role: 'member', gifts: true })
})

test('RSVPs are added once the occurrences exist', async () => {
  const { owner } = model()
  await owner.run(sql`
    insert into up_event_occurrences (event_id, masjid_id, starts_local, starts_at, ends_at, capacity)
    select id, masjid_id, ${today}::timestamp, ${today}::date + interval '3 days', ${today}::date + interval '4 days', capacity
    from up_events where deleted_at is null`)
  await loadRsvps(owner, { schema: 'public', seed: 7, today })
  const answers = await count('up_event_rsvps')
  assert.ok(answers > 100, String(answers))
  await loadRsvps(owner, { schema: 'public', seed: 7, today })
  assert.equal(await count('up_event_rsvps'), answers)
})
