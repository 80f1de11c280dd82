import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createLogger } from '../../src/base/log.ts'
import { migrate } from '../../src/db/migrate.ts'
import { readerConnection } from '../../src/db/roles.ts'
import { createEmptyDatabase } from '../support/database.ts'

test('ten processes starting at once migrate an empty database once, and all succeed', async () => {
  const database = await createEmptyDatabase()
  try {
    const runs = await Promise.all(
      Array.from({ length: 10 }, () => migrate(database.connection, createLogger('error'))),
    )
    const worked = runs.filter(names => names.length > 0)
    assert.equal(worked.length, 1)
    for (const schema of ['minaret', 'public', 'sandbox'])
      assert.ok(
        worked[0]?.some(name => name.startsWith(`${schema}/`)),
        schema,
      )
  } finally {
    await database.drop()
  }
})

test('the reading role can read nothing in identity, and can write nothing at all', async () => {
  const database = await createEmptyDatabase()
  try {
    await migrate(database.connection, createLogger('error'))
    // Ten at once, as at startup.
    const secret = `another secret of at least 32 characters ${Math.random()}`
    const [reader] = await Promise.all(
      Array.from({ length: 10 }, () => readerConnection(database.connection, 'minaret_reader', secret)),
    )
    const client = new pg.Client(reader)
    await client.connect()
    const refused = async (statement: string, words: RegExp): Promise<void> =>
      assert.rejects(client.query(statement), words, statement)
    await refused('select * from minaret.users', /permission denied for schema minaret/)
    await refused('select * from sandbox.up_masjids', /permission denied for schema sandbox/)
    await refused('create table public.mine ()', /read-only transaction/)
    await client.query('set default_transaction_read_only = off')
    await refused('create table public.mine ()', /permission denied for schema public/)
    await refused(`delete from public.up_masjids`, /permission denied for table up_masjids/)
    await refused('set role minaret', /permission denied/)
    await client.end()
  } finally {
    await database.drop()
  }
})
