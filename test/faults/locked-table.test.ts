import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { type GraphqlClient, openClient } from '../support/graphql.ts'
import { useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { startWatch } from '../support/waited.ts'

/** Long enough for what is answered, on a machine that is busy with other tests. */
const DEADLINE_MS = 8000
/** Between two requests of one client. */
const PAUSE_MS = 50
/** Far below the deadline. */
const BAR_MS = 1000

const keys: string[] = []
const minaret = useMinaret(
  {
    REQUEST_DEADLINE_MS: String(DEADLINE_MS),
    STATEMENT_TIMEOUT_MS: '6400',
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
  /** By the clock, and as on an idle machine. */
  readonly elapsedMs: number
  readonly ms: number
}

const ask = async (client: GraphqlClient, query: string): Promise<Answered> => {
  const started = performance.now()
  const watch = startWatch()
  const { status, body } = await client.query({ query })
  return { status, code: body.errors?.[0]?.extensions.code, elapsedMs: performance.now() - started, ms: watch() }
}

/** Each asks over a connection of its own, all with one key, at least once. */
const askWhile = async (
  isSo: (asked: number) => boolean,
  clients: number,
  key: string,
  queries: readonly string[],
): Promise<Answered[]> => {
  const answers: Answered[] = []
  const repeat = async (_: unknown, index: number): Promise<void> => {
    const client = openClient(minaret(), key)
    let asked = 0
    do {
      answers.push(await ask(client, queries[(index + asked) % queries.length] as string))
      asked += 1
      await delay(PAUSE_MS)
    } while (isSo(asked))
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
  const usual = p95(await askWhile(asked => asked < 10, 6, other, ofOthers))
  await whileLocked(async () => {
    let isOver = false
    const [stuck, own, others] = await Promise.all([
      askWhile(() => false, 16, one, ofLocked).finally(() => {
        isOver = true
      }),
      askWhile(() => !isOver, 3, one, ofOthers),
      askWhile(() => !isOver, 3, other, ofOthers),
    ])
    assert.deepEqual(
      new Set(stuck.map(({ status, code }) => `${status} ${code}`)),
      new Set(['503 database-unavailable']),
    )
    const late = stuck.filter(({ elapsedMs, ms }) => elapsedMs < DEADLINE_MS - 50 || ms > DEADLINE_MS + 1500)
    assert.deepEqual(late, [], 'they end at their deadline')
    for (const answers of [own, others]) {
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      const slowest = p95(answers)
      assert.ok(slowest < Math.max(BAR_MS, usual * 3), `p95 ${slowest} ms, usually ${usual} ms`)
    }
  })
  const client = openClient(minaret(), one)
  for (const query of ofLocked)
    await within(60_000, 'it is answered again', async () => (await ask(client, query)).status === 200)
  client.close()
})
