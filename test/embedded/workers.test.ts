import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { scrapeUrl, total } from '../observability/scrape.ts'
import { within } from '../support/oauth.ts'
import { type RunningProcess, startMinaretProcess } from '../support/process.ts'
import { temporaryUsedFolder } from '../support/used-folder.ts'

let folder: Awaited<ReturnType<typeof temporaryUsedFolder>>
let minaret: RunningProcess

before(async () => {
  folder = await temporaryUsedFolder()
  minaret = await startMinaretProcess({
    DATA_DIR: folder.path,
    DEMO_DATA: 'off',
    WORKERS: '2',
    METRICS_PORT: '0',
    READ_CONNECTIONS: '2',
    RATE_LIMITS: 'off',
  })
})
after(async () => {
  await minaret.stop()
  folder.remove()
})

const metricsUrl = (): string => /Metrics\s+(\S+)/.exec(minaret.output())?.[1] ?? ''

test('several workers serve the same ports, and are counted together', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => fetch(`${minaret.baseUrl}/healthz`, { headers: { connection: 'close' } })),
  )
  assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([200]))
  const counted = async (): Promise<number> =>
    total(await scrapeUrl(metricsUrl()), 'http_server_request_duration_seconds_count', { http_route: '/healthz' })
  await within(30_000, 'all requests are counted', async () => (await counted()) === answers.length)
  assert.equal(total(await scrapeUrl(metricsUrl()), 'minaret_lanes', { endpoint: 'main', lane: 'quick' }), 2 * 2)
  assert.equal(total(await scrapeUrl(metricsUrl()), 'minaret_build_info'), 1)
})

const children = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
/** The database is a child too. */
const workers = (): number[] =>
  children(minaret.pid).filter(pid => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('serve'))

interface Reply {
  readonly status: number | undefined
  /** Of the client's end: another connection has another. */
  readonly port: number | undefined
  readonly isLast: boolean
}

/** A client with one connection that it keeps. */
const openClient = (path: string, body?: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body ?? '') }
      const sending = request(`${minaret.sandboxUrl}${path}`, {
        agent,
        ...(body === undefined ? {} : { method: 'POST', headers }),
      })
      sending.once('error', reject).once('response', response => {
        const port = response.socket.localPort
        response.resume().once('end', () => {
          resolve({ status: response.statusCode, port, isLast: response.headers.connection === 'close' })
        })
      })
      sending.end(body)
    })
  return { ask, close: () => agent.destroy() }
}

test('after a worker was killed and replaced, clients of the others connect anew, once and without an error', async () => {
  const plain = (): ReturnType<typeof openClient> => openClient('/v1/graphql', '{"query":"{ __typename }"}')
  const clients = [plain(), plain(), openClient('/healthz'), openClient('/healthz')]
  try {
    const [killed] = workers()
    const first = await Promise.all(clients.map(client => client.ask()))
    assert.ok(first.every(({ status, isLast }) => status === 200 && !isLast))
    process.kill(killed as number, 'SIGKILL')
    /** Connections to the worker that was killed are reset once. */
    const again = await Promise.all(clients.map(client => client.ask().catch(() => client.ask())))
    assert.ok(again.every(({ status }) => status === 200))
    const lasts = clients.map(() => 0)
    await within(60_000, 'each connection was ended', async () => {
      await delay(50)
      const replies = await Promise.all(clients.map(client => client.ask()))
      for (const [index, { isLast, status }] of replies.entries()) {
        assert.equal(status, 200)
        lasts[index] = (lasts[index] ?? 0) + Number(isLast)
      }
      return lasts.every(count => count === 1)
    })
    assert.equal(workers().length, 2)
    const [one, other] = [await clients[0]?.ask(), await clients[0]?.ask()]
    assert.equal(one?.isLast, false)
    assert.equal(other?.port, one?.port, 'the new connection is kept')
  } finally {
    for (const client of clients) client.close()
  }
})

test('all workers stop together', async () => {
  const url = metricsUrl()
  assert.equal(await minaret.stop(), 0, minaret.output())
  await assert.rejects(fetch(url))
  await assert.rejects(fetch(`${minaret.baseUrl}/healthz`))
  assert.ok(!existsSync(join(folder.path, 'postgres/postmaster.pid')))
})
