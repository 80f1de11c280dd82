import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { thisPlatform } from '../../src/platform/this-platform.ts'
import {
  type RunningProcess,
  runMinaret,
  startMinaretProcess,
  temporaryFolder,
  untilReady,
  wrapper,
} from '../support/process.ts'
import { temporaryUsedFolder } from '../support/used-folder.ts'

const withFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = temporaryFolder()
  try {
    await work(folder.path)
  } finally {
    folder.remove()
  }
}

const postmaster = (folder: string): number =>
  Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

/** A process that has exited but was not reaped by its parent has no command line. */
const isAlive = (pid: number): boolean => thisPlatform.hasArgument(pid, '-D')

const isLong = process.env.MINARET_LONG !== undefined

/** One folder, step by step: starting a whole service is most of what each of these takes. */
describe('in one data folder, one after the other', () => {
  let folder: Awaited<ReturnType<typeof temporaryUsedFolder>>
  let environment: Record<string, string>
  let first: RunningProcess | undefined
  let second: RunningProcess | undefined
  before(async () => {
    folder = await temporaryUsedFolder()
    environment = { DATA_DIR: folder.path, DEMO_DATA: 'off' }
  })
  after(async () => {
    // Of no effect on what has ended.
    for (const one of [first, second]) await one?.stop()
    folder.remove()
  })

  test('a command works without a service, and beside a running one', async () => {
    const alone = await runMinaret(['migrate', '--json'], environment)
    assert.equal(alone.status, 0, alone.stderr)
    assert.ok(!existsSync(join(folder.path, 'postgres/postmaster.pid')), 'a command stops what it started')
    first = await startMinaretProcess(environment)
    const beside = await runMinaret(['migrate', '--json'], environment)
    assert.deepEqual([beside.status, JSON.parse(beside.stdout)], [0, { migrations: [] }])
  })

  test('a second start on the same data folder, or the same port, says who uses it, exits, and leaves nothing behind', async () => {
    assert.ok(first)
    const again = await runMinaret(['serve'], environment)
    assert.equal(again.status, 1)
    assert.ok(again.stderr.includes(`in use by a service at ${first.baseUrl}`), again.stderr)
    await untilReady(first.baseUrl)
    const other = join(folder.path, 'other')
    const third = await runMinaret(['serve'], { DATA_DIR: other, PORT: new URL(first.baseUrl).port })
    assert.equal(third.status, 1)
    assert.match(third.stderr, /Port \d+ on 127\.0\.0\.1 is used by another program/)
    assert.ok(!existsSync(join(other, 'postgres')))
  })

  test('the database of a killed service is found and taken over by the next start', async () => {
    const pid = postmaster(folder.path)
    await first?.stop('SIGKILL')
    assert.ok(isAlive(pid), 'PostgreSQL outlives a killed parent')
    second = await startMinaretProcess(environment)
    assert.equal(postmaster(folder.path), pid, 'the same server, taken over')
  })

  test('SIGTERM stops the service and its database cleanly', async () => {
    assert.ok(second)
    await untilReady(second.baseUrl)
    const pid = postmaster(folder.path)
    assert.equal(await second.stop(), 0, second.output())
    assert.ok(!existsSync(join(folder.path, 'postgres/postmaster.pid')))
    assert.ok(!isAlive(pid))
  })

  for (const signal of isLong ? (['SIGINT', 'SIGTERM', 'SIGKILL'] as const) : (['SIGINT', 'SIGKILL'] as const))
    test(`${signal} to bin/minaret stops the service it started too`, async () => {
      const minaret = await startMinaretProcess(environment, { program: wrapper })
      const pid = postmaster(folder.path)
      assert.equal(await minaret.stop(signal), signal === 'SIGKILL' ? null : 0)
      for (const deadline = Date.now() + 120_000; isAlive(pid) && Date.now() < deadline; ) await delay(50)
      assert.ok(!isAlive(pid))
    })
})

test('two first starts at once on one data folder: one serves, the other reports it and exits', () =>
  withFolder(async folder => {
    const starts = await Promise.allSettled(
      [1, 2].map(() => startMinaretProcess({ DATA_DIR: folder, DEMO_DATA: 'off' })),
    )
    const served = starts.filter(start => start.status === 'fulfilled')
    const refused = starts.filter(start => start.status === 'rejected')
    await Promise.all(served.map(start => start.value.stop()))
    assert.equal(served.length, 1)
    assert.match(String(refused[0]?.reason), /in use by/)
  }))

test('a data folder that is a file is refused with a one-line message', () =>
  withFolder(async folder => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const { status, stderr } = await runMinaret(['serve'], { DATA_DIR: file })
    assert.equal(status, 1)
    assert.match(stderr, /that is not a folder\. Set DATA_DIR to a folder\.\n$/)
  }))
