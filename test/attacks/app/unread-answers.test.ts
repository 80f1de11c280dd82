// Ten clients of an app send requests without end and never read an answer. The process stays small, and serves others.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '../../../src/base/log.ts'
import { openDatabase } from '../../../src/db/database.ts'
import { rawSql } from '../../../src/db/sql.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { TEST_SECRET } from '../../support/minaret.ts'
import { type RunningProcess, startMinaretProcess } from '../../support/process.ts'
import { sandboxTemplate } from '../../support/sandbox-template.ts'

const CLIENTS = 10
const MOST_MEGABYTES = 60
/** The attack goes on for at least this long, and until others got their answers. */
const ATTACK_MS = 3000
const OTHERS = 10
const BODY = JSON.stringify({ query: '{ up_texts(limit: 100) { text } }' })

let database: TestDatabase
let running: RunningProcess
let keys: readonly string[]

before(async () => {
  database = await createDatabase(await sandboxTemplate())
  const owner = openDatabase(database.connection, { poolSize: 2, log: createLogger('silent') })
  // Half a megabyte in an answer.
  for (const statement of [
    'create table public.up_texts (id integer primary key, text text not null)',
    `comment on table public.up_texts is E'@scope masjid:read\\nA table of long texts.'`,
    "insert into public.up_texts select n, repeat('x', 5000) from generate_series(1, 100) n",
  ])
    await owner.run(rawSql(statement))
  const newKey = async (): Promise<string> => (await makeKey(owner, { appId: (await makeApp(owner)).id })).key
  keys = [await newKey(), await newKey()]
  await owner.close()
  running = await startMinaretProcess({
    DATABASE_URL: database.url,
    MINARET_SECRET: TEST_SECRET,
    DEMO_DATA: 'off',
  })
})
after(async () => {
  await running.stop('SIGINT')
  await database.drop()
})

const ask = async (key: string | undefined): Promise<number> => {
  const response = await fetch(`${running.baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: BODY,
  })
  const { length } = await response.text()
  assert.ok(length > 500_000, `${length} bytes`)
  return response.status
}

const megabytes = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8'))?.[1]) / 1024

const graphql = (key: string | undefined): string =>
  `POST /v1/graphql HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`

const open = (): Socket =>
  connect(Number(new URL(running.baseUrl).port), '127.0.0.1')
    .setNoDelay(true)
    .pause()
    .on('error', () => undefined)

/** One request in each packet: plain connections take them. */
const oneByOne = async (socket: Socket, isOver: () => boolean): Promise<void> => {
  for (; !isOver() && !socket.destroyed; await delay(2))
    if (socket.writableLength < 1_000_000) socket.write(graphql(keys[0]))
}

/** Many in each packet: Node's own server takes them. */
const inPackets =
  (text: string) =>
  async (socket: Socket, isOver: () => boolean): Promise<void> => {
    for (; !isOver() && !socket.destroyed; await delay(2)) if (socket.writableLength < 1_000_000) socket.write(text)
  }

const attacks: Readonly<Record<string, () => (socket: Socket, isOver: () => boolean) => Promise<void>>> = {
  'on plain connections': () => oneByOne,
  "on Node's own server": () => inPackets(graphql(keys[0]).repeat(100)),
  'of small requests': () =>
    inPackets('GET /.well-known/openid-configuration HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(200)),
}

for (const [name, attack] of Object.entries(attacks))
  test(`pipelined requests ${name} whose answers nobody reads`, async () => {
    // Compared with a process that serves as much to clients who do read.
    for (let count = 0; count < 8; count += 1) await Promise.all(Array.from({ length: CLIENTS }, () => ask(keys[0])))
    const baseline = megabytes()
    const sockets = Array.from({ length: CLIENTS }, open)
    let isOver = false
    const attacking = Promise.all(sockets.map(socket => attack()(socket, () => isOver)))
    let most = 0
    const until = performance.now() + ATTACK_MS
    for (let served = 0; served < OTHERS || performance.now() < until; served += 1) {
      assert.equal(await ask(keys[1]), 200)
      most = Math.max(most, megabytes() - baseline)
      await delay(20)
    }
    isOver = true
    await attacking
    for (const socket of sockets) socket.destroy()
    assert.ok(most < MOST_MEGABYTES, `${Math.round(most)} MB over ${Math.round(baseline)} MB`)
  })
