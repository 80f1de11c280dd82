// A database that an earlier version left → upgraded by this one, with everything still working, also while the earlier runs on.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { missingMigrations } from '../../src/db/missing-migrations.ts'
import { withClient } from '../../src/db/with-client.ts'
import type { Service } from '../../src/service/start-service.ts'
import { serve } from '../faults/own-cluster.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { startedTemplate, TEST_SECRET } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { type RunningProcess, runCommand, startMinaretProcess, temporaryFolder } from '../support/process.ts'
import { markSandboxFilled } from '../support/sandbox-template.ts'
import { readStructure } from './structure.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const RELEASE = '0.1.0-2026-11-16'

interface Facts {
  readonly commit: string
  readonly clientId: string
  readonly clientSecret: string
  readonly key: string
}

const facts = JSON.parse(readFileSync(`${root}test/upgrades/${RELEASE}.json`, 'utf8')) as Facts

/** In a clone without history there is only the dump. */
const noHistory: string | false =
  spawnSync('git', ['cat-file', '-e', `${facts.commit}^{commit}`], { cwd: root }).status === 0
    ? false
    : `The commit ${facts.commit} is not in this clone: the earlier version cannot run.`

const folder = temporaryFolder()
let database: TestDatabase
let earlier: RunningProcess | undefined
let service: Service
let entries: unknown[]
let examined: string

const logged = async (): Promise<Record<string, unknown>[]> =>
  (
    await withClient(database.connection, client =>
      client.query('select id, at::text, action, actor, app_id, user_id, detail from minaret.audit_log order by id'),
    )
  ).rows

const restore = async (): Promise<void> => {
  const text = gunzipSync(readFileSync(`${root}test/upgrades/${RELEASE}.sql.gz`)).toString()
  await withClient(database.connection, async client => {
    await client.query(text)
    await client.query(`
      insert into minaret.api_keys (app_id, name, hint, key_hash, environment, scopes, created_by, created_at)
      select app.id, 'added ' || days, '', sha256(days::text::bytea), 'test', '{masjid:read}', owner_id, now() - make_interval(days => days)
      from (select id, owner_id from minaret.apps limit 1) app cross join (values (3), (40)) as added (days)`)
    await client.query(markSandboxFilled)
  })
}

/** The source of the earlier version, with the packages of this one. */
const startEarlier = (): Promise<RunningProcess> => {
  const place = join(folder.path, 'earlier')
  mkdirSync(place)
  const archive = execFileSync('git', ['archive', facts.commit], { cwd: root, maxBuffer: 1024 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', place], { input: archive })
  symlinkSync(`${root}node_modules`, join(place, 'node_modules'))
  const patient = { REQUEST_DEADLINE_MS: '30000', STATEMENT_TIMEOUT_MS: '20000' }
  const environment = { DATABASE_URL: database.url, MINARET_SECRET: TEST_SECRET, DEMO_DATA: 'off', ...patient }
  return startMinaretProcess(environment, { program: join(place, 'src/main.ts') })
}

before(async () => {
  database = await createEmptyDatabase()
  await restore()
  entries = await logged()
  examined = (await runCommand(['doctor', '--json'], { DATABASE_URL: database.url, MINARET_SECRET: TEST_SECRET }))
    .stdout
  if (noHistory === false) earlier = await startEarlier()
  service = await serve(database.url, { REQUEST_DEADLINE_MS: '30000', STATEMENT_TIMEOUT_MS: '20000' })
})
after(async () => {
  await service?.stop()
  await earlier?.stop('SIGINT')
  await database.drop()
  folder.remove()
})

const ask = async (baseUrl: string, query: string): Promise<unknown> => {
  const response = await fetch(`${baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${facts.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return response.json()
}

const asApp = (url: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${facts.clientId}:${facts.clientSecret}`)}` },
    body: new URLSearchParams(fields),
  })

const issue = (baseUrl: string): Promise<Response> =>
  asApp(`${baseUrl}/api/oauth/token`, { grant_type: 'client_credentials', scope: 'masjid:read' })

const revoke = (baseUrl: string, token: string): Promise<Response> => asApp(`${baseUrl}/oauth/revoke`, { token })

const QUERY = '{ up_masjids { name } }'
const ANSWER = { data: { up_masjids: [{ name: 'Larkspur Lane Masjid' }] } }

test('doctor looks at it before the upgrade, and none of its checks fails for what is not there yet', () => {
  const { findings } = JSON.parse(examined) as {
    findings: readonly { readonly check: string; readonly found: string }[]
  }
  const found = (check: string): string => findings.find(finding => finding.check === check)?.found ?? ''
  assert.match(found('migrations'), /have not run/)
  assert.match(found('sealed'), /decrypts/)
  for (const finding of findings) assert.doesNotMatch(finding.found, /This check failed/)
})

test('every migration runs, in whatever order their numbers came to be, and no row is lost', async () => {
  const missing = await withClient(database.connection, missingMigrations)
  assert.deepEqual(missing, { pending: [], unknown: [] })
  const { rows } = await withClient(database.connection, client =>
    client.query('select given_name, version from ua_members'),
  )
  assert.equal(rows.length, 1)
  assert.equal(rows[0].given_name, 'Amina')
})

test('keys and secrets of before work', async () => {
  assert.deepEqual(await ask(service.baseUrl, QUERY), ANSWER)
  const response = await issue(service.baseUrl)
  assert.equal(response.status, 200, await response.text())
})

test('what was added in the 30 days before counts as far as the rows say by whom, for an account that is taken back', async () => {
  const { rows } = await withClient(database.connection, client =>
    client.query(`select added.name, act.act, act.actor_id = added.created_by as own
      from minaret.account_acts act join minaret.api_keys added on act.key ->> 'id' = added.id::text
      where act.table_name = 'minaret.api_keys' and added.name like 'added %'`),
  )
  assert.deepEqual(rows, [{ name: 'added 3', act: 'added', own: true }])
})

test('the earlier version goes on beside it', { skip: noHistory }, async () => {
  const baseUrl = earlier?.baseUrl ?? ''
  assert.deepEqual(await ask(baseUrl, QUERY), ANSWER)
  const response = await issue(baseUrl)
  assert.equal(response.status, 200, await response.text())
})

test('every entry of the audit log is still there, in order, and new ones follow', async () => {
  assert.ok(entries.length > 0)
  const now = await logged()
  assert.deepEqual(now.slice(0, entries.length), entries)
  const partitions = await withClient(database.connection, client =>
    client.query<{ name: string }>(
      'select distinct tableoid::regclass::text as name from minaret.audit_log where id <= $1',
      [(entries.at(-1) as { id: string }).id],
    ),
  )
  assert.equal(partitions.rows.length, 1)
  assert.match(partitions.rows[0]?.name ?? '', /audit_log_before_\d{4}_\d{2}$/)
})

test('both versions write the audit log', { skip: noHistory }, async () => {
  // Not of tokens that are issued: those that follow each other are counted.
  const revocations = async (): Promise<number> =>
    (await logged()).filter(({ action }) => action === 'oauth.token_revoked').length
  for (const baseUrl of [earlier?.baseUrl ?? '', service.baseUrl]) {
    const before = await revocations()
    const { access_token } = (await (await issue(baseUrl)).json()) as { access_token: string }
    assert.equal((await revoke(baseUrl, access_token)).status, 200)
    await within(60_000, 'an entry', async () => (await revocations()) > before)
  }
})

test('the structure is that of a new database', async () => {
  const fresh = await createDatabase(await startedTemplate())
  try {
    const expected = new Set(await withClient(fresh.connection, readStructure))
    const upgraded = new Set(await withClient(database.connection, readStructure))
    assert.ok(expected.size > 1000)
    assert.deepEqual(
      { lost: [...expected.difference(upgraded)], left: [...upgraded.difference(expected)] },
      { lost: [], left: [] },
    )
  } finally {
    await fresh.drop()
  }
})
