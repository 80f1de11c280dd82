import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { findBundle } from '../../src/bundle/find-bundle.ts'
import type { CheckingTasks } from '../../src/images/checking-thread.ts'
import type { ComparingTasks } from '../../src/prayer/comparing/comparing-thread.ts'
import type { DrawingTasks } from '../../src/site/drawing/drawing-thread.ts'
import type { Tasks } from '../../src/threads/serve-tasks.ts'
import { createSideThread } from '../../src/threads/side-thread.ts'
import type { ReadingTasks } from '../../src/timetables/reading/reading-tasks.ts'
import { testParameters } from '../support/masjid-parameters.ts'
import { within } from '../support/oauth.ts'
import { type RunningProcess, startMinaretProcess, temporaryFolder } from '../support/process.ts'
import { temporaryUsedFolder } from '../support/used-folder.ts'
import { listingModules, modulesListed } from './project.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const environment = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

let bundle: string
before(() => {
  const found = findBundle({ folder: root.replace(/\/$/, ''), environment, onMaking: () => undefined })
  assert.ok(found !== undefined)
  bundle = fileURLToPath(new URL('../', found))
})

/** The programs beside the command line. */
const threads = (): string[] =>
  readdirSync(bundle, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('thread.mjs'))
    .sort()

const textOf = (name: string): string => readFileSync(join(root, 'src', name), 'utf8')

test('the script of every thread is in the bundle', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const isScript = (name: string): boolean =>
    /thread\.ts$/.test(name) && /^serveTasks\(|\b(parentPort|workerData)\b.* from 'node:/m.test(textOf(name))
  const scripts = sources.filter(isScript)
  assert.ok(scripts.length >= 7)
  assert.deepEqual(threads(), scripts.map(name => name.replace(/\.ts$/, '.mjs')).sort())
})

/** All that a bundle gives of a CommonJS package that is loaded later; Node gives its names too. */
const onlyDefault = /\{ default: \w+ \} = await import\('/

test('packages that are loaded later are modules, or used by their default export alone', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const lines = sources
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('bundle/'))
    .flatMap(name => textOf(name).split('\n'))
    .filter(line => /\bawait import\('[^.]/.test(line))
  assert.ok(lines.length > 3)
  const others = lines.filter(line => !onlyDefault.test(line)).map(line => /import\('([^']+)'/.exec(line)?.[1] ?? line)
  for (const name of others) {
    const manifest = findPackageJSON(name, import.meta.url) ?? ''
    assert.equal(JSON.parse(readFileSync(manifest, 'utf8')).type, 'module', name)
  }
})

test('a file asks for nothing that a bundle elsewhere does not have: of import.meta, only its url', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const asks = sources
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/^(bundle\/|main\.ts)/.test(name))
    .filter(name => /import\.meta(?!\.url\b)|\b__dirname\b|\b__filename\b/.test(textOf(name)))
  assert.deepEqual(asks, [])
})

const sideThread = <Table extends Tasks>(name: string) =>
  createSideThread<Table>({ script: pathToFileURL(join(bundle, name)), name })

test('threads that work for requests do so in the bundle', async () => {
  const reading = sideThread<ReadingTasks>('timetables/reading/reading-thread.mjs')
  const comparing = sideThread<ComparingTasks>('prayer/comparing/comparing-thread.mjs')
  const checking = sideThread<CheckingTasks>('images/checking-thread.mjs')
  const drawing = sideThread<DrawingTasks>('site/drawing/drawing-thread.mjs')
  try {
    const read = await reading.run('a', 'list', 'Name,Email\nAmina,amina@example.org\n')
    assert.ok('sheet' in read)
    assert.match(JSON.stringify(read.sheet), /amina@example\.org/)
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text y="15">Fajr</text></svg>'
    const png = await drawing.run('a', 'draw', svg)
    assert.equal(Buffer.from(png).subarray(1, 4).toString(), 'PNG')
    assert.deepEqual(await checking.run('a', 'check', Buffer.from('no image')), { refused: 'not_an_image' })
    const london = testParameters({
      latitude: 51.5,
      longitude: -0.1,
      timezone: 'Europe/London',
      calculation_method: 'MuslimWorldLeague',
    })
    const { rules } = await comparing.run('a', 'compare', { ...london, today: '2026-11-19' })
    assert.ok(rules.length > 2)
  } finally {
    await Promise.all([reading, comparing, checking, drawing].map(thread => thread.end()))
  }
})

test('the thread that fills the sandbox reaches the database; its errors name the sources', async () => {
  const connection = { host: '127.0.0.1', port: 1, user: 'nobody', database: 'nothing' }
  const workerData = { connection, now: Date.now(), logLevel: 'silent', urgent: true }
  const worker = new Worker(join(bundle, 'sandbox/renewal-thread.mjs'), { workerData })
  const error = await new Promise<Error>(resolve => worker.once('error', resolve))
  assert.match(String(error), /ECONNREFUSED|cannot be reached/)
  assert.match(String(error.stack), /\/src\/[\w/-]+\.ts:\d+:\d+/)
})

const files = temporaryFolder()
let folder: Awaited<ReturnType<typeof temporaryUsedFolder>>
let minaret: RunningProcess

const children = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

test('the service runs from the bundle, alone and with workers', async () => {
  folder = await temporaryUsedFolder()
  const list = join(files.path, 'modules')
  for (const WORKERS of ['1', '2']) {
    minaret = await startMinaretProcess({
      DATA_DIR: folder.path,
      DEMO_DATA: 'off',
      WORKERS,
      METRICS_PORT: '0',
      MINARET_BUNDLE: 'on',
      ...(WORKERS === '1' ? listingModules(list) : {}),
    })
    try {
      const processes = [minaret.pid, ...children(minaret.pid)].map(pid => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      const ours = processes.filter(words => words.split('\0').includes('serve'))
      assert.equal(ours.length, WORKERS === '1' ? 1 : 3)
      assert.ok(ours.every(words => words.includes('minaret') || words.includes('src/main.ts')))
      for (const [path, type] of [
        ['/', 'text/html'],
        ['/find', 'text/html'],
        ['/docs', 'text/html'],
        ['/sign-in', 'text/html'],
        ['/.well-known/openid-configuration', 'application/json'],
      ] as const) {
        const answer = await fetch(minaret.baseUrl + path)
        assert.equal(answer.status, 200, path)
        assert.match(String(answer.headers.get('content-type')), new RegExp(type))
        await answer.arrayBuffer()
      }
      const metrics = await fetch(String(/Metrics\s+(\S+)/.exec(minaret.output())?.[1]))
      assert.match(await metrics.text(), /^process_cpu_seconds_total \d/m)
      // Times are calculated by a thread of their own.
      await within(60_000, 'times of the sandbox are calculated', async () => {
        const answer = await fetch(`${minaret.sandboxUrl}/v1/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: '{ pc_prayer_times(limit: 1) { adhan_at } }' }),
        })
        return ((await answer.json()) as { data?: { pc_prayer_times: unknown[] } }).data?.pc_prayer_times.length === 1
      })
    } finally {
      assert.equal(await minaret.stop(), 0, minaret.output())
    }
  }
  const ofSources = modulesListed(list).filter(path => path.startsWith(join(root, 'src/')))
  assert.deepEqual(
    ofSources.filter(path => !/src\/(main\.ts|bundle\/)/.test(path)),
    [],
  )
})

after(() => {
  files.remove()
  folder?.remove()
})
