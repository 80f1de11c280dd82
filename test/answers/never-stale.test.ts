// The proof: whatever is written, in whatever way, every read that begins after a commit was acknowledged sees it, on every process.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { dataScopes } from '../../src/access/scopes.ts'
import { rawSql } from '../../src/db/sql.ts'
import { loadFixture } from '../graphql/fixture.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { type GraphqlClient, openClient } from '../support/graphql.ts'
import { startTestMinaret, TEST_SECRET, type TestMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { type RunningProcess, startMinaretProcess } from '../support/process.ts'
import { rounds } from '../support/rounds.ts'
import { copyOf, createCounters, type Floors, noFloors, type Reading, readings } from './counters.ts'
import { restructureAll, type Writing, writeAll } from './writers.ts'

/** The suite stops after a few seconds, however busy the machine is. */
const READS = rounds(20_000, 1_000_000)
const LEAST_READS = rounds(200, 1_000_000)
const SECONDS = 5
const MOST_SECONDS = 60
const READERS = 6

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
  for (const { baseUrl } of [minaret, other]) await untilAnsweredFromMemory(baseUrl)
})
after(async () => {
  await other.stop()
  await minaret.stop()
})

const isHit = async (client: GraphqlClient, { query, variables = {} }: Reading): Promise<boolean> => {
  const { body } = await client.query({ query, variables }, { 'x-minaret-explain': '1' })
  return body.extensions?.cache?.hit === true
}

const untilAnsweredFromMemory = async (baseUrl: string): Promise<void> => {
  const client = openClient({ baseUrl }, key)
  await within(20_000, 'answers are kept', async () => {
    for (const { query, variables = {} } of readings) await client.query({ query, variables })
    return isHit(client, readings.at(-1) as Reading)
  })
  client.close()
}

interface Counted {
  readonly since: number
  reads: number
  /** Of those that asked for it. */
  hits: number
  /** Goes on until there are some, if the machine is too busy at first. */
  readonly wantsHits: boolean
}

const EXPLAINED_SHARE = 0.1

const isEnough = ({ reads, hits, wantsHits, since }: Counted): boolean => {
  const seconds = (performance.now() - since) / 1000
  return reads >= READS || (reads >= LEAST_READS && seconds > (wantsHits && hits === 0 ? MOST_SECONDS : SECONDS))
}

const readAlong = async (baseUrl: string, floors: Floors, counted: Counted): Promise<void> => {
  const client = openClient({ baseUrl }, key, { retryStale: true })
  try {
    while (!isEnough(counted)) {
      const reading = readings[Math.floor(Math.random() * readings.length)] as Reading
      const before = copyOf(floors)
      const headers = Math.random() < EXPLAINED_SHARE ? { 'x-minaret-explain': '1' } : {}
      const { status, body } = await client.query({ query: reading.query, variables: reading.variables ?? {} }, headers)
      if (status === 503) continue
      assert.equal(status, 200, JSON.stringify(body))
      reading.check(body.data, before)
      counted.reads += 1
      if (body.extensions?.cache?.hit === true) counted.hits += 1
    }
  } finally {
    client.close()
  }
}

const prove = async (disturb?: (writing: Writing) => Promise<unknown>): Promise<Counted> => {
  const { database } = minaret.service
  const client = openClient(minaret, key, { retryStale: true })
  const floors = await floorsNow()
  const counted: Counted = { since: performance.now(), reads: 0, hits: 0, wantsHits: disturb === undefined }
  let failed = false
  const isOver = (): boolean => failed || isEnough(counted)
  const writing: Writing = { connection: database.connection, client, floors, isOver }
  const readers = Array.from({ length: READERS }, (_, index) =>
    readAlong((index % 2 === 0 ? minaret : other).baseUrl, floors, counted),
  )
  const reading = Promise.all(readers).catch(error => {
    failed = true
    throw error
  })
  const [read] = await Promise.allSettled([reading, writeAll(writing), disturb?.(writing)])
  client.close()
  if (read.status === 'rejected') throw read.reason
  return counted
}

const floorsNow = async (): Promise<Floors> => {
  const { database } = minaret.service
  const floors = noFloors()
  for (const { id, value } of await database.query<{ id: number; value: number }>(rawSql('select * from up_counters')))
    floors.counters[id] = value
  for (const { id, value } of await database.query<{ id: number; value: number }>(
    rawSql('select * from up_counter_notes'),
  ))
    floors.notes[id] = value
  return floors
}

const untilOver = async ({ isOver }: Writing, everyMs: number, work: () => Promise<unknown>): Promise<void> => {
  while (!isOver()) {
    await delay(everyMs)
    await work()
  }
}

test('no read is stale while everything is written in every way, and many are answered from memory', async t => {
  const { reads, hits } = await prove()
  t.diagnostic(`${hits} hits among ${Math.round(reads * EXPLAINED_SHARE)} of ${reads} reads`)
  assert.ok(hits > 0)
})

const killSome = rawSql(`select pg_terminate_backend(pid) from (select pid from pg_stat_activity
  where application_name = 'minaret reader' and datname = current_database() order by random() limit 3) some`)

test('no read is stale while connections are killed', async () => {
  await prove(writing => untilOver(writing, 250, () => minaret.service.database.run(killSome)))
})

test('no read is stale while the structure changes, and triggers are switched off and on', async () => {
  await prove(restructureAll)
})
