import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '../../src/base/log.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { rawSql } from '../../src/db/sql.ts'
import { loadFixture, masjidId } from '../graphql/fixture.ts'
import { openStreams } from '../live/stream-clients.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { type RunningProcess, startMinaretProcess, temporaryFolder } from '../support/process.ts'
import { rounds } from '../support/rounds.ts'
import { sandboxTemplate } from '../support/sandbox-template.ts'
import { startWatch, watchEnding } from '../support/waited.ts'
import { freePort, type Program, STATISTICS, startHaproxy, startNginx } from './balancer.ts'

const DRAIN_SECONDS = 1
/** Long enough for the balancers to notice, and to see what happens during it, on a busy machine too. */
const LONG_DRAIN_SECONDS = 8
const folder = temporaryFolder()
let database: TestDatabase
let owner: Database
let key: string
let ports: number[]
let processes: RunningProcess[]
let balancers: Readonly<Record<string, Program>>

const start = async (port: number, changes: Record<string, string> = {}): Promise<RunningProcess> =>
  startMinaretProcess({
    NODE_ENV: 'production',
    BASE_URL: 'https://id.example.org',
    SANDBOX_URL: 'https://sandbox.example.org',
    HOST: '127.0.0.1',
    PORT: String(port),
    SANDBOX_PORT: String(await freePort()),
    DATABASE_URL: database.url,
    MINARET_SECRET: TEST_SECRET,
    DRAIN_SECONDS: String(LONG_DRAIN_SECONDS),
    LOG_LEVEL: 'info',
    ...changes,
  })

before(async () => {
  // With the sandbox's data: otherwise every start would fill it, or wait for that.
  database = await createDatabase(await sandboxTemplate())
  owner = openDatabase(database.connection, { poolSize: 2, log: createLogger('silent') })
  await loadFixture(owner)
  const scopes = ['masjid:read', 'events:read'] as const
  const app = await makeApp(owner, { scopes })
  key = (await makeKey(owner, { appId: app.id, scopes })).key
  ports = [await freePort(), await freePort()]
  processes = [await start(ports[0] as number), await start(ports[1] as number)]
  const [nginx, haproxy] = [
    await startNginx(join(folder.path, 'nginx'), ports),
    await startHaproxy(join(folder.path, 'haproxy'), ports),
  ]
  balancers = { nginx, haproxy }
})
after(async () => {
  await Promise.all(Object.values(balancers).map(balancer => balancer.stop()))
  await Promise.all(processes.map(one => one.stop('SIGINT')))
  await owner.close()
  await database.drop()
  folder.remove()
})

interface Told {
  readonly status: number
  readonly connection: string | undefined
}

const ask = (url: string, agent: Agent): Promise<Told> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' })
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
    }
    const asked = request(`${url}/v1/graphql`, { method: 'POST', agent, headers }, response => {
      response.resume().once('end', () => {
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection })
      })
    })
    asked.once('error', reject)
    asked.end(body)
  })

interface Asking {
  /** Resolves when a request has failed. */
  readonly failed: Promise<void>
  stop(): Promise<{ answered: number; failures: string[] }>
}

const BETWEEN_MS = rounds(50, 5)

/** A client that asks again soon after its answer, on one connection. */
const keepAsking = (url: string): Asking => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const failures: string[] = []
  const failed = Promise.withResolvers<void>()
  let answered = 0
  let stopped = false
  const asking = (async () => {
    while (!stopped) {
      const told = await ask(url, agent).catch(error => String(error.code ?? error))
      if (typeof told === 'string' || told.status !== 200) failures.push(JSON.stringify(told))
      else answered += 1
      if (failures.length > 0) failed.resolve()
      await delay(BETWEEN_MS)
    }
    agent.destroy()
  })()
  return {
    failed: failed.promise,
    stop: async () => {
      stopped = true
      await asking
      return { answered, failures }
    },
  }
}

const TICKS = `subscription ($after: String) {
  up_events_stream(batch_size: 10, cursor: {initial_value: {title: "Tick"}}, after: $after, where: {title: {_like: "Tick %"}}) { title _cursor }
}`
const CAPACITY = 'subscription { up_masjids_by_slug(slug: "masjid-1") { capacity } }'

/** Writes a row and a number every few milliseconds; what was written is in `titles`. */
const keepWriting = () => {
  const titles: string[] = []
  let stopped = false
  const writing = (async () => {
    for (let count = 1; !stopped; count += 1) {
      const title = `Tick ${String(count).padStart(6, '0')}`
      await owner.run(
        rawSql(`insert into up_events (masjid_id, title, starts_local, duration_minutes, timezone)
          values ('${masjidId(1)}', '${title}', '2026-05-01 10:00', 30, 'America/New_York')`),
      )
      await owner.run(rawSql(`update up_masjids set capacity = ${count} where slug = 'masjid-1'`))
      titles.push(title)
      await delay(20)
    }
  })()
  return {
    titles,
    stop: async () => {
      stopped = true
      await writing
    },
  }
}

/** haproxy has found out that a process is ready. */
const untilUp = (index: number): Promise<void> =>
  within(120_000, `haproxy uses process ${index}`, async () => {
    const table = await (await fetch(`${balancers.haproxy?.url}${STATISTICS}`)).text()
    return new RegExp(`^minaret,minaret${index},.*,UP,`, 'm').test(table)
  })

/** Each process, one after the other, while clients ask through both balancers all the time. */
const restartAll = async (changes: Record<string, string> = {}): Promise<void> => {
  const clients = Object.values(balancers).flatMap(({ url }) => Array.from({ length: 4 }, () => keepAsking(url)))
  for (const [index, port] of ports.entries()) {
    assert.equal(await processes[index]?.stop(), 0, processes[index]?.output() ?? '')
    processes[index] = await start(port, changes)
    // Both balancers find it again before the other one goes: nginx leaves out one that refused it for a second.
    await Promise.all([delay(3000), untilUp(index)])
  }
  const told = await Promise.all(clients.map(client => client.stop()))
  for (const { answered } of told) assert.ok(answered > 20, `${answered} requests`)
  assert.deepEqual(
    told.flatMap(({ failures }) => failures),
    [],
  )
}

test('two processes are restarted one after the other: no request fails behind nginx or haproxy', () =>
  restartAll({ WORKERS: '2' }))

test('nor with two workers each, as they have now; open streams go on elsewhere, without a gap or a row twice', async () => {
  const streams = Object.values(balancers).flatMap(({ url }) =>
    openStreams({
      url: `${url}/v1/graphql`,
      key,
      list: CAPACITY,
      stream: { query: TICKS, nameOf: row => row.title },
    }),
  )
  await Promise.all(streams.map(one => one.untilOpen()))
  const writer = keepWriting()
  await restartAll()
  await writer.stop()
  const { titles } = writer
  assert.ok(titles.length > 20, `${titles.length} rows`)
  for (const { name, rows, connections, untilRows, untilList, stop } of streams) {
    await untilRows(titles.length)
    assert.deepEqual(rows, titles, name)
    assert.ok(connections() > 1, `${name}: ${connections()} connections`)
    await untilList(({ up_masjids_by_slug }) => up_masjids_by_slug.capacity === titles.length)
    await stop()
  }
})

describe('SIGTERM', () => {
  test('makes /readyz fail at once and answers carry Connection: close; the process ends after the drain', async () => {
    const direct = `http://127.0.0.1:${ports[0]}`
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const plain = await ask(direct, agent)
    assert.deepEqual(plain, { status: 200, connection: 'keep-alive' })
    const client = keepAsking(direct)
    const started = performance.now()
    const watch = startWatch()
    const ended = processes[0]?.stop()
    await within(1000, '/readyz fails', async () => (await fetch(`${direct}/readyz`)).status === 503)
    const page = await fetch(`${direct}/.well-known/openid-configuration`)
    assert.deepEqual([page.status, page.headers.get('connection')], [200, 'close'])
    assert.deepEqual(await ask(direct, agent), { status: 200, connection: 'close' }, 'on a connection from before')
    assert.equal(await ended, 0)
    const ms = performance.now() - started
    assert.ok(ms >= LONG_DRAIN_SECONDS * 1000 && watch() < LONG_DRAIN_SECONDS * 1000 + 5000, `${ms} ms`)
    await client.failed
    const { failures } = await client.stop()
    assert.deepEqual([...new Set(failures)], ['"ECONNREFUSED"'], 'never reset')
    agent.destroy()
  })

  for (const workers of ['1', '2'])
    test(`ends the process within two seconds after the last request, with WORKERS=${workers}`, async () => {
      const ending = await start(ports[0] as number, { WORKERS: workers, DRAIN_SECONDS: String(DRAIN_SECONDS) })
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      assert.equal((await ask(`http://127.0.0.1:${ports[0]}`, agent)).status, 200)
      const busy = watchEnding(ending.pid)
      assert.equal(await ending.stop(), 0, ending.output())
      const busyMs = busy()
      agent.destroy()
      // By the clock of the process itself: this one may be waiting for a processor.
      const at = (message: string): number => {
        const line = ending
          .output()
          .split('\n')
          .findLast(one => one.includes(`"msg":"${message}`))
        return JSON.parse(line ?? '{}').time
      }
      const ms = at('stopped') - at('stopping (SIGTERM)')
      assert.ok(
        ms >= DRAIN_SECONDS * 1000 && ms - busyMs < DRAIN_SECONDS * 1000 + 2000,
        `${ms} ms, ${busyMs} ms too busy`,
      )
    })

  test('is not what Ctrl-C sends: that never drains', async () => {
    const patient = await start(ports[0] as number, { DRAIN_SECONDS: '60' })
    const watch = startWatch()
    assert.equal(await patient.stop('SIGINT'), 0)
    assert.ok(watch() < 30_000)
  })
})
