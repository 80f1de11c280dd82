import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { createEmptyDatabase } from '../../test/support/database.ts'
import { openDatabase } from './database.ts'
import { sql } from './sql.ts'

test('a connection that is lost is replaced; the log has the reason, and nothing of the connection', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: line => void lines.push(line) })
  const { connection, drop } = await createEmptyDatabase()
  const database = openDatabase(connection, { poolSize: 1, log })
  const other = openDatabase(connection, { poolSize: 1, log })
  const backend = await database.first<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  await other.run(sql`select pg_terminate_backend(${backend?.pid}::int)`)
  for (let waited = 0; lines.length === 0 && waited < 5000; waited += 10) await delay(10)
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
