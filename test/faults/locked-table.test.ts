import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { type GraphqlClient, openClient } from '../support/graphql.ts'
import { useMinaret } from '../support/minaret.ts'

const DEADLINE_MS = 3000
const LOCKED_MS = 3500
/** Far below the deadline, and high enough for a machine that is busy with other tests. */
const BAR_MS = 1000

const keys: string[] = []
const minaret = useMinaret(
  {
    REQUEST_DEADLINE_MS: String(DEADLINE_MS),
    STATEMENT_TIMEOUT_MS: '2400',
    ANSWER_CACHE_MB: '0',
    READ_CONNECTIONS: '4',
  },
  async ({ service: { database } }) => {
    for (let count = 0; count < 2; count += 1) {
      const app = await makeApp(database, { scopes: ['masjid:read', 'events:read'] })
      keys.push((await makeKey(database, { appId: app.id, scopes: ['masjid:read', 'events:read'] })).key)
    }
  },
)

interface Answered {
  readonly status: number
  readonly code: string | undefined
  readonly ms: number
}

const ask = async (client: GraphqlClient, query: string): Promise<Answered> => {
  const started = performance.now()
  const { status, body } = await client.query({ query })
  return { status, code: body.errors?.[0]?.extensions.code, ms: performance.now() - started }
}

/** Each asks again as soon as it has its answer, all with one key. */
const askFor = async (ms: number, clients: number, key: string, queries: readonly string[]): Promise<Answered[]> => {
  const end = performance.now() + ms
  const answers: Answered[] = []
  const repeat = async (_: unknown, index: number): Promise<void> => {
    const client = openClient(minaret(), key)
    for (let turn = index; performance.now() < end; turn += 1)
      answers.push(await ask(client, queries[turn % queries.length] as string))
    client.close()
  }
  await Promise.all(Array.from({ length: clients }, repeat))
  return answers
}

const p95 = (answers: readonly Answered[]): number =>
  answers.map(({ ms }) => ms).sort((one, other) => one - other)[Math.floor(answers.length * 0.95)] ?? Infinity

const ofLocked = ['{ up_masjids(limit: 1) { id } }', '{ up_masjids(limit: 2) { name } }']
const ofOthers = ['{ up_entities(limit: 1) { id } }', '{ up_events(limit: 1) { id } }']

/** As a migration does that rewrites the table. */
const whileLocked = async (work: () => Promise<void>): Promise<void> => {
  const locked = Promise.withResolvers<void>()
  const holding = minaret().service.database.transaction(async transaction => {
    await transaction.run(sql`lock table up_masjids in access exclusive mode`)
    locked.resolve()
    await work()
  })
  await locked.promise
  await holding
}

test('a locked table holds up its own statements until their deadline, and no others', async () => {
  const [one, other] = keys as [string, string]
  for (const query of [...ofLocked, ...ofOthers]) {
    const client = openClient(minaret(), one)
    for (let count = 0; count < 3; count += 1) assert.equal((await ask(client, query)).status, 200)
    client.close()
  }
  const usual = p95(await askFor(500, 6, other, ofOthers))
  await whileLocked(async () => {
    const [stuck, own, others] = await Promise.all([
      askFor(LOCKED_MS, 16, one, ofLocked),
      askFor(LOCKED_MS, 3, one, ofOthers),
      askFor(LOCKED_MS, 3, other, ofOthers),
    ])
    assert.deepEqual(
      new Set(stuck.map(({ status, code }) => `${status} ${code}`)),
      new Set(['503 database-unavailable']),
    )
    const late = stuck.filter(({ ms }) => ms < DEADLINE_MS - 50 || ms > DEADLINE_MS + 1500)
    assert.deepEqual(late, [], 'they end at their deadline')
    for (const answers of [own, others]) {
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      const slowest = p95(answers)
      assert.ok(slowest < Math.max(BAR_MS, usual * 3), `p95 ${slowest} ms, usually ${usual} ms`)
    }
  })
  const client = openClient(minaret(), one)
  await delay(500)
  for (const query of ofLocked) assert.equal((await ask(client, query)).status, 200)
  client.close()
})
