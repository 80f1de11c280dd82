// Versions and words of the tables that may be written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { useDatabase } from './use-database.ts'
import { fillWritingActors, memberOf, place, rows } from './writing-actors.ts'

const model = useDatabase(fillWritingActors)
const event = rows.a[place.up_events] ?? ''

const versionOf = async (id: string): Promise<number> =>
  Number((await model().owner.first<{ version: string }>(sql`select version from up_events where id = ${id}`))?.version)

test('rises with every update, by SQL and upserts too', async () => {
  const { owner } = model()
  const before = await versionOf(event)
  await owner.run(sql`update up_events set title = 'other' where id = ${event}`)
  await owner.run(sql`update up_events set title = title, version = 1 where id = ${event}`)
  await owner.run(sql`
    insert into up_events (id, masjid_id, title, starts_local, timezone)
    select id, masjid_id, 'third', starts_local, timezone from up_events where id = ${event}
    on conflict (id) do update set title = excluded.title`)
  assert.equal(await versionOf(event), before + 3)
})

test('an answer does not raise the version of its event', async () => {
  const { owner } = model()
  const before = await versionOf(event)
  await owner.run(sql`
    insert into up_event_rsvps (occurrence_id, member_id) values (${rows.a[place.up_event_occurrences]}, ${memberOf('member')})`)
  const counted = await owner.first<{ going_count: number }>(sql`select going_count from up_events where id = ${event}`)
  assert.equal(counted?.going_count, 2)
  assert.equal(await versionOf(event), before)
})

test('the id of a row never changes', async () => {
  await assert.rejects(model().owner.run(sql`update up_events set id = gen_random_uuid() where id = ${event}`), {
    constraint: 'up_events_id_check',
  })
})

test('every writable table has a version', async () => {
  assert.deepEqual(
    await model().owner.query(sql`
      select oid::regclass::text as name from pg_class
      where relnamespace in ('public'::regnamespace, 'sandbox'::regnamespace)
        and obj_description(oid, 'pg_class') ~ '(^|\n)@writable' and not exists (
          select from pg_attribute where attrelid = pg_class.oid and col_description(attrelid, attnum) ~ '(^|\n)@version')`),
    [],
  )
})

test('every rule of a writable table explains itself', async () => {
  assert.deepEqual(
    await model().owner.query(sql`
      select conname as name from pg_constraint rule
      where connamespace in ('public'::regnamespace, 'sandbox'::regnamespace) and contype in ('c', 'u', 'f', 'x', 'p') and conrelid <> 0
        and obj_description(conrelid, 'pg_class') ~ '(^|\n)@writable'
        and trim(regexp_replace(coalesce(obj_description(rule.oid, 'pg_constraint'), ''), '^(@[^\n]*(\n|$))*', '')) = ''`),
    [],
  )
})
