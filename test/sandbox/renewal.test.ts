import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { openListener } from '../../src/db/listener.ts'
import { sql } from '../../src/db/sql.ts'
import { RENEWED_CHANNEL, readRenewedDay, renewFixtures } from '../../src/sandbox/renew-fixtures.ts'
import { within } from '../support/oauth.ts'
import { useDatabase } from '../support/open-database.ts'

const database = useDatabase()
const monday = new Date('2026-11-16T00:01:00Z')
const tuesday = new Date('2026-11-17T00:01:00Z')

/** What a reader sees in one statement; all of it must be of one day. */
const glance = () =>
  database().first<{
    masjids: number
    gifts: number
    events: number
    answers: number
    newest: string
    until: string
  }>(sql`
    select
      (select count(*)::int from sandbox.up_masjids where deleted_at is null) as masjids,
      (select count(*)::int from sandbox.ua_donations where deleted_at is null) as gifts,
      (select count(*)::int from sandbox.up_events where deleted_at is null) as events,
      (select count(*)::int from sandbox.up_event_rsvps where deleted_at is null) as answers,
      (select max(received_at)::date::text from sandbox.ua_donations where deleted_at is null) as newest,
      (select max(date)::text from sandbox.pc_calculated_times) as until`)

test('the sandbox is filled: rows, times of 400 days, occurrences and RSVPs', async () => {
  assert.equal(await renewFixtures({ database: database(), now: monday }), true)
  const seen = await glance()
  assert.partialDeepStrictEqual(seen ?? {}, { masjids: 140, gifts: 5800, events: 700 })
  assert.ok(Number(seen?.answers) > 100, `${seen?.answers} answers`)
  assert.ok(String(seen?.until) >= '2027-12-21', `times until ${seen?.until}`)
  assert.equal(await readRenewedDay(database()), '2026-11-16')
  const week = await database().first<{ count: number }>(sql`
    select count(*)::int as count from sandbox.up_event_occurrences
    where starts_at between '2026-11-16' and '2026-11-23' and deleted_at is null`)
  assert.ok(Number(week?.count) > 20, `${week?.count} occurrences this week`)
})

test('a second renewal on the same day does nothing, nor does one for an earlier day', async () => {
  assert.equal(await renewFixtures({ database: database(), now: monday }), false)
  assert.equal(await renewFixtures({ database: database(), now: new Date('2026-11-10T12:00:00Z') }), false)
})

test('the next night everything moves by a day atomically, no reader waits, and every process is notified', async context => {
  const listener = await openListener(database().connection, createLogger('silent'))
  context.after(() => listener.close())
  const news: string[] = []
  await listener.on(RENEWED_CHANNEL, day => void news.push(day))
  const before = await glance()
  const renewing = renewFixtures({ database: database(), now: tuesday })
  const seen = new Set<string>()
  let answered = 0
  let done = false
  renewing.finally(() => {
    done = true
  })
  while (!done) {
    seen.add(JSON.stringify(await glance()))
    answered += 1
  }
  assert.equal(await renewing, true)
  const after = await glance()
  assert.notDeepEqual(after, before)
  assert.ok(String(after?.until) > String(before?.until))
  for (const sight of seen)
    assert.ok([JSON.stringify(before), JSON.stringify(after)].includes(sight), `neither day: ${sight}`)
  assert.ok(seen.has(JSON.stringify(before)), 'the old day was seen during the renewal')
  // A reader that waits for the renewal to end is answered once.
  assert.ok(answered > 3, `readers were answered ${answered} times during the renewal`)
  await within(60_000, 'it is announced', () => news.length > 0)
  assert.deepEqual(news, ['2026-11-17'])
})

test('masjids keep their ids from day to day', async () => {
  const all = await database().first<{ count: number }>(sql`select count(*)::int as count from sandbox.up_masjids`)
  assert.equal(all?.count, 140, 'no masjid was added or removed')
})

test('of two processes that renew at once, one does the work and the other finds it done', async () => {
  const wednesday = new Date('2026-11-18T00:01:00Z')
  const outcomes = await Promise.all([1, 2].map(() => renewFixtures({ database: database(), now: wednesday })))
  assert.deepEqual(outcomes.toSorted(), [false, true])
})
