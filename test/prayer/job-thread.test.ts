import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { createLogger, type Logger } from '../../src/base/log.ts'
import { sql } from '../../src/db/sql.ts'
import { createJobThread, type JobThread } from '../../src/prayer/job/job-thread.ts'
import { insertMasjid } from '../support/masjids.ts'
import { within } from '../support/oauth.ts'
import { useDatabase } from '../support/open-database.ts'

const database = useDatabase(async () => undefined)
const clock = { now: () => new Date('2026-03-01T12:00:00Z') }
const threads: Worker[] = []
const note = (worker: Worker): void => void (worker.threadName === 'prayer job' && threads.push(worker))
let job: JobThread

before(() => {
  process.on('worker', note)
  job = createJobThread({ database: database(), log: createLogger('silent'), clock })
})
after(async () => {
  process.off('worker', note)
  await job.end()
})

const backends = async (): Promise<number[]> => {
  const rows = await database().query<{ pid: number }>(sql`
    select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`)
  return rows.map(({ pid }) => pid)
}
const others = async (): Promise<number> => (await backends()).length

test('one thread handles changes that follow each other', async () => {
  for (let count = 0; count < 3; count += 1) {
    await insertMasjid(database())
    assert.deepEqual(await job.run(false), { kind: 'done', busy: false, masjids: 1, events: 0 })
  }
  assert.equal(threads.length, 1)
})

test('long work has its own, whose priority is lower, and leaves no connection behind', async () => {
  const before = await others()
  await insertMasjid(database())
  assert.equal((await job.run(true)).masjids, 1)
  assert.equal(threads.length, 2)
  await within(30_000, 'its connections are closed', async () => (await others()) <= before)
  await insertMasjid(database())
  await job.run(false)
  assert.equal(threads.length, 2, 'the first one was kept')
})

test('after one that died while it waited, the next run gets another', async () => {
  await threads[0]?.terminate()
  await insertMasjid(database())
  assert.equal((await job.run(false)).masjids, 1)
  assert.equal(threads.length, 3)
})

test('a run whose thread dies fails, and the next gets another', async () => {
  const running = job.run(false)
  await threads[2]?.terminate()
  await assert.rejects(running, /exited early/)
  await insertMasjid(database())
  assert.equal((await job.run(false)).masjids, 1)
  assert.equal(threads.length, 4)
})

test('a database that does not answer does not hold up the end', async () => {
  const before = await backends()
  const other = createJobThread({ database: database(), log: createLogger('silent'), clock })
  await other.run(false)
  const frozen = (await backends()).filter(pid => !before.includes(pid))
  assert.ok(frozen.length > 0)
  for (const pid of frozen) process.kill(pid, 'SIGSTOP')
  try {
    await other.end()
  } finally {
    for (const pid of frozen) process.kill(pid, 'SIGCONT')
  }
})

test('what cannot be made is said once, and does not keep others from their times', async () => {
  const said: string[] = []
  const log = { ...createLogger('silent'), level: 'warn', warn: (_: object, text: string) => void said.push(text) }
  const other = createJobThread({ database: database(), log: log as Logger, clock })
  const made = async (): Promise<number> => (await other.run(false)).masjids
  await database().run(sql`alter type public.pc_calculation_method add value 'Moon'`)
  const moon = await insertMasjid(database())
  await database().run(sql`update public.up_masjids set calculation_method = 'Moon' where id = ${moon}`)
  assert.equal(await made(), 0)
  await insertMasjid(database())
  assert.equal(await made(), 1)
  await insertMasjid(database())
  assert.equal(await made(), 1)
  assert.equal(said.length, 1, said.join())
  assert.match(said[0] ?? '', /could not be made$/)
  await database().run(sql`update public.up_masjids set calculation_method = 'Karachi' where id = ${moon}`)
  assert.equal(await made(), 1)
  await other.end()
})

test('at the end nothing is left', async () => {
  await job.end()
  await within(30_000, 'only the connections of this test are open', async () => (await others()) <= 2)
})
