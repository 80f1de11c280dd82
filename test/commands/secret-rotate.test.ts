// `minaret secret rotate` as an operator does it: beside running processes, as an owner that is not a superuser. Nobody notices.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import type { User } from '../../src/accounts/users.ts'
import { commandActor } from '../../src/audit/record-audit.ts'
import { sealedColumns } from '../../src/commands/secret/sealed-columns.ts'
import type { Cluster } from '../../src/db/embedded/cluster.ts'
import { startCluster } from '../../src/db/embedded/cluster.ts'
import { StartFault } from '../../src/db/embedded/start-fault.ts'
import { loginNames } from '../../src/db/roles.ts'
import { sql } from '../../src/db/sql.ts'
import type { Service } from '../../src/service/start-service.ts'
import { createEndpoint } from '../../src/webhooks/change-endpoint.ts'
import { openSecret, sealingSecret } from '../../src/webhooks/secrets.ts'
import { serve } from '../faults/own-cluster.ts'
import { makeApp, makeUser, PASSWORD } from '../support/apps.ts'
import { type Authenticator, enterCode, letCodesPass, setUpAuthenticator } from '../support/authenticator.ts'
import { basic, makeClient, readTokens, type TestApp } from '../support/oauth.ts'
import { createPerson, type Person } from '../support/person.ts'
import { createPlainOwner, type PlainOwner } from '../support/plain-owner.ts'
import { type Ended, runCommand, temporaryFolder } from '../support/process.ts'

const FORMER = 'q9Zr4Tn1vKf8Wm2Xc7Bd5Hy3Lj6Gp0AsUeIoNw'
const NEW = 'Yb7Lq2Vx9Rm4Kt6Jd1Hs8Pw3Fz5Gn0CaEuOiTy'
const OTHER = 'Nm3Wc8Bv1Xz6Lk9Jh4Gf7Ds2Ap5Qo0TyUrEiWq'

type Secrets = Readonly<Record<string, string>>
const former: Secrets = { MINARET_SECRET: FORMER }
const both: Secrets = { MINARET_SECRET: NEW, MINARET_SECRET_PREVIOUS: FORMER }
const renewed: Secrets = { MINARET_SECRET: NEW }

interface Running {
  readonly service: Service
  readonly url: string
}

const folder = temporaryFolder()
const running: Service[] = []
let cluster: Cluster
let owner: PlainOwner
let first: Running
let second: Running
let third: Running
let app: TestApp
let token: string
let user: User
let authenticator: Authenticator
let endpoint: { id: string; secret: string }

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return String(port)
}

/** All at one address, as behind a balancer. */
const start = async (secrets: Secrets): Promise<Running> => {
  const port = await freePort()
  const service = await serve(owner.url, { ...secrets, PORT: port, BASE_URL: 'http://localhost:3999' })
  running.push(service)
  return { service, url: `http://127.0.0.1:${port}` }
}

const stop = async ({ service }: Running): Promise<void> => {
  running.splice(running.indexOf(service), 1)
  await service.stop()
}

const command = (words: readonly string[], secrets: Secrets): Promise<Ended> =>
  runCommand(words, { ...secrets, DATABASE_URL: owner.url })

const askToken = async ({ url }: Running): Promise<string> => {
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'masjid:read' })
  const response = await fetch(`${url}/api/oauth/token`, { method: 'POST', headers: basic(app), body })
  return (await readTokens(response)).access_token
}

const readsWith = async ({ url }: Running, bearer: string): Promise<number> => {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' })
  return (await fetch(`${url}/v1/graphql`, { method: 'POST', headers, body })).status
}

const signIn = async ({ url, service }: Running, fields: Record<string, string>): Promise<string | number> => {
  const person: Person = createPerson(url)
  await letCodesPass(service.database, user.id)
  await person.signIn(user.email, PASSWORD)
  const { location, status } = await enterCode(person, fields)
  return location?.replace(/^https?:\/\/[^/]+/, '') ?? status
}

before(async () => {
  cluster = await startCluster(folder.path, { fsync: 'off', full_page_writes: 'off' })
  owner = await createPlainOwner(cluster)
  first = await start(former)
  const { database } = first.service
  app = await makeClient(database, { kind: 'confidential' })
  user = await makeUser(database)
  const person = createPerson(first.url)
  await person.signIn(user.email, PASSWORD)
  authenticator = await setUpAuthenticator(person)
  endpoint = await createEndpoint(database, {
    appId: (await makeApp(database, { scopes: ['masjid:read'] })).id,
    actor: commandActor,
    environment: 'live',
    values: { url: 'https://hooks.example.org/', description: '', tables: ['up_masjids'], masjids: null, query: null },
    sealing: sealingSecret([FORMER]),
  })
  token = await askToken(first)
})
after(async () => {
  for (const service of running) await service.stop()
  await cluster?.stop()
  folder.remove()
})

test('a new secret beside the former one: both processes accept everything', async () => {
  second = await start(both)
  assert.equal(await readsWith(second, token), 200)
  assert.equal(await readsWith(first, await askToken(second)), 200)
  assert.equal(await signIn(second, { code: authenticator.code() }), '/account')
})

test('doctor opens one of each kind, and says what is still sealed with the former secret', async () => {
  const { stdout } = await command(['doctor', '--json'], both)
  const found = JSON.parse(stdout).findings.filter(({ check }: { check: string }) => check === 'sealed')
  assert.equal(found[0]?.status, 'warning')
  assert.match(found[0]?.remedy, /secret rotate/)
})

test('rotating is refused without the former secret, with a wrong one, and while a process knows only the former', async () => {
  assert.match((await command(['secret', 'rotate'], renewed)).stderr, /Set MINARET_SECRET to the new secret/)
  const wrong = await command(['secret', 'rotate'], { MINARET_SECRET: NEW, MINARET_SECRET_PREVIOUS: OTHER })
  assert.match(wrong.stderr, /opens the signing keys/)
  const early = await command(['secret', 'rotate'], both)
  assert.equal(early.status, 1)
  assert.match(early.stderr, /connections belong to processes that know only the former secret/)
})

test('rotating seals everything again beside the running process, and drops the former logins', async () => {
  await stop(first)
  const { status, stdout, stderr } = await command(['secret', 'rotate'], both)
  assert.equal(status, 0, stderr)
  assert.match(stdout, /signing keys: 4\n.*authenticator apps: 1\n/)
  assert.equal(await readsWith(second, token), 200)
  assert.equal(await readsWith(second, await askToken(second)), 200)
  assert.equal(await signIn(second, { code: authenticator.code() }), '/account')
  const left = await second.service.database.query(
    sql`select rolname from pg_roles where rolname = any (${loginNames(FORMER)})`,
  )
  assert.deepEqual(left, [])
  const [entry] = await second.service.database.query(
    sql`select action from minaret.audit_log where action = 'secret.rotated'`,
  )
  assert.ok(entry)
})

test('with the new secret alone everything works on: tokens, factors, codes on paper, webhooks', async () => {
  await stop(second)
  third = await start(renewed)
  assert.equal(await readsWith(third, token), 200)
  assert.equal(await signIn(third, { code: authenticator.code() }), '/account')
  assert.equal(
    await signIn(third, { kind: 'recovery', recovery_code: authenticator.recoveryCodes[0] ?? '' }),
    '/account',
  )
  const row = await third.service.database.first<{ sealed: string }>(sql`
    select encode(sealed, 'base64') as sealed from minaret.webhook_secrets where endpoint_id = ${endpoint.id}`)
  const opened = openSecret(row?.sealed ?? '', endpoint.id, sealingSecret([NEW]))
  assert.equal(`whsec_${opened.toString('base64')}`, endpoint.secret)
  const [act] = await third.service.database.query(sql`
    select count(*)::int as acts, bool_and(after ->> 'secret' = '\\x' || encode(secret, 'hex')) as same
    from minaret.account_acts, minaret.totp_factors where table_name = 'minaret.totp_factors' and act = 'replaced'`)
  assert.deepEqual(act, { acts: 1, same: true }, 'sealing again is nobody’s act, and what is kept of acts fits')
  const { stdout } = await command(['doctor', '--json'], renewed)
  const sealed = JSON.parse(stdout).findings.filter(({ check }: { check: string }) => /sealed|signing-keys/.test(check))
  assert.deepEqual(
    sealed.map(({ status }: { status: string }) => status),
    ['ok', 'ok'],
  )
})

test('the former secret opens nothing: the start says so, and a factor is refused without an internal error', async () => {
  await assert.rejects(start(former), StartFault)
  await third.service.database.run(sql`
    update minaret.totp_factors set secret = sha256(secret) || secret where user_id = ${user.id}`)
  assert.equal(await signIn(third, { code: authenticator.code() }), 503)
  const { status, stdout } = await command(['doctor', '--json'], renewed)
  assert.equal(status, 1)
  assert.match(stdout, /authenticator apps/)
})

/** Digests, and what is no secret. */
const notSealed = /_hash$|^counts\.key$|^images\.content$|^passkeys\.public_key$/

test('the list names every sealed column of the schema', async () => {
  const rows = await third.service.database.query<{ name: string }>(sql`
    select format('%s.%s', c.relname, a.attname) as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'minaret'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.atttypid = 'bytea'::regtype order by 1`)
  const found = rows.map(({ name }) => name)
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  assert.deepEqual(
    found.filter(name => !notSealed.test(name)).filter(name => !listed.includes(name)),
    [],
  )
  assert.deepEqual(
    listed.filter(name => !found.includes(name)),
    [],
  )
})
