// Capacity of an occurrence: never exceeded, with a waiting list that moves up and correct counts under concurrency.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { answer, insertOccurrence } from '../support/events.ts'
import { insertMasjid } from '../support/masjids.ts'
import { useDatabase } from '../support/open-database.ts'

const database = useDatabase()

/** Fifty separate connections, for real concurrency. */
const withCrowd = async (work: (crowd: Database) => Promise<void>): Promise<void> => {
  const crowd = openDatabase(database().connection, { poolSize: 50, log: createLogger('silent') })
  await work(crowd).finally(() => crowd.close())
}

const room = async (capacity: number | null): Promise<string> =>
  insertOccurrence(database(), await insertMasjid(database()), capacity)

interface Counts {
  readonly going: number
  readonly waiting: number
  readonly of_event: number
}

const counts = async (occurrence: string): Promise<Counts> => {
  const row = await database().first<Counts>(sql`
    select occurrence.going_count as going, occurrence.waitlisted_count as waiting, event.going_count as of_event
    from up_event_occurrences occurrence join up_events event on event.id = occurrence.event_id
    where occurrence.id = ${occurrence}`)
  assert.ok(row)
  return row
}

const statusOf = async (id: string): Promise<string | undefined> =>
  (await database().first<{ status: string }>(sql`select status from up_event_rsvps where id = ${id}`))?.status

test('fifty concurrent RSVPs for the last five places: five get a place, forty-five wait', () =>
  withCrowd(async crowd => {
    const occurrence = await room(25)
    for (let index = 0; index < 20; index += 1) await answer(database(), occurrence)
    const answers = await Promise.all(Array.from({ length: 50 }, () => answer(crowd, occurrence)))
    assert.equal(answers.filter(({ status }) => status === 'going').length, 5)
    assert.equal(answers.filter(({ status }) => status === 'waitlisted').length, 45)
    assert.deepEqual(await counts(occurrence), { going: 25, waiting: 45, of_event: 25 })
  }))

test('fifty concurrent RSVPs and fifty withdrawals leave correct counts', () =>
  withCrowd(async crowd => {
    const occurrence = await room(30)
    const before = await Promise.all(Array.from({ length: 50 }, () => answer(crowd, occurrence)))
    await Promise.all([
      ...before.map(({ id }) => crowd.run(sql`update up_event_rsvps set status = 'declined' where id = ${id}`)),
      ...Array.from({ length: 50 }, () => answer(crowd, occurrence)),
    ])
    const rows = await database().query<{ status: string; count: number }>(sql`
      select status, sum(party_size)::int as count from up_event_rsvps where occurrence_id = ${occurrence} group by 1`)
    const found = Object.fromEntries(rows.map(({ status, count }) => [status, count]))
    assert.equal(found.declined, 50)
    assert.equal(found.going, 30)
    assert.equal(found.waitlisted, 20)
    assert.deepEqual(await counts(occurrence), { going: 30, waiting: 20, of_event: 30 })
  }))

test('RSVPs while event and occurrence change cause no deadlock', () =>
  withCrowd(async crowd => {
    const occurrence = await room(10)
    const change = (column: 'events' | 'occurrences') =>
      column === 'events'
        ? sql`update up_events set description = description || '.', status = 'postponed'
          where id = (select event_id from up_event_occurrences where id = ${occurrence})`
        : sql`update up_event_occurrences set capacity = capacity + 1 where id = ${occurrence}`
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => [
        answer(crowd, occurrence),
        crowd.run(change(index % 2 === 0 ? 'events' : 'occurrences')),
      ]).flat(),
    )
    assert.deepEqual(await counts(occurrence), { going: 20, waiting: 0, of_event: 20 })
  }))

test('a withdrawal makes room for whoever has waited longest', async () => {
  const occurrence = await room(1)
  const [first, second, third] = [
    await answer(database(), occurrence),
    await answer(database(), occurrence),
    await answer(database(), occurrence),
  ]
  assert.deepEqual([first.status, second.status, third.status], ['going', 'waitlisted', 'waitlisted'])
  await database().run(sql`update up_event_rsvps set status = 'declined' where id = ${first.id}`)
  assert.equal(await statusOf(second.id), 'going')
  assert.equal(await statusOf(third.id), 'waitlisted')
  await database().run(sql`delete from up_event_rsvps where id = ${second.id}`)
  assert.equal(await statusOf(third.id), 'going')
  await database().run(sql`update up_event_rsvps set deleted_at = now() where id = ${third.id}`)
  assert.deepEqual(await counts(occurrence), { going: 0, waiting: 0, of_event: 0 })
})

test('whoever comes back goes to the end of the waiting list', async () => {
  const occurrence = await room(1)
  const holder = await answer(database(), occurrence)
  const first = await answer(database(), occurrence)
  const second = await answer(database(), occurrence)
  await database().run(sql`update up_event_rsvps set status = 'declined' where id = ${first.id}`)
  await database().run(sql`update up_event_rsvps set status = 'going' where id = ${first.id}`)
  assert.equal(await statusOf(first.id), 'waitlisted')
  await database().run(sql`update up_event_rsvps set status = 'declined' where id = ${holder.id}`)
  assert.equal(await statusOf(second.id), 'going')
  assert.equal(await statusOf(first.id), 'waitlisted')
})

test('a party that is too large is passed over and keeps its position', async () => {
  const occurrence = await room(4)
  const four = await answer(database(), occurrence, 4)
  const large = await answer(database(), occurrence, 3)
  const small = await answer(database(), occurrence, 1)
  await database().run(sql`update up_event_rsvps set party_size = 2 where id = ${four.id}`)
  assert.equal(await statusOf(large.id), 'waitlisted')
  assert.equal(await statusOf(small.id), 'going')
  assert.deepEqual(await counts(occurrence), { going: 3, waiting: 3, of_event: 3 })
  await database().run(sql`update up_event_rsvps set status = 'declined' where id = ${four.id}`)
  assert.equal(await statusOf(large.id), 'going')
})

test('a party that has its places cannot grow beyond the capacity', async () => {
  const occurrence = await room(3)
  const two = await answer(database(), occurrence, 2)
  await answer(database(), occurrence, 1)
  await assert.rejects(
    database().run(sql`update up_event_rsvps set party_size = 3 where id = ${two.id}`),
    /not enough places/,
  )
  assert.equal((await counts(occurrence)).going, 3)
})

test('many RSVPs in one statement respect the capacity too', async () => {
  const occurrence = await room(3)
  await database().run(sql`
    insert into up_event_rsvps (occurrence_id, guest_name, guest_email)
    select ${occurrence}, 'Sample Guest', 'guest' || n || '@example.org' from generate_series(1, 8) n`)
  assert.deepEqual(await counts(occurrence), { going: 3, waiting: 5, of_event: 3 })
})

test('more places: the waiting list moves up; fewer: nobody loses a place', async () => {
  const occurrence = await room(2)
  for (let index = 0; index < 5; index += 1) await answer(database(), occurrence)
  await database().run(sql`update up_event_occurrences set capacity = 4 where id = ${occurrence}`)
  assert.deepEqual(await counts(occurrence), { going: 4, waiting: 1, of_event: 4 })
  await database().run(sql`update up_event_occurrences set capacity = 1 where id = ${occurrence}`)
  assert.deepEqual(await counts(occurrence), { going: 4, waiting: 1, of_event: 4 })
  await database().run(sql`update up_event_occurrences set capacity = null where id = ${occurrence}`)
  assert.deepEqual(await counts(occurrence), { going: 5, waiting: 0, of_event: 5 })
})

test('at a cancelled occurrence nobody moves up', async () => {
  const occurrence = await room(1)
  const first = await answer(database(), occurrence)
  const second = await answer(database(), occurrence)
  await database().run(sql`update up_event_occurrences set status = 'cancelled' where id = ${occurrence}`)
  await database().run(sql`update up_event_rsvps set status = 'declined' where id = ${first.id}`)
  assert.equal(await statusOf(second.id), 'waitlisted')
  await database().run(sql`update up_event_occurrences set status = 'scheduled' where id = ${occurrence}`)
  assert.equal(await statusOf(second.id), 'going')
})

test('maybe and declined take no place; attended does', async () => {
  const occurrence = await room(1)
  const { id } = await answer(database(), occurrence)
  await database().run(sql`update up_event_rsvps set status = 'maybe' where id = ${id}`)
  assert.equal((await counts(occurrence)).going, 0)
  await database().run(sql`update up_event_rsvps set status = 'attended' where id = ${id}`)
  assert.equal((await counts(occurrence)).going, 1)
  assert.equal((await answer(database(), occurrence)).status, 'waitlisted')
})

test('a deleted occurrence no longer counts for its event, and a restored one counts again', async () => {
  const occurrence = await room(5)
  await answer(database(), occurrence, 3)
  await database().run(sql`update up_event_occurrences set deleted_at = now() where id = ${occurrence}`)
  assert.equal((await counts(occurrence)).of_event, 0)
  await database().run(sql`update up_event_occurrences set deleted_at = null where id = ${occurrence}`)
  assert.equal((await counts(occurrence)).of_event, 3)
  const event = await database().first<{ event_id: string }>(sql`
    delete from up_event_occurrences where id = ${occurrence} returning event_id`)
  const row = await database().first<{ going_count: number }>(sql`
    select going_count from up_events where id = ${event?.event_id}`)
  assert.equal(row?.going_count, 0)
})

test('an RSVP moved to another occurrence frees its place for the next', async () => {
  const [one, other] = [await room(1), await room(1)]
  const first = await answer(database(), one)
  const second = await answer(database(), one)
  await database().run(sql`
    update up_event_rsvps set occurrence_id = ${other}, masjid_id = (
      select masjid_id from up_event_occurrences where id = ${other}) where id = ${first.id}`)
  assert.equal(await statusOf(second.id), 'going')
  assert.deepEqual(await counts(one), { going: 1, waiting: 0, of_event: 1 })
  assert.deepEqual(await counts(other), { going: 1, waiting: 0, of_event: 1 })
})
