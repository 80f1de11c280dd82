import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { dateOf, dayNumberAt } from '../../src/base/civil-date.ts'
import { createLogger } from '../../src/base/log.ts'
import { advisoryLocks } from '../../src/db/advisory-locks.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { identifier, sql } from '../../src/db/sql.ts'
import { readEngineVersion } from '../../src/prayer/calculation/engine-version.ts'
import type { Progress } from '../../src/prayer/job/run-job.ts'
import { isWorkDue, runJob } from '../../src/prayer/job/run-job.ts'
import { type PrayerJob, startPrayerJob } from '../../src/prayer/start-prayer-job.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { inThisDatabase } from '../support/locks.ts'
import { insertMasjid } from '../support/masjids.ts'

const log = createLogger('silent')
const start = new Date('2026-03-01T12:00:00Z')
const clock = { moment: start, now: () => clock.moment }
/** Only looking for changed rows can have caused what the test waits for, however busy the machine. */
const NO_REVIEW_MS = 3_600_000
const WITHIN_MS = 180_000
const progress: Progress[] = []
let throwaway: TestDatabase
let opened: Database
let job: PrayerJob
let first: string
let invented: string

const database = (): Database => opened

interface Stored {
  readonly count: number
  readonly first: string
  readonly last: string
  readonly fajr: Date
  readonly changed: string
}

const stored = async (masjid: string, schema = 'public'): Promise<Stored> => {
  const row = await database().first<Stored>(sql`
    select count(*)::int as count, min(date) as first, max(date) as last, max(updated_at)::text as changed,
      max(fajr) filter (where date = '2026-03-01') as fajr
    from ${identifier(schema, 'pc_calculated_times')} where masjid_id = ${masjid}`)
  assert.ok(row)
  return row
}

const until = async (condition: () => Promise<boolean>, withinMs = WITHIN_MS): Promise<void> => {
  const deadline = Date.now() + withinMs
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `not within ${withinMs} ms`)
    await delay(25)
  }
}

before(async () => {
  throwaway = await createTestDatabase()
  opened = openDatabase(throwaway.connection, { poolSize: 12, log })
  first = await insertMasjid(database())
  invented = await insertMasjid(database(), { schema: 'sandbox' })
  job = startPrayerJob({
    database: database(),
    log,
    clock,
    reviewMs: NO_REVIEW_MS,
    onProgress: one => progress.push(one),
  })
  await job.ready
})

after(async () => {
  await job.stop()
  await opened.close()
  await throwaway.drop()
})

test('the first start fills both schemas, from yesterday to 400 days ahead, and reports its progress', async () => {
  for (const [masjid, schema] of [
    [first, 'public'],
    [invented, 'sandbox'],
  ] as const) {
    const times = await stored(masjid, schema)
    assert.ok(times.first <= dateOf(dayNumberAt(start) - 1), times.first)
    assert.ok(times.last >= dateOf(dayNumberAt(start) + 400), times.last)
    assert.equal(times.count, 404)
  }
  assert.deepEqual(
    progress.map(({ schema, done, total }) => [schema, done, total]),
    [
      ['public', 1, 1],
      ['sandbox', 1, 1],
    ],
  )
})

const changes = {
  latitude: sql`latitude = 41.79`,
  longitude: sql`longitude = -87.6`,
  timezone: sql`timezone = 'America/Chicago'`,
  'calculation method': sql`calculation_method = 'Karachi'`,
  madhab: sql`madhab = 'hanafi'`,
  'high-latitude rule': sql`high_latitude_rule = 'twilight_angle'`,
  adjustments: sql`adjustments = '{"fajr": 7}'`,
  'hijri adjustment': sql`hijri_adjustment = 1`,
  'its own angles': sql`calculation_method = 'Other', fajr_angle = 16, isha_minutes = 80`,
}

for (const [name, change] of Object.entries(changes)) {
  test(`a change of ${name} by plain SQL is picked up by looking at the marks`, async () => {
    const masjid = await insertMasjid(database())
    await until(async () => (await stored(masjid)).count === 404)
    const { changed } = await stored(masjid)
    await database().run(sql`update up_masjids set ${change} where id = ${masjid}`)
    await until(async () => (await stored(masjid)).changed > changed)
    const hashes = await database().query(sql`
      select distinct parameters_hash from pc_calculated_times where masjid_id = ${masjid}`)
    assert.equal(hashes.length, 1)
  })
}

test('an irrelevant change leaves the times alone', async () => {
  const { changed } = await stored(first)
  await database().run(sql`update up_masjids set name = 'Larkspur Lane Masjid and Centre' where id = ${first}`)
  await job.settled()
  assert.equal((await stored(first)).changed, changed)
})

test('a deleted masjid has no times, and a restored one has them again', async () => {
  const masjid = await insertMasjid(database())
  await until(async () => (await stored(masjid)).count === 404)
  await database().run(sql`update up_masjids set deleted_at = now() where id = ${masjid}`)
  await until(async () => (await stored(masjid)).count === 0)
  await database().run(sql`update up_masjids set deleted_at = null where id = ${masjid}`)
  await until(async () => (await stored(masjid)).count === 404)
})

test('the next day a day is added, and nothing else is touched', async () => {
  const before = await stored(first)
  clock.moment = new Date('2026-03-02T00:30:00Z')
  await job.settled()
  const times = await stored(first)
  assert.equal(times.count, before.count + 1)
  assert.equal(times.last, dateOf(dayNumberAt(clock.moment) + 401))
  const touched = await database().first<{ count: number }>(sql`
    select count(*)::int as count from pc_calculated_times where masjid_id = ${first} and updated_at > ${before.changed}::timestamptz`)
  assert.equal(touched?.count, 1)
})

test('times of an older engine are recalculated; those of a newer one are kept', async () => {
  const set = async (version: string): Promise<void> => {
    await database().run(sql`update pc_calculated_times set engine_version = ${version} where masjid_id = ${first}`)
    await database().run(sql`update calculation_states set engine_version = ${version} where masjid_id = ${first}`)
    await job.settled()
  }
  const versions = (): Promise<object[]> =>
    database().query(sql`
      select distinct engine_version from pc_calculated_times where masjid_id = ${first} and date >= '2026-03-02'`)
  await set('adhan 4.4.1 r1, tz 2020a, icu 60.0')
  assert.deepEqual(await versions(), [{ engine_version: readEngineVersion() }])
  await set('adhan 99.0.0 r1, tz 2099a, icu 99.0')
  assert.deepEqual(await versions(), [{ engine_version: 'adhan 99.0.0 r1, tz 2099a, icu 99.0' }])
})

test('days long past are deleted', async () => {
  await database().run(sql`
    insert into pc_calculated_times (masjid_id, date, hijri_year, hijri_month, hijri_day, is_ramadan, parameters_hash, engine_version)
    values (${first}, '2026-01-01', 1447, 7, 12, false, '', '')`)
  await runJob({ database: database(), now: clock.moment })
  assert.ok((await stored(first)).first > '2026-01-01')
})

test('one of many processes does the work', async () => {
  await job.settled()
  await database().run(sql`update up_masjids set adjustments = '{"isha": 1}' where id = ${first}`)
  const outcomes = await Promise.all(
    Array.from({ length: 3 }, () => runJob({ database: database(), now: clock.moment })),
  )
  const masjids = outcomes.reduce((sum, outcome) => sum + outcome.masjids, 0)
  // The job of this file may have been quicker than all three.
  assert.ok(masjids <= 1, `${masjids} masjids were written`)
  assert.ok(outcomes.filter(({ busy }) => busy).length >= 1)
  await job.settled()
})

test('an uncommitted change blocks nothing, and is calculated once committed', async () => {
  const other = await insertMasjid(database())
  await job.settled()
  await database().transaction(async transaction => {
    await transaction.run(sql`update up_masjids set madhab = 'hanafi' where id = ${first}`)
    const { changed } = await stored(other)
    await database().run(sql`update up_masjids set madhab = 'hanafi' where id = ${other}`)
    await until(async () => (await stored(other)).changed > changed)
  })
  const { changed } = await stored(first)
  await until(async () => (await stored(first)).changed > changed)
})

test('recalculating by hand takes one statement', async () => {
  await job.settled()
  const revisions = () =>
    database().first<{ revision: number; filled_revision: number }>(sql`
      select revision, filled_revision from calculation_states where masjid_id = ${first}`)
  const { revision } = (await revisions()) ?? { revision: 0 }
  await database().run(sql`update calculation_states set revision = revision + 1 where masjid_id = ${first}`)
  await until(async () => (await revisions())?.filled_revision === revision + 1)
})

test('a masjid inserted with triggers disabled is found by the next review', async () => {
  const stray = await database().transaction(async transaction => {
    await transaction.run(sql`set local session_replication_role = replica`)
    return insertMasjid(transaction)
  })
  const reviewing = startPrayerJob({ database: database(), log, clock, reviewMs: 100 })
  try {
    await until(async () => (await stored(stray)).count > 0)
  } finally {
    await reviewing.stop()
  }
})

interface Watcher {
  readonly pid: number
}

const watchers = (): Promise<Watcher[]> =>
  database().query<Watcher>(sql`
    select pid from pg_locks where locktype = 'advisory' and objid = ${advisoryLocks.prayerWatch} and granted
      and ${inThisDatabase}`)

test('of several processes one looks for changes; if it is lost, another takes over', async () => {
  const others = [1, 2].map(() => startPrayerJob({ database: database(), log, clock, reviewMs: NO_REVIEW_MS }))
  try {
    await Promise.all(others.map(({ ready }) => ready))
    await until(async () => (await watchers()).length === 1)
    const [lost] = await watchers()
    await database().query(sql`select pg_terminate_backend(${lost?.pid}::int)`)
    const masjid = await insertMasjid(database())
    await until(async () => (await stored(masjid)).count === 404)
    await until(async () => (await watchers()).length === 1)
    assert.notEqual((await watchers())[0]?.pid, lost?.pid)
  } finally {
    await Promise.all(others.map(other => other.stop()))
  }
})

test('a stopped job looks no more', async () => {
  const throwawayToo = await createTestDatabase()
  const own = openDatabase(throwawayToo.connection, { poolSize: 4, log })
  try {
    const stopped = startPrayerJob({ database: own, log, clock, lookMs: 10 })
    await stopped.ready
    await stopped.stop()
    await insertMasjid(own)
    await delay(500)
    assert.equal(await isWorkDue(own, clock.moment), true)
  } finally {
    await own.close()
    await throwawayToo.drop()
  }
})
