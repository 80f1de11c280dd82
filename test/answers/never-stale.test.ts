// The proof: whatever is written, in whatever way, every read that begins after a commit was acknowledged sees it, on every process.
import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { dataScopes } from '../../src/access/scopes.ts'
import { rawSql } from '../../src/db/sql.ts'
import { loadFixture } from '../graphql/fixture.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { startTestMinaret, TEST_SECRET, type TestMinaret } from '../support/minaret.ts'
import { type RunningProcess, startMinaretProcess } from '../support/process.ts'
import { rounds } from '../support/rounds.ts'
import { createCounters } from './counters.ts'
import { type Counted, EXPLAINED_SHARE, PROOF_TIMEOUT_MS, type Proof, prove, untilAnsweredFromMemory } from './prove.ts'
import { pruneLog, withoutPartitions } from './prune-log.ts'
import { restructureAll, type Writing } from './writers.ts'

let minaret: TestMinaret
let other: RunningProcess
let key: string

before(async () => {
  minaret = await startTestMinaret()
  const { database } = minaret.service
  await loadFixture(database)
  await createCounters(database)
  const app = await makeApp(database, { scopes: dataScopes, masjids: { only: '*', own: '*' } })
  key = (await makeKey(database, { appId: app.id, scopes: dataScopes })).key
  other = await startMinaretProcess({
    DATABASE_URL: minaret.databaseUrl,
    MINARET_SECRET: TEST_SECRET,
    DEMO_DATA: 'off',
    RATE_LIMITS: 'off',
  })
  for (const { baseUrl } of [minaret, other]) await untilAnsweredFromMemory(baseUrl, key)
})
after(async () => {
  await other.stop()
  await minaret.stop()
})

const run = (text: string): Promise<unknown> => minaret.service.database.run(rawSql(text))

const proof = (most: number, disturb?: Proof['disturb']): Proof => ({
  key,
  baseUrls: [minaret.baseUrl, other.baseUrl],
  database: minaret.service.database,
  reads: rounds(20_000, most),
  ...(disturb === undefined ? {} : { disturb }),
})

const tell = (t: TestContext, { reads, hits }: Counted): void =>
  t.diagnostic(`${hits} hits among ${Math.round(reads * EXPLAINED_SHARE)} of ${reads} reads`)

const untilOver = async ({ isOver }: Writing, everyMs: number, work: () => Promise<unknown>): Promise<void> => {
  while (!isOver()) {
    await delay(everyMs)
    await work()
  }
}

test('no read is stale while everything is written in every way, and many are answered from memory', {
  timeout: PROOF_TIMEOUT_MS,
}, async t => {
  const counted = await prove(proof(1_000_000))
  tell(t, counted)
  assert.ok(counted.hits > 0)
})

const killSome = `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
  where application_name = 'minaret reader' and datname = current_database() order by random() limit 3) chosen`

test('no read is stale while connections are killed', async t =>
  tell(t, await prove(proof(50_000, writing => untilOver(writing, 250, () => run(killSome))))))

test('no read is stale while the structure changes, and triggers are switched off and on', async t =>
  tell(t, await prove(proof(50_000, restructureAll))))

test('no read is stale while the log loses its rows as soon as they are written', async t => {
  // Its rows go unannounced here, so both processes must have seen them: the last writers ended after the last readers.
  for (const { baseUrl } of [minaret, other]) await untilAnsweredFromMemory(baseUrl, key)
  await run(withoutPartitions)
  const prune = () => run(pruneLog)
  tell(t, await prove(proof(50_000, writing => untilOver(writing, 50, prune))))
  const { database } = minaret.service
  const left = await database.first<{ count: number }>(rawSql('select count(*)::int as count from changes.log_default'))
  assert.ok((left?.count ?? 0) < 5000, 'it was pruned')
})
