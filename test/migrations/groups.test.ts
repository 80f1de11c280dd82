// The groups that hold the rights of readers and writers: in a cluster of its own, since they belong to all databases of one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestCluster, type TestCluster } from '../../scripts/tests/cluster.ts'
import { readingScopes } from '../../src/access/scopes.ts'
import { Fault } from '../../src/base/fault.ts'
import { createLogger } from '../../src/base/log.ts'
import { watchStructure } from '../../src/catalog/watch-structure.ts'
import type { Connection } from '../../src/db/connection.ts'
import { openDatabase } from '../../src/db/database.ts'
import { openListener } from '../../src/db/listener.ts'
import { migrate } from '../../src/db/migrate.ts'
import { readerConnection, writerConnection } from '../../src/db/roles.ts'
import { withClient } from '../../src/db/with-client.ts'
import { noPostgresql15, startCluster15 } from '../support/cluster-15.ts'
import { TEMPLATE } from '../support/database.ts'
import { TEST_SECRET } from '../support/minaret.ts'

const log = createLogger('error')
const groups = ['minaret_sandbox_writer', 'minaret_writer', 'minaret_sandbox', 'minaret_reader']

const run = (connection: Connection, ...statements: string[]): Promise<void> =>
  withClient(connection, async client => {
    for (const statement of statements) await client.query(statement)
  })

const membershipsOf = (connection: Connection): Promise<unknown[]> =>
  withClient(connection, async client => {
    const { rows } = await client.query(`
      select pg_has_role('minaret_writer', 'minaret_reader', 'usage') as writer,
        pg_has_role('minaret_sandbox_writer', 'minaret_sandbox', 'usage') as sandbox,
        pg_has_role('minaret_writer', 'minaret_sandbox', 'usage') as across,
        pg_has_role('minaret_reader', 'minaret_writer', 'usage') as upwards`)
    return rows
  })

const asRestored = (connection: Connection): Promise<void> =>
  run(connection, ...groups.flatMap(name => [`drop owned by ${name}`, `drop role ${name}`]))

const member = [{ writer: true, sandbox: true, across: false, upwards: false }]

/** `without`: takes inheritance away from a member, in the words of the server's version. */
const checkGroups = async ({ connection }: TestCluster, without: string): Promise<void> => {
  const database = { ...connection, database: TEMPLATE }
  assert.deepEqual(await membershipsOf(database), member)
  const before = await writerConnection(database, 'minaret_writer', TEST_SECRET)

  // A dump restored into another cluster: the migrations are there, the roles are not.
  await asRestored(database)
  await Promise.all(Array.from({ length: 4 }, () => migrate(database, log)))
  assert.deepEqual(await membershipsOf(database), member)

  await checkReading(database)

  // The logins had outlived their groups.
  const after = await writerConnection(database, 'minaret_writer', TEST_SECRET)
  assert.deepEqual(after, before)
  await run(after, "set minaret.test = 'the login works'")

  for (const broken of [without, 'revoke minaret_reader from minaret_writer']) {
    await run(database, broken)
    await migrate(database, log)
    assert.deepEqual(await membershipsOf(database), member, broken)
  }

  await checkRefusal(connection, database)
}

/** Whatever the reader may read is granted again, in the schema of extensions too. */
const checkReading = async (database: Connection): Promise<void> => {
  const owner = openDatabase(database, { poolSize: 2, log })
  const listener = await openListener(database, log)
  const structures = await watchStructure({
    database: owner,
    listener,
    log,
    schema: 'public',
    reader: 'minaret_reader',
    knownScopes: readingScopes,
    build: model => model,
  })
  structures.close()
  await listener.close()
  await owner.close()
  const reader = await readerConnection(database, 'minaret_reader', TEST_SECRET)
  await run(reader, 'select count(*) from up_masjids', "select unaccent('é')")
}

/** An owner without CREATEROLE is told what a superuser has to run. */
const checkRefusal = async (admin: Connection, database: Connection): Promise<void> => {
  await run(
    admin,
    `create role plain login password 'plain' nocreaterole`,
    `create database plain_data owner plain`,
    `revoke minaret_reader from minaret_writer`,
  )
  const plain = { ...database, database: 'plain_data', user: 'plain', password: 'plain' }
  await assert.rejects(migrate(plain, log), error => {
    assert.ok(error instanceof Fault)
    assert.equal(error.code, 'database_role_refused')
    assert.match(error.message, /could not be created: permission denied [\s\S]*\n {2}alter role plain createrole;/)
    return true
  })
  const refused = readerConnection(plain, 'minaret_reader', 'a secret of an installation without rights')
  await assert.rejects(refused, /could not be created: permission denied to create role/)
}

test('groups are ensured at every start, and writers inherit from readers', async () => {
  const cluster = await startTestCluster()
  await checkGroups(cluster, 'grant minaret_reader to minaret_writer with inherit false').finally(() => cluster.stop())
})

test('groups are ensured on PostgreSQL 15 too', { skip: noPostgresql15 }, async () => {
  const cluster = await startCluster15()
  await checkGroups(cluster, 'alter role minaret_writer noinherit').finally(() => cluster.stop())
})
