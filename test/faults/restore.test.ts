// Debian's PostgreSQL 15, as its pg_dump and pg_restore are here; the embedded PostgreSQL comes without them.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { createLogger } from '../../src/base/log.ts'
import type { Connection } from '../../src/db/connection.ts'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { sql } from '../../src/db/sql.ts'
import { withClient } from '../../src/db/with-client.ts'
import { makeKey } from '../support/apps.ts'
import { PROGRAMS_15, startFreshCluster15 } from '../support/cluster-15.ts'
import { urlOf } from '../support/database.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import { getTokens, makeFlow, refresh, type TestApp, type Tokens, userinfo } from '../support/oauth.ts'
import { type Ended, runCommand, runMinaret, temporaryFolder } from '../support/process.ts'
import { asTestMinaret, serve } from './own-cluster.ts'

type Fresh = Awaited<ReturnType<typeof startFreshCluster15>>

const folder = temporaryFolder()
const plain = join(folder.path, 'plain')
const sealed = join(folder.path, 'sealed')
const passphraseFile = join(folder.path, 'passphrase')

let old: Fresh
let other: Fresh
let app: TestApp
let tokens: Tokens
let key: string
let issuer: string

const urlIn = ({ connection }: Fresh, database: string): string => urlOf({ ...connection, database })

const command = (cluster: Fresh, database: string, args: readonly string[], secret = TEST_SECRET): Promise<Ended> =>
  runCommand(args, { DATABASE_URL: urlIn(cluster, database), MINARET_SECRET: secret })

const createDatabase = (cluster: Fresh, name: string): Promise<unknown> =>
  withClient({ ...cluster.connection }, client => client.query(`create database ${name}`))

before(async () => {
  assert.ok(
    existsSync(join(PROGRAMS_15, 'pg_dump')),
    'PostgreSQL 15 is not installed. On Debian: apt-get install postgresql-15',
  )
  writeFileSync(passphraseFile, 'a passphrase for tests\n')
  ;[old, other] = await Promise.all([startFreshCluster15(), startFreshCluster15()])
  await migrate(old.connection, createLogger('silent'))
  const service = await serve(urlIn(old, 'minaret'), { BASE_URL: 'http://localhost:3999' })
  issuer = service.baseUrl
  const minaret = { ...asTestMinaret(service, ''), baseUrl: `http://localhost:${service.port}` }
  const flow = await makeFlow(minaret)
  app = flow.app
  tokens = await getTokens(minaret, flow)
  key = (await makeKey(service.database, { appId: app.id })).key
  await service.stop()
  for (const args of [
    ['backup', '--to', plain],
    ['backup', '--to', sealed, '--passphrase-file', passphraseFile],
  ]) {
    const { status, stderr } = await command(old, 'minaret', args)
    assert.equal(status, 0, stderr)
  }
})
after(async () => {
  await Promise.all([old.stop(), other.stop()])
  folder.remove()
})

/** The triggers came with the dump, the rows and cursors did not: they are another cluster's. */
const assertLogged = async (database: Database): Promise<void> => {
  const state = await database.first<Record<string, unknown>>(sql`
    select (select count(*) > 10 from changes.logged_tables()) as tables,
      (select server = changes.this_server() from changes.history) as history,
      not exists (select from changes.log where xid >= pg_snapshot_xmax(pg_current_snapshot())) as rows,
      has_table_privilege('minaret_reader', 'changes.public_up_lines', 'select')
        and has_column_privilege('minaret_reader', 'changes.log', 'xid', 'select') as readable`)
  assert.deepEqual(state, { tables: true, history: true, rows: true, readable: true })
  await database.run(sql`insert into public.up_entities (legal_name, country) values ('x', 'US')`)
  const logged = await database.query(
    sql`select from changes.log where table_name = 'public.up_entities' and kind = 'insert'`,
  )
  assert.equal(logged.length, 1)
}

/** The logs by month came with their entries, their months and what protects them. */
const assertAudited = async (database: Database): Promise<void> => {
  const state = await database.first<Record<string, unknown>>(sql`
    select exists (select from minaret.audit_log) as entries,
      (select count(*) >= 4 from minaret.months_of('minaret.audit_log')) as months,
      (select max(id) from minaret.audit_log) < nextval('minaret.audit_log_ids') as numbers`)
  assert.deepEqual(state, { entries: true, months: true, numbers: true })
  await assert.rejects(database.run(sql`delete from minaret.audit_log`), /can only grow/)
}

/** Everything issued before works at a service on this database, and new tokens have the same keys. */
const assertSame = async (connection: Connection): Promise<void> => {
  const service = await serve(urlOf(connection), { BASE_URL: issuer })
  const minaret = { ...asTestMinaret(service, ''), baseUrl: `http://localhost:${service.port}` }
  try {
    const asked = await fetch(`${minaret.baseUrl}/v1/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ up_masjids { id } }' }),
    })
    assert.deepEqual(await asked.json(), { data: { up_masjids: [] } })
    assert.equal((await userinfo(minaret, tokens.access_token)).status, 200, 'the access token')
    const renewed = await refresh(minaret, app, tokens.refresh_token)
    assert.equal(renewed.status, 200, 'the refresh token')
    const published = (await (await fetch(`${minaret.baseUrl}/.well-known/jwks.json`)).json()) as JSONWebKeySet
    const { access_token } = (await renewed.json()) as Tokens
    for (const token of [access_token, tokens.access_token]) await jwtVerify(token, createLocalJWKSet(published))
    await assertLogged(service.database)
    await assertAudited(service.database)
  } finally {
    await service.stop()
  }
}

test('a backup is restored on another cluster: same keys, tokens and API keys', async () => {
  await createDatabase(other, 'restored')
  const { status, stderr } = await command(other, 'restored', ['restore', '--from', plain])
  assert.equal(status, 0, stderr)
  await assertSame({ ...other.connection, database: 'restored' })
})

test('so is an encrypted one, with its passphrase only', async () => {
  await createDatabase(other, 'decrypted')
  const without = await command(other, 'decrypted', ['restore', '--from', sealed])
  assert.deepEqual([without.status, /encrypted.*--passphrase-file/.test(without.stderr)], [1, true], without.stderr)
  const wrongFile = join(folder.path, 'wrong')
  writeFileSync(wrongFile, 'some other passphrase')
  const wrong = await command(other, 'decrypted', ['restore', '--from', sealed, '--passphrase-file', wrongFile])
  assert.deepEqual([wrong.status, /passphrase is not the one/.test(wrong.stderr)], [1, true], wrong.stderr)
  const right = await command(other, 'decrypted', ['restore', '--from', sealed, '--passphrase-file', passphraseFile])
  assert.equal(right.status, 0, right.stderr)
})

test('another secret is refused, before anything is written', async () => {
  await createDatabase(other, 'refused')
  const secret = 'another secret, also of 32 characters or more'
  const { status, stderr } = await command(other, 'refused', ['restore', '--from', plain], secret)
  assert.equal(status, 1)
  assert.match(stderr, /belongs to another MINARET_SECRET/)
  assert.doesNotMatch(stderr, /\n\s+at /)
})

test('a database that is not empty, and a damaged backup, are refused', async () => {
  const full = await command(old, 'minaret', ['restore', '--from', plain])
  assert.deepEqual([full.status, /Restore into an empty database/.test(full.stderr)], [1, true], full.stderr)
  const damaged = join(folder.path, 'damaged')
  execFileSync('cp', ['-a', plain, damaged])
  appendFileSync(join(damaged, 'database.dump'), 'x')
  const { status, stderr } = await command(other, 'refused', ['restore', '--from', damaged])
  assert.deepEqual([status, /SHA-256 differs/.test(stderr)], [1, true], stderr)
})

test('a plain pg_dump and pg_restore into a fresh cluster starts with the same secret, and with no other', async () => {
  const third = await startFreshCluster15()
  const environment = ({ connection: { host, port, user, password } }: Fresh): NodeJS.ProcessEnv => ({
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: String(password),
  })
  try {
    const file = join(folder.path, 'dump')
    execFileSync(join(PROGRAMS_15, 'pg_dump'), ['-Fc', '-f', file, 'minaret'], { env: environment(old) })
    // The roles are not there, so pg_restore reports their grants as errors, and exits with 1.
    try {
      execFileSync(join(PROGRAMS_15, 'pg_restore'), ['-d', 'minaret', file], {
        env: environment(third),
        stdio: 'ignore',
      })
    } catch (error) {
      assert.equal((error as { status?: number }).status, 1)
    }
    const wrong = await runMinaret(['serve'], {
      DATABASE_URL: urlOf(third.connection),
      MINARET_SECRET: 'another secret, also of 32 characters or more',
      DEMO_DATA: 'off',
    })
    assert.equal(wrong.status, 1)
    assert.match(wrong.stderr, /cannot be decrypted with this MINARET_SECRET/)
    await assertSame(third.connection)
  } finally {
    await third.stop()
  }
})
