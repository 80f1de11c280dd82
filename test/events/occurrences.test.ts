// Events → occurrences a year ahead: by the clock or by a prayer, keeping what people changed by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { materialiseEvents } from '../../src/events/materialise-events.ts'
import { runJob } from '../../src/prayer/job/run-job.ts'
import { answer, insertEvent, type TestEvent } from '../support/events.ts'
import { insertRule } from '../support/iqamah.ts'
import { insertMasjid } from '../support/masjids.ts'
import { useDatabase } from '../support/open-database.ts'
import { fillDays } from '../support/prayer-times.ts'

const database = useDatabase()
const now = new Date('2026-03-01T12:00:00Z')
const materialise = async (at = now): Promise<number> =>
  (await materialiseEvents({ database: database(), schema: 'public', now: at })).written

interface Occurrence {
  readonly id: string
  readonly starts_local: string
  readonly starts: string
  readonly minutes: number
  readonly status: string
  readonly capacity: number | null
}

const occurrencesOf = (event: string): Promise<Occurrence[]> =>
  database().query<Occurrence>(sql`
    select id, starts_local::text, to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as starts,
      (extract(epoch from ends_at - starts_at) / 60)::int as minutes, status, capacity
    from up_event_occurrences where event_id = ${event} and deleted_at is null order by starts_at`)

const made = async (given: TestEvent): Promise<{ event: string; occurrences: Occurrence[] }> => {
  const event = await insertEvent(database(), await insertMasjid(database()), given)
  await materialise()
  return { event, occurrences: await occurrencesOf(event) }
}

const weekly = { starts_local: '2026-03-06 19:30', rrule: 'FREQ=WEEKLY;BYDAY=FR' }

test('a weekly event has a year of occurrences, at the same local time across clock changes', async () => {
  const { occurrences } = await made(weekly)
  assert.equal(occurrences.length, 52)
  assert.deepEqual(
    occurrences.slice(0, 2).map(({ starts }) => starts),
    ['2026-03-07 00:30', '2026-03-13 23:30'],
  )
  assert.equal(
    occurrences.find(({ starts_local }) => starts_local.startsWith('2026-11-06'))?.starts,
    '2026-11-07 00:30',
  )
  assert.ok(occurrences.every(({ minutes }) => minutes === 60))
})

test('a local time that a clock change skips or repeats', async () => {
  const { occurrences } = await made({ starts_local: '2026-03-07 02:30', rrule: 'FREQ=DAILY;COUNT=3' })
  assert.deepEqual(
    occurrences.map(({ starts }) => starts),
    ['2026-03-07 07:30', '2026-03-08 07:30', '2026-03-09 06:30'],
  )
  const autumn = await made({ starts_local: '2026-10-31 01:30', rrule: 'FREQ=DAILY;COUNT=3' })
  assert.deepEqual(
    autumn.occurrences.map(({ starts }) => starts),
    ['2026-10-31 05:30', '2026-11-01 05:30', '2026-11-02 06:30'],
  )
})

test('excluded dates have no occurrence', async () => {
  const { occurrences } = await made({ ...weekly, exdates: ['2026-03-13 19:30'] })
  assert.equal(occurrences.length, 51)
  assert.ok(occurrences.every(({ starts_local }) => !starts_local.startsWith('2026-03-13')))
})

test('adding an exception later removes the occurrence, and removing it restores the occurrence with its RSVPs', async () => {
  const { event, occurrences } = await made({ ...weekly, capacity: 10 })
  const second = occurrences[1]
  assert.ok(second)
  await answer(database(), second.id)
  await database().run(sql`update up_events set exdates = array['2026-03-13 19:30'::timestamp] where id = ${event}`)
  await materialise()
  assert.equal((await occurrencesOf(event)).length, 51)
  await database().run(sql`update up_events set exdates = '{}' where id = ${event}`)
  await materialise()
  assert.equal((await occurrencesOf(event))[1]?.id, second.id)
})

test('changing the time keeps each day’s occurrence and its RSVPs', async () => {
  const { event, occurrences } = await made({ ...weekly, capacity: 10 })
  await answer(database(), occurrences[0]?.id ?? '')
  await database().run(
    sql`update up_events set starts_local = '2026-03-06 20:00', duration_minutes = 90 where id = ${event}`,
  )
  await materialise()
  const moved = await occurrencesOf(event)
  assert.deepEqual(
    moved.map(({ id }) => id),
    occurrences.map(({ id }) => id),
  )
  assert.equal(moved[0]?.starts, '2026-03-07 01:00')
  assert.equal(moved[0]?.minutes, 90)
})

test('occurrences moved, cancelled or deleted by hand stay as they are', async () => {
  const { event, occurrences } = await made(weekly)
  const [moved, cancelled, deleted] = occurrences
  await database().run(
    sql`update up_event_occurrences set starts_at = starts_at + interval '1 day', ends_at = ends_at + interval '1 day' where id = ${moved?.id}`,
  )
  await database().run(sql`update up_event_occurrences set status = 'cancelled' where id = ${cancelled?.id}`)
  await database().run(sql`update up_event_occurrences set deleted_at = now() where id = ${deleted?.id}`)
  await database().run(sql`update up_events set duration_minutes = 45 where id = ${event}`)
  await materialise()
  const after = await occurrencesOf(event)
  assert.equal(after.find(({ id }) => id === moved?.id)?.starts, '2026-03-08 00:30')
  assert.equal(after.find(({ id }) => id === cancelled?.id)?.status, 'cancelled')
  assert.equal(after.find(({ id }) => id === cancelled?.id)?.minutes, 45)
  assert.equal(
    after.some(({ id }) => id === deleted?.id),
    false,
  )
})

test('a change of status or capacity applies to future occurrences, except those with their own', async () => {
  const { event, occurrences } = await made({ ...weekly, starts_local: '2026-02-20 19:30', capacity: 20 })
  const [past, own] = [occurrences[0], occurrences[3]]
  await database().run(sql`update up_event_occurrences set capacity = 7, status = 'postponed' where id = ${own?.id}`)
  await database().run(sql`update up_events set status = 'cancelled', capacity = 30 where id = ${event}`)
  await materialise()
  const after = new Map((await occurrencesOf(event)).map(one => [one.id, one]))
  assert.deepEqual([after.get(past?.id ?? '')?.status, after.get(past?.id ?? '')?.capacity], ['scheduled', 20])
  assert.deepEqual([after.get(own?.id ?? '')?.status, after.get(own?.id ?? '')?.capacity], ['postponed', 7])
  const others = [...after.values()].filter(({ id }) => id !== own?.id).slice(2)
  assert.ok(others.every(({ status, capacity }) => status === 'cancelled' && capacity === 30))
})

test('deleting an event deletes all its occurrences', async () => {
  const { event } = await made(weekly)
  await database().run(sql`update up_events set deleted_at = now() where id = ${event}`)
  await materialise()
  assert.deepEqual(await occurrencesOf(event), [])
})

test('past occurrences stay when the rule changes, and none are added to the past', async () => {
  const { event } = await made({ starts_local: '2026-02-06 19:30', rrule: 'FREQ=WEEKLY;BYDAY=FR' })
  await database().run(
    sql`update up_events set starts_local = '2026-02-07 19:30', rrule = 'FREQ=WEEKLY;BYDAY=SA' where id = ${event}`,
  )
  await materialise()
  const days = (await occurrencesOf(event)).map(({ starts_local }) => starts_local.slice(0, 10))
  assert.deepEqual(days.slice(0, 6), [
    '2026-02-06',
    '2026-02-13',
    '2026-02-20',
    '2026-02-27',
    '2026-03-07',
    '2026-03-14',
  ])
})

test('the year ahead stays full as days pass', async () => {
  const { event } = await made({ starts_local: '2026-03-02 08:00', rrule: 'FREQ=DAILY' })
  const last = async () => (await occurrencesOf(event)).at(-1)?.starts_local.slice(0, 10)
  assert.equal(await last(), '2027-03-02')
  await materialise(new Date('2026-03-05T12:00:00Z'))
  assert.equal(await last(), '2027-03-06')
})

test('an invalid rule is reported, and does not affect other events', async () => {
  const masjid = await insertMasjid(database())
  const broken = await insertEvent(database(), masjid, { rrule: 'FREQ=WEEKLY;BYDAY=XX' })
  const sound = await insertEvent(database(), masjid, weekly)
  const faults: string[] = []
  await materialiseEvents({ database: database(), schema: 'public', now, onFault: what => faults.push(what) })
  assert.deepEqual(faults, [`the occurrences of event ${broken}`])
  assert.deepEqual(await occurrencesOf(broken), [])
  assert.equal((await occurrencesOf(sound)).length, 52)
})

test('the job for occurrences yields to requests too: after each batch it asks how long to rest', async () => {
  await insertEvent(database(), await insertMasjid(database()), weekly)
  const worked: number[] = []
  const restFor = (ms: number): number => {
    worked.push(ms)
    return 300
  }
  const started = performance.now()
  await materialiseEvents({ database: database(), schema: 'public', now, restFor })
  assert.equal(worked.length, 1)
  assert.ok(worked.every(ms => ms > 0))
  assert.ok(performance.now() - started >= 300)
})

test('twenty minutes after Isha follows the resolved time of each day, and moves when the rule changes', async () => {
  const masjid = await insertMasjid(database())
  const rule = await insertRule(database(), masjid, { prayer: 'isha', rule: 'fixed', fixed_time: '20:30' })
  await fillDays(database(), { from: '2026-02-27', days: 420 })
  const anchored = {
    starts_local: '2026-03-06 00:00',
    rrule: 'FREQ=WEEKLY;BYDAY=FR',
    anchor_prayer: 'isha',
    anchor_offset: 20,
  }
  const event = await insertEvent(database(), masjid, anchored)
  const untouched = await insertEvent(database(), masjid, weekly)
  await materialise()
  assert.deepEqual(
    (await occurrencesOf(event)).slice(0, 2).map(({ starts }) => starts),
    ['2026-03-07 01:50', '2026-03-14 00:50'],
  )
  await database().run(sql`update pc_iqamah_schedules set fixed_time = '21:00' where id = ${rule}`)
  assert.equal(await materialise(), 1, 'only the event that follows the prayer')
  assert.equal((await occurrencesOf(event))[0]?.starts, '2026-03-07 02:20')
  await database().run(sql`delete from pc_iqamah_schedules where id = ${rule}`)
  await materialise()
  const [first] = await occurrencesOf(event)
  const adhan = await database().first<{ at: string }>(sql`
    select to_char((isha + interval '20 minutes') at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at
    from pc_calculated_times where masjid_id = ${masjid} and date = '2026-03-06'`)
  assert.equal(first?.starts, adhan?.at, 'without an iqamah the adhan counts')
  assert.equal((await occurrencesOf(untouched)).length, 52)
})

test('when a masjid’s times are recalculated, the events that follow them move', async () => {
  const masjid = await insertMasjid(database())
  const anchored = { starts_local: '2026-03-06 00:00', anchor_prayer: 'maghrib', anchor_offset: 5 }
  const event = await insertEvent(database(), masjid, anchored)
  await runJob({ database: database(), now })
  const [before] = await occurrencesOf(event)
  await database().run(sql`update up_masjids set adjustments = '{"maghrib": 10}' where id = ${masjid}`)
  await runJob({ database: database(), now })
  const [after] = await occurrencesOf(event)
  assert.equal(before?.id, after?.id)
  assert.equal((Date.parse(`${after?.starts}Z`) - Date.parse(`${before?.starts}Z`)) / 60_000, 10)
})

test('a Jumu’ah talk has occurrences on Fridays only, whatever its rule says', async () => {
  const masjid = await insertMasjid(database())
  await insertRule(database(), masjid, { prayer: 'jumuah', rule: 'fixed', fixed_time: '13:30' })
  await fillDays(database(), { from: '2026-02-27', days: 420 })
  const daily = {
    starts_local: '2026-03-02 00:00',
    rrule: 'FREQ=DAILY;COUNT=14',
    anchor_prayer: 'jumuah',
    anchor_offset: 15,
  }
  const event = await insertEvent(database(), masjid, daily)
  await materialise()
  assert.deepEqual(
    (await occurrencesOf(event)).map(({ starts }) => starts),
    ['2026-03-06 18:45', '2026-03-13 17:45'],
  )
})
