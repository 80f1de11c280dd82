import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { createEmptyDatabase } from '../../test/support/database.ts'
import { createLogger } from '../base/log.ts'
import { openDatabase, type Queryable } from './database.ts'
import { sql } from './sql.ts'
import { withClient } from './with-client.ts'

const backendOf = async (queryable: Queryable): Promise<number> =>
  (await queryable.first<{ pid: number }>(sql`select pg_backend_pid() as pid`))?.pid ?? 0

test('a lost connection is replaced; the log has the reason, but no connection details', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: line => void lines.push(line) })
  const { connection, drop } = await createEmptyDatabase()
  const database = openDatabase(connection, { poolSize: 1, log })
  const other = openDatabase(connection, { poolSize: 1, log })
  await other.run(sql`select pg_terminate_backend(${await backendOf(database)}::int)`)
  for (let waited = 0; lines.length === 0 && waited < 60_000; waited += 10) await delay(10)
  assert.equal((await database.query(sql`select 1`)).length, 1)
  await Promise.all([database.close(), other.close()])
  await drop()
  assert.equal(lines.length, 1)
  const { level: _, time: __, pid: ___, hostname: ____, ...said } = JSON.parse(lines[0] as string)
  assert.deepEqual(said, {
    reason: 'terminating connection due to administrator command',
    msg: 'a database connection was lost',
  })
})

for (const [when, meanwhile] of [
  ['between two statements', () => delay(300)],
  ['during a statement', (transaction: Queryable) => transaction.run(sql`select pg_sleep(20)`)],
] as const)
  test(`a connection lost in a transaction, ${when}, fails only that transaction`, async () => {
    const log = createLogger('silent')
    const { connection, drop } = await createEmptyDatabase()
    const database = openDatabase(connection, { poolSize: 1, log })
    const other = openDatabase(connection, { poolSize: 1, log })
    const lost = database.transaction(async transaction => {
      const backend = await backendOf(transaction)
      const ending = delay(50).then(() => other.run(sql`select pg_terminate_backend(${backend}::int)`))
      await meanwhile(transaction)
      await ending
      await transaction.run(sql`select 1`)
    })
    await assert.rejects(lost)
    assert.equal((await database.query(sql`select 1`)).length, 1)
    await Promise.all([database.close(), other.close()])
    await drop()
  })

test('a lost dedicated connection fails only its own work', async () => {
  const { connection, drop } = await createEmptyDatabase()
  const lost = withClient(connection, async client => {
    const { rows } = await client.query('select pg_backend_pid() as pid')
    await withClient(connection, other => other.query('select pg_terminate_backend($1)', [rows[0].pid]))
    await delay(100)
    return client.query('select 1')
  })
  await assert.rejects(lost)
  await drop()
})
