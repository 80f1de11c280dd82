// A process whose event loop is stuck: it is ended, replaced and named; who is slow, stopped or starved is left alone.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readPortQueue } from '../../src/http/port-queue.ts'
import { thisPlatform } from '../../src/platform/this-platform.ts'
import { scrapeUrl, total } from '../observability/scrape.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { type RunningProcess, startMinaretProcess, wrapper } from '../support/process.ts'
import { sandboxTemplate } from '../support/sandbox-template.ts'
import { freePort } from './balancer.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase(await sandboxTemplate())
})
after(() => database.drop())

const settings = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  MINARET_SECRET: TEST_SECRET,
  DEMO_DATA: 'off',
  RATE_LIMITS: 'off',
  NODE_OPTIONS: `--import=${new URL('get-stuck.ts', import.meta.url).href}`,
})

/** 5 s of CPU time, on a machine that is busy with everything else. */
const ENDING_MS = 180_000

interface LastLine {
  readonly level: number
  readonly msg: string
  readonly stuck?: {
    readonly request?: Readonly<Record<string, string>>
    readonly calls?: readonly string[]
  }
}

const FATAL = 60

const lastLines = ({ output }: RunningProcess): LastLine[] =>
  output()
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as LastLine)
    .filter(({ level }) => level === FATAL)

const saidBy = ({ output }: RunningProcess, word: string): number[] =>
  [...output().matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))].map(([, pid]) => Number(pid))

/** Its answer never comes. */
const send = (url: string, body?: string): void => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const sent = body === undefined ? {} : { method: 'POST', body, headers }
  fetch(url, { ...sent, signal: AbortSignal.timeout(ENDING_MS) }).then(
    response => response.arrayBuffer(),
    () => undefined,
  )
}

/** Connections that the kernel has made and nobody has accepted. */
const waitingAt = (url: string): number =>
  readPortQueue(thisPlatform.readTcpTable(), Number(new URL(url).port))?.waiting ?? 0

describe('with several processes', () => {
  let minaret: RunningProcess
  before(async () => {
    // When all workers end, the port is opened again: it has to be the same.
    const ports = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) }
    minaret = await startMinaretProcess({ ...settings(), ...ports, WORKERS: '2', METRICS_PORT: '0' })
  })
  after(() => minaret.stop())

  const children = (pid: number): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  const workers = (): number[] => children(minaret.pid)
  const scraped = (): ReturnType<typeof scrapeUrl> => scrapeUrl(/Metrics\s+(\S+)/.exec(minaret.output())?.[1] ?? '')
  const counted = async (): Promise<number> => total(await scraped(), 'minaret_stuck_processes_total')
  /** Each reports its lanes once it has them, which is just before it serves. */
  const untilBothServe = (): Promise<void> =>
    within(
      60_000,
      'both serve',
      async () => total(await scraped(), 'minaret_lanes', { endpoint: 'main', lane: 'quick' }) === 2,
    )

  test('the stuck one is ended, named and replaced, and what it had not begun is answered by another', async () => {
    assert.equal(await counted(), 0)
    const params = { name: 'search_schema', arguments: { question: 'spin for ever' } }
    send(`${minaret.sandboxUrl}/mcp`, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))
    await within(60_000, 'it is stuck', async () => saidBy(minaret, 'spinning').length === 1)
    const [stuck] = saidBy(minaret, 'spinning')
    /** Of two workers, each is given some: the stuck one never says that it took them. */
    const answers = [minaret.baseUrl, minaret.sandboxUrl].flatMap(url =>
      Array.from({ length: 4 }, async () => {
        const response = await fetch(`${url}/healthz`, { headers: { connection: 'close' } })
        return { status: response.status, isMeanwhile: lastLines(minaret).length === 0 }
      }),
    )
    const answered = await Promise.all(answers)
    assert.ok(
      answered.every(({ status }) => status === 200),
      'all are answered',
    )
    assert.ok(
      answered.some(({ isMeanwhile }) => isMeanwhile),
      'some by the other, at once',
    )
    assert.ok(
      answered.some(({ isMeanwhile }) => !isMeanwhile),
      'some had been given to the one that was stuck',
    )
    await within(ENDING_MS, 'it is replaced', async () => workers().length === 2 && !workers().includes(stuck ?? 0))
    assert.match(minaret.output(), /a worker was stuck, as its last line says; another takes its place/)
    assert.equal(await counted(), 1)
    const [line, ...others] = lastLines(minaret)
    assert.deepEqual(others, [])
    assert.equal(
      line?.msg,
      'no turn of the event loop in 5 s of CPU time, in POST /mcp (search_schema): this process ends',
    )
    assert.ok(line.stuck?.calls?.[0]?.startsWith('spinForEver (test/faults/get-stuck.ts'), JSON.stringify(line))
    assert.doesNotMatch(JSON.stringify(line), /spin for ever/, 'nothing that the client sent')
  })

  test('connections that no worker had taken when all of them ended are answered by the next', async () => {
    await untilBothServe()
    const before = workers()
    for (const pid of before) process.kill(pid, 'SIGSTOP')
    const agents: Agent[] = []
    const asking = Array.from({ length: 6 }, () => {
      const agent = new Agent()
      agents.push(agent)
      return new Promise<number | undefined>((resolve, reject) => {
        const sending = request(`${minaret.baseUrl}/healthz`, { agent }).end()
        sending.once('error', reject).once('response', response => {
          response.resume()
          resolve(response.statusCode)
        })
      })
    })
    await within(60_000, 'all are connected', async () =>
      agents.every(({ sockets }) => Object.values(sockets).some(open => open?.some(({ connecting }) => !connecting))),
    )
    // Their queue at the first process: what it accepted.
    await within(60_000, 'all are accepted', async () => waitingAt(minaret.baseUrl) === 0)
    for (const pid of before) process.kill(pid, 'SIGKILL')
    assert.deepEqual(await Promise.all(asking), [200, 200, 200, 200, 200, 200])
    for (const agent of agents) agent.destroy()
  })

  test('who works in many turns, in many requests of one turn, or not at all, is left alone', async () => {
    await untilBothServe()
    const before = workers()
    const [busy = 0, stopped = 0] = before
    process.kill(stopped, 'SIGSTOP')
    try {
      process.kill(busy, 'SIGUSR2')
      await within(ENDING_MS, 'its work is done', async () => saidBy(minaret, 'worked').includes(busy))
    } finally {
      process.kill(stopped, 'SIGCONT')
    }
    for (let count = 0; count < 4; count += 1)
      assert.equal((await fetch(`${minaret.baseUrl}/healthz`, { headers: { connection: 'close' } })).status, 200)
    assert.deepEqual(workers(), before)
    assert.equal(await counted(), 1)
  })
})

test('one process alone ends with a last line that names the request, and a status that tells to restart it', async () => {
  const minaret = await startMinaretProcess(settings(), { program: wrapper })
  send(`${minaret.baseUrl}/find?q=${encodeURIComponent('spin for ever')}&token=dear`)
  await within(ENDING_MS, 'it is named', async () => lastLines(minaret).length === 1)
  assert.equal(await minaret.stop('SIGCONT'), 1)
  const [line] = lastLines(minaret)
  assert.equal(line?.msg, 'no turn of the event loop in 5 s of CPU time, in GET /find: this process ends')
  assert.equal(line.stuck?.request?.method, 'GET')
  assert.match(line.stuck.request.requestId ?? '', /^[0-9a-f-]{36}$/)
  assert.doesNotMatch(JSON.stringify(line), /dear|spin for ever/)
})

const asFirst = ['--pid', '--fork', '--mount-proc', '--kill-child']
const skip = spawnSync('unshare', [...asFirst, 'true']).status === 0 ? false : 'may not make a namespace of processes'

test('the first process of a container, which gets no signals from inside, ends with a status', { skip }, async () => {
  const program = fileURLToPath(new URL('spin-watched.ts', import.meta.url))
  const child = spawn('unshare', [...asFirst, process.execPath, program], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  const [status] = await once(child, 'exit')
  assert.equal(status, 154, said)
  assert.match(said, /spin-watched\.ts.*outside of any request: this process ends/)
})
