import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import type { Connection } from '../../src/db/connection.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { laneRules } from '../../src/db/lanes/lane-rules.ts'
import { createReader } from '../../src/db/pipelined-reader.ts'
import type { Reader, ReadOptions } from '../../src/db/reader.ts'
import { readerConnection } from '../../src/db/roles.ts'
import { sql } from '../../src/db/sql.ts'
import type { TextStatement } from '../../src/db/text-channel.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'

const log = createLogger('silent')
let test_: TestDatabase
let owner: Database
let connection: Connection

before(async () => {
  test_ = await createTestDatabase()
  owner = openDatabase(test_.connection, { poolSize: 2, log })
  connection = await readerConnection(test_.connection, 'minaret_reader', TEST_SECRET)
})
after(async () => {
  await owner.close()
  await test_.drop()
})

/** Statements of one app, unless stated otherwise. */
interface Reads {
  read(statement: TextStatement, options?: Partial<ReadOptions>): Promise<string>
}

const readsOf = (reader: Reader): Reads => ({
  read: (asked, options) => reader.read(asked, { who: 'an app', ...options }),
})

/** Nothing ends by itself on a busy machine, unless a test is about that. */
const patient = { statementTimeoutMs: 60_000, deadlineMs: 120_000 }

const withReader = async (connections: number, work: (reader: Reads) => Promise<void>, limits = patient) => {
  const reader = createReader({ targets: [connection], log, connections, ...limits })
  try {
    await work(readsOf(reader))
  } finally {
    await reader.close()
  }
}

const statement = (text: string, values: string[] = [], settings?: TextStatement['settings']): TextStatement => ({
  text,
  name: `n${Buffer.from(text).toString('hex').slice(0, 50)}`,
  values,
  none: '',
  prepare: true,
  settings,
})
const sleep = (seconds: number): TextStatement =>
  statement(`select pg_sleep($1::float8)::text || 'slept'`, [String(seconds)])

/** New to every connection, as with an alias that was never used before. */
const freshSleep = (seconds: number): TextStatement =>
  statement(`/* ${randomUUID()} */ select pg_sleep(${seconds})::text || 'slept'`)

/** A client that can disconnect. */
const someone = () => {
  const told = new Set<() => void>()
  return { abandoned: told, leave: () => void [...told].map(tell => tell()) }
}
const running = async (): Promise<number> => {
  const row = await owner.first<{ count: string }>(
    sql`select count(*) from pg_stat_activity where datname = current_database() and query like '%pg_sleep(%' and query not like '%pg_stat_activity%' and state = 'active' and pid <> pg_backend_pid()`,
  )
  return Number(row?.count)
}

const until = (check: () => Promise<boolean>): Promise<void> => within(60_000, 'the condition', check)

describe('the pipelined reader', () => {
  test('answers many statements at once, each with its own result', () =>
    withReader(3, async reader => {
      const texts = await Promise.all(
        Array.from({ length: 300 }, (_, index) => reader.read(statement('select $1::text', [String(index)]))),
      )
      assert.deepEqual(
        texts,
        Array.from({ length: 300 }, (_, index) => String(index)),
      )
    }))

  test('a failing statement does not affect those before and after it', () =>
    withReader(1, async reader => {
      const good = (text: string) => reader.read(statement('select $1::text', [text]))
      const bad = assert.rejects(reader.read(statement('select ($1::int / 0)::text', ['1'])), { code: '22012' })
      const unparsed = assert.rejects(reader.read(statement('select nonsense from nowhere')), { code: '42P01' })
      const first = good('a')
      await Promise.all([bad, unparsed])
      assert.deepEqual([await first, await good('b')], ['a', 'b'])
    }))

  test('settings apply to their own statement only, even when it fails', () =>
    withReader(1, async reader => {
      const show = "select coalesce(current_setting('minaret.user_id', true), '')"
      const as = (user: string, text = show) => reader.read(statement(text, [], [['minaret.user_id', user]]))
      const answers = await Promise.all([
        as('one'),
        reader.read(statement(show)),
        as('two'),
        reader.read(statement(show)),
      ])
      assert.deepEqual(answers, ['one', '', 'two', ''])
      await assert.rejects(as('three', 'select (1 / 0)::text'), { code: '22012' })
      assert.equal(await reader.read(statement(show)), '')
    }))

  test('cannot write, whatever it is sent', () =>
    withReader(1, async reader => {
      for (const text of [
        "with gone as (delete from public.up_masjids returning 1) select 'x'",
        "select set_config('default_transaction_read_only', 'off', false) || (select password from minaret.users limit 1)",
        "select pg_read_file('/etc/passwd')",
      ])
        await assert.rejects(reader.read(statement(text)))
    }))

  test('cancels a statement that takes too long, and no other', () =>
    withReader(
      1,
      async reader => {
        const slow = reader.read(sleep(600))
        const next = reader.read(statement("select 'next'"))
        await assert.rejects(slow, { code: '57014' })
        assert.equal(await next, 'next')
      },
      { ...patient, statementTimeoutMs: 3000 },
    ))

  test('cancels an abandoned statement; those after it are answered', () =>
    withReader(1, async reader => {
      const client = someone()
      const slow = reader.read(sleep(600), client)
      const behind = Array.from({ length: 20 }, (_, index) =>
        reader.read(statement('select $1::text', [String(index)])),
      )
      slow.catch(() => undefined)
      await until(async () => (await running()) === 1)
      client.leave()
      await assert.rejects(slow, { code: '57014' })
      await until(async () => (await running()) === 0)
      assert.deepEqual(
        await Promise.all(behind),
        behind.map((_, index) => String(index)),
      )
    }))

  test('a statement abandoned in the queue is never sent', () =>
    withReader(1, async reader => {
      const client = someone()
      const running_ = [reader.read(sleep(0.5), { heavy: true }), reader.read(sleep(0.5), { heavy: true })]
      const waiting = reader.read(statement(`select pg_sleep(600)::text || 'never sent'`), { ...client, heavy: true })
      const rejected = assert.rejects(waiting, { code: '57014' })
      client.leave()
      await rejected
      assert.deepEqual(await Promise.all(running_), ['slept', 'slept'])
    }))

  test('a statement that exceeds its trial is moved to a slow lane and answered', () =>
    withReader(1, async reader => {
      assert.equal(await reader.read(freshSleep(0.3)), 'slept')
      const known = statement(`select pg_sleep($1::float8)::text || 'slept, known'`, ['0'])
      for (let count = 0; count < 5; count += 1) await reader.read(known)
      assert.equal(await reader.read({ ...known, values: ['0.3'] }), 'slept, known')
    }))

  const quick = statement("select 'quick'")

  test('slow statements of one app, all of them new, delay no other app', () =>
    withReader(2, async reader => {
      for (let count = 0; count < 5; count += 1) await reader.read(quick, { who: 'other' })
      const client = someone()
      const slow = Array.from({ length: 4 }, () => reader.read(freshSleep(600), client).catch(error => error.code))
      await until(async () => (await running()) === 2)
      for (let count = 0; count < 20; count += 1) await reader.read(quick, { who: 'other' })
      assert.equal(await reader.read(statement("select 'new to all'"), { who: 'other' }), 'new to all')
      client.leave()
      assert.deepEqual(new Set(await Promise.all(slow)), new Set(['57014']), 'none had ended before')
    }))

  test('a known statement that its variables make slow delays no other app', () =>
    withReader(2, async reader => {
      for (let count = 0; count < 30; count += 1) await reader.read(sleep(0))
      for (let count = 0; count < 5; count += 1) await reader.read(quick, { who: 'other' })
      const client = someone()
      const slow = Array.from({ length: 4 }, () => reader.read(sleep(600), client).catch(error => error.code))
      for (let count = 0; count < 20; count += 1) await reader.read(quick, { who: 'other' })
      await until(async () => (await running()) === 2)
      client.leave()
      assert.deepEqual(new Set(await Promise.all(slow)), new Set(['57014']), 'none had ended before')
    }))

  test('an app that holds all slow lanes gives one back when another app needs it', () =>
    withReader(1, async reader => {
      const all = [reader.read(freshSleep(10), { heavy: true }), reader.read(freshSleep(10), { heavy: true })]
      let ended = 0
      for (const one of all) one.finally(() => (ended += 1))
      await until(async () => (await running()) === 2)
      assert.equal(await reader.read(freshSleep(0.1), { who: 'other' }), 'slept')
      assert.equal(ended, 0)
      assert.deepEqual(await Promise.all(all), ['slept', 'slept'], 'nothing was lost')
    }))

  test('statements over the queue limit of one app are refused; another app waits its turn', () =>
    withReader(1, async reader => {
      const { waitingPerKey } = laneRules.slow
      const outcomes = Array.from({ length: waitingPerKey + 10 }, () =>
        reader.read(sleep(0.02), { heavy: true }).catch(error => `${error.status} ${error.code}`),
      )
      const other = reader.read(sleep(0.01), { who: 'other', heavy: true })
      assert.equal(await other, 'slept')
      const told = await Promise.all(outcomes)
      assert.deepEqual(new Set(told), new Set(['slept', '429 too-many-waiting']))
      assert.ok(told.filter(one => one === 'slept').length >= waitingPerKey)
    }))

  test('a statement that waits too long is refused; those it waited for go on', () =>
    withReader(1, async reader => {
      const ahead = [1, 2].map(() => reader.read(freshSleep(2), { heavy: true }))
      await until(async () => (await running()) === 2)
      // Its request arrived long ago.
      const since = performance.now() - patient.deadlineMs + 200
      const late = reader.read(freshSleep(600), { heavy: true, since })
      await assert.rejects(late, { status: 503, code: 'database-unavailable' })
      assert.deepEqual(await Promise.all(ahead), ['slept', 'slept'])
    }))

  test('many disconnects are cancelled over few connections, and the remaining clients are answered', () =>
    withReader(2, async reader => {
      await reader.read(statement("select 'ready'"))
      const crowd = Array.from({ length: 40 }, someone)
      const left = crowd.map(({ abandoned }) => reader.read(sleep(600), { abandoned }).catch(error => error.code))
      const stayed = reader.read(statement("select pg_sleep(0.01)::text || 'stayed'"))
      for (const { leave } of crowd) leave()
      let most = 0
      const watching = setInterval(async () => {
        const row = await owner.first<{ count: string }>(
          sql`select count(*) from pg_stat_activity where application_name = 'minaret cancel' and datname = current_database()`,
        )
        most = Math.max(most, Number(row?.count))
      }, 5)
      const codes = await Promise.all(left)
      clearInterval(watching)
      assert.deepEqual(new Set(codes), new Set(['57014']))
      assert.equal(await stayed, 'stayed')
      // Two at a time, and a server process may linger for a moment after its connection is closed.
      assert.ok(most <= 10, `${most} connections were there to cancel`)
    }))

  test('lost connections are reopened, and no response is lost', () =>
    withReader(2, async reader => {
      assert.equal(await reader.read(statement("select 'a'")), 'a')
      const asked = Array.from({ length: 20 }, () => reader.read(statement("select pg_sleep(0.02)::text || 'b'")))
      await owner.run(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'minaret reader' and datname = current_database()`,
      )
      assert.deepEqual(new Set(await Promise.all(asked)), new Set(['b']))
      assert.equal(await reader.read(statement("select 'c'")), 'c')
    }))

  test('a server that stood still while this process did is not taken to be silent', () =>
    withReader(1, async reader => {
      const backend = statement('select pg_backend_pid()::text')
      const isKept = async (): Promise<boolean> => {
        for (let count = 0; count < 5; count += 1) await reader.read(backend)
        const before = await reader.read(backend)
        process.kill(Number(before), 'SIGSTOP')
        const asked = reader.read(backend)
        await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)
        setTimeout(() => process.kill(Number(before), 'SIGCONT'), 250)
        return (await asked) === before
      }
      // Where processors are taken away it may really be silent now and then.
      let kept = false
      for (let round = 0; round < 10 && !kept; round += 1) kept = await isKept()
      assert.ok(kept)
    }))

  test('keeps a bounded number of statements prepared', () =>
    withReader(1, async reader => {
      for (let round = 0; round < 2; round += 1)
        for (let number = 0; number < 400; number += 1)
          await reader.read({ ...statement(`select '${number}'`), name: `bounded${number}` })
      const kept = Number(await reader.read(statement('select count(*)::text from pg_prepared_statements')))
      assert.ok(kept > 100 && kept <= 260, String(kept))
    }))

  test('reports when the database cannot be reached', async () => {
    const reader = createReader({
      targets: [{ ...connection, connectionString: undefined, host: '127.0.0.1', port: 1 } as Connection],
      log,
      connections: 1,
      statementTimeoutMs: 100,
    })
    await assert.rejects(reader.read(statement('select 1'), { who: 'an app' }), {
      code: 'database-unavailable',
      status: 503,
    })
    await reader.close()
  })
})
