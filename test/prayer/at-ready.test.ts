// Times exist as soon as the service is ready, in both schemas; the 400 days follow.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { readConfig } from '../../src/config/config.ts'
import { advisoryLocks } from '../../src/db/advisory-locks.ts'
import type { Database } from '../../src/db/database.ts'
import { identifier, sql } from '../../src/db/sql.ts'
import { loadFixtures } from '../../src/fixtures/load-fixtures.ts'
import { ensureNearestTimes } from '../../src/prayer/job/nearest-times.ts'
import { runJob } from '../../src/prayer/job/run-job.ts'
import { type Service, startService } from '../../src/service/start-service.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { insertMasjid } from '../support/masjids.ts'
import { patient, TEST_SECRET } from '../support/minaret.ts'
import { useDatabase } from '../support/open-database.ts'
import { untilReady } from '../support/process.ts'
import { ask } from '../support/sandbox.ts'

const now = new Date()
const today = now.toISOString().slice(0, 10)
const progress: string[] = []
let throwaway: TestDatabase
let service: Service

const database = useDatabase()

before(async () => {
  throwaway = await createTestDatabase()
  const config = readConfig({
    PORT: '0',
    SANDBOX_PORT: '0',
    DATABASE_URL: throwaway.url,
    MINARET_SECRET: TEST_SECRET,
    DEMO_DATA: 'on',
    LOG_LEVEL: 'silent',
    ...patient,
  })
  service = await startService({ config, log: createLogger('silent'), onProgress: text => progress.push(text) })
})

after(async () => {
  await service.stop()
  await throwaway.drop()
})

/** The number of masjids with times on that day. */
const countDays = async (from: Database, schema: string, date: string): Promise<number> => {
  const row = await from.first<{ count: number }>(sql`
    select count(distinct masjid_id)::int as count from ${identifier(schema, 'pc_calculated_times')} where date = ${date}`)
  return row?.count ?? 0
}

const dayFrom = (days: number): string => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)

test('a first start is ready when every masjid has times for the next days, in the sandbox too', async () => {
  await untilReady(service.baseUrl)
  for (const schema of ['public', 'sandbox'])
    for (const days of [-1, 0, 1, 7])
      assert.equal(await countDays(service.database, schema, dayFrom(days)), 140, schema)
  assert.ok(progress.includes('Calculating the prayer times of the next days'), progress.join(', '))
})

test('a query sent right away returns rows', async () => {
  const response = await fetch(`${service.sandboxUrl}/v1/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      query: `{ pc_prayer_times(where: {date: {_eq: "${today}"}, prayer: {_eq: isha}}, limit: 100) { adhan_at } }`,
    }),
  })
  const { data } = (await response.json()) as { data: { pc_prayer_times: object[] } }
  assert.equal(data.pc_prayer_times.length, 100)
})

test('the gallery of the explorer has rows at once, events of this week among them', async () => {
  const { exampleQueries } = await import('../../src/site/explorer/example-queries.ts')
  for (const { name, query } of exampleQueries(today).filter(({ needsKey }) => !needsKey)) {
    const { data } = await ask(service.sandboxUrl, { query: query.replace(/^subscription/m, 'query') })
    for (const rows of Object.values(data ?? {})) assert.ok((rows as unknown[]).length > 0, name)
  }
})

test('the nearest days are calculated first for all masjids, with the same result for the rest', async () => {
  await loadFixtures(database(), { schema: 'public', today })
  assert.equal(await ensureNearestTimes({ database: database(), schema: 'public', now }), true)
  assert.equal(await countDays(database(), 'public', dayFrom(8)), 140)
  assert.equal(await countDays(database(), 'public', dayFrom(9)), 0)
  await runJob({ database: database(), now })
  const rows = await database().first<{ masjids: number; days: number; hashes: number }>(sql`
    select count(distinct masjid_id)::int as masjids, count(*)::int as days,
      count(distinct (masjid_id, parameters_hash))::int as hashes from public.pc_calculated_times`)
  assert.deepEqual(rows, { masjids: 140, days: 140 * 404, hashes: 140 })
})

test('when nothing is missing, nothing is done', async () => {
  let began = false
  const onBegin = (): void => {
    began = true
  }
  assert.equal(await ensureNearestTimes({ database: database(), schema: 'public', now, onBegin }), true)
  assert.equal(began, false)
})

test('a start beside a process that holds the lock waits for the times, not for the lock', async () => {
  const masjid = await insertMasjid(database())
  const release = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holder = database().transaction(async transaction => {
    await transaction.run(sql`select pg_advisory_xact_lock(${advisoryLocks.prayerJob})`)
    held.resolve()
    await release.promise
  })
  await held.promise
  const waiting = ensureNearestTimes({ database: database(), schema: 'public', now })
  await database().run(sql`
    update calculation_states set near_until = ${dayFrom(8)}::date, near_revision = revision where masjid_id = ${masjid}`)
  assert.equal(await waiting, true)
  release.resolve()
  await holder
})
