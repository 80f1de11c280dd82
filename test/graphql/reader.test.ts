import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import type { Connection } from '../../src/db/connection.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { createReader, type Reader } from '../../src/db/pipelined-reader.ts'
import { readerConnection } from '../../src/db/roles.ts'
import { sql } from '../../src/db/sql.ts'
import type { TextStatement } from '../../src/db/text-channel.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { TEST_SECRET } from '../support/minaret.ts'

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

const withReader = async (connections: number, work: (reader: Reader) => Promise<void>, statementTimeoutMs = 5000) => {
  const reader = createReader({ targets: [connection], log, connections, statementTimeoutMs })
  try {
    await work(reader)
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

/** A client that can go away. */
const someone = () => {
  const told = new Set<() => void>()
  return { told, leave: () => void [...told].map(tell => tell()) }
}
const running = async (): Promise<number> => {
  const row = await owner.first<{ count: string }>(
    sql`select count(*) from pg_stat_activity where datname = current_database() and query like '%pg_sleep(%' and query not like '%pg_stat_activity%' and state = 'active' and pid <> pg_backend_pid()`,
  )
  return Number(row?.count)
}

const open = async (): Promise<number> => {
  const row = await owner.first<{ count: string }>(
    sql`select count(*) from pg_stat_activity where datname = current_database() and application_name = 'minaret reader' and state = 'idle'`,
  )
  return Number(row?.count)
}

const until = async (check: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 3000
  while (!(await check())) {
    assert.ok(Date.now() < deadline, 'it did not come about')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

describe('the pipelined reader', () => {
  test('answers many at once, each with its own', () =>
    withReader(3, async reader => {
      const texts = await Promise.all(
        Array.from({ length: 300 }, (_, index) => reader.read(statement('select $1::text', [String(index)]))),
      )
      assert.deepEqual(
        texts,
        Array.from({ length: 300 }, (_, index) => String(index)),
      )
    }))

  test('a statement that fails leaves those before and behind it alone', () =>
    withReader(1, async reader => {
      const good = (text: string) => reader.read(statement('select $1::text', [text]))
      const bad = reader.read(statement('select ($1::int / 0)::text', ['1']))
      const unparsed = reader.read(statement('select nonsense from nowhere'))
      const first = good('a')
      await assert.rejects(bad, { code: '22012' })
      await assert.rejects(unparsed, { code: '42P01' })
      assert.deepEqual([await first, await good('b')], ['a', 'b'])
    }))

  test('settings hold for their own statement only, also when it fails', () =>
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

  test('may not write, whatever it is sent', () =>
    withReader(1, async reader => {
      for (const text of [
        "with gone as (delete from public.up_masjids returning 1) select 'x'",
        "select set_config('default_transaction_read_only', 'off', false) || (select password from minaret.users limit 1)",
        "select pg_read_file('/etc/passwd')",
      ])
        await assert.rejects(reader.read(statement(text)))
    }))

  test('ends a statement that takes too long, and nothing else', () =>
    withReader(
      1,
      async reader => {
        const slow = reader.read(sleep(5))
        const next = reader.read(statement("select 'next'"))
        await assert.rejects(slow, { code: '57014' })
        assert.equal(await next, 'next')
      },
      200,
    ))

  test('ends a statement that nobody waits for any more; those behind it are answered', () =>
    withReader(1, async reader => {
      const client = someone()
      const slow = reader.read(sleep(4), client.told)
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

  test('one that is abandoned while it waits is ended when its turn comes', () =>
    withReader(1, async reader => {
      const client = someone()
      await reader.read(statement("select 'ready'"))
      const first = reader.read(sleep(0.3))
      const waiting = reader.read(sleep(4), client.told)
      waiting.catch(() => undefined)
      client.leave()
      assert.equal(await first, 'slept')
      await assert.rejects(waiting, { code: '57014' })
    }))

  test('a slow statement does not hold up the others: they go another way, and it gets its own', () =>
    withReader(2, async reader => {
      await reader.read(statement('select 1::text'))
      await until(async () => (await open()) === 2)
      let slowEnded = false
      const slow = reader.read(sleep(3)).finally(() => {
        slowEnded = true
      })
      await until(async () => (await running()) === 1)
      // From then on it counts as long, and its lane as the last to choose.
      await new Promise(resolve => setTimeout(resolve, 80))
      await Promise.all(Array.from({ length: 50 }, () => reader.read(statement("select 'fast'"))))
      assert.equal(slowEnded, false)
      await slow
      let ended = 0
      const again = Array.from({ length: 4 }, () => reader.read(sleep(1.5)).finally(() => (ended += 1)))
      await until(async () => (await running()) > 0)
      await reader.read(statement("select 'fast'"))
      assert.equal(ended, 0)
      await Promise.all(again)
    }))

  test('a statement that runs out of time counts as slow, and does not hold up the others the next time', () =>
    withReader(
      2,
      async reader => {
        await assert.rejects(reader.read(sleep(20)), { code: '57014' })
        let ended = 0
        const again = Array.from({ length: 6 }, () =>
          reader.read(sleep(20)).catch(error => {
            ended += 1
            return error.code
          }),
        )
        await until(async () => (await running()) > 0)
        for (let count = 0; count < 20; count += 1) await reader.read(statement("select 'fast'"))
        assert.equal(ended, 0)
        assert.deepEqual(new Set(await Promise.all(again)), new Set(['57014']))
      },
      1500,
    ))

  test('a crowd that leaves is cancelled by few connections, and those who stayed are answered', () =>
    withReader(2, async reader => {
      await reader.read(statement("select 'ready'"))
      const crowd = Array.from({ length: 40 }, someone)
      const left = crowd.map(({ told }) => reader.read(sleep(3), told).catch(error => error.code))
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
      // Two at a time, and a server process may linger for a moment after its connection was closed.
      assert.ok(most <= 10, `${most} connections were there to cancel`)
    }))

  test('lost connections are made again, and no answer is lost with them', () =>
    withReader(2, async reader => {
      assert.equal(await reader.read(statement("select 'a'")), 'a')
      const asked = Array.from({ length: 20 }, () => reader.read(statement("select pg_sleep(0.02)::text || 'b'")))
      await owner.run(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'minaret reader' and datname = current_database()`,
      )
      assert.deepEqual(new Set(await Promise.all(asked)), new Set(['b']))
      assert.equal(await reader.read(statement("select 'c'")), 'c')
    }))

  test('keeps a bounded number of statements prepared', () =>
    withReader(1, async reader => {
      for (let round = 0; round < 2; round += 1)
        for (let number = 0; number < 400; number += 1)
          await reader.read({ ...statement(`select '${number}'`), name: `bounded${number}` })
      const kept = Number(await reader.read(statement('select count(*)::text from pg_prepared_statements')))
      assert.ok(kept > 100 && kept <= 260, String(kept))
    }))

  test('says so when the database cannot be reached', async () => {
    const reader = createReader({
      targets: [{ ...connection, connectionString: undefined, host: '127.0.0.1', port: 1 } as Connection],
      log,
      connections: 1,
      statementTimeoutMs: 100,
    })
    await assert.rejects(reader.read(statement('select 1')), { code: 'unavailable', status: 503 })
    await reader.close()
  })
})
