// `minaret user|app|key …` as typed: output, JSON and exit status.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { lastMailTo } from '../support/mail.ts'
import { TEST_SECRET, useMinaret } from '../support/minaret.ts'
import { createPerson } from '../support/person.ts'
import { runCommand, runMinaret, temporaryFolder } from '../support/process.ts'

const minaret = useMinaret()

const settings = () => ({ DATABASE_URL: minaret().databaseUrl, MINARET_SECRET: TEST_SECRET })
const run = (line: readonly string[]) => runCommand(line, settings())

const json = async (line: readonly string[]): Promise<Record<string, string>> => {
  const { status, stdout, stderr } = await run([...line, '--json'])
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

const production = { NODE_ENV: 'production', BASE_URL: 'https://id.example.org' }
const owner = ['--owner', 'owner@example.org']
const createApp = ['app', 'create', ...owner, '--name', 'Board', '--description', 'A board.']

test('a user is created, as a reviewer if requested', async () => {
  const user = ['user', 'create', '--email', 'owner@example.org', '--name', 'Owner']
  assert.equal((await json([...user, '--reviewer'])).reviewer, true)
})

test('an email address can be used once, and a short password is refused', async () => {
  const create = (email: string, ...more: readonly string[]) =>
    run(['user', 'create', '--email', email, '--name', 'X', ...more])
  assert.equal((await create('OWNER@example.org')).status, 1)
  const folder = temporaryFolder()
  try {
    const fileWith = (password: string): string => {
      writeFileSync(join(folder.path, 'password'), `${password}\n`, { mode: 0o600 })
      return join(folder.path, 'password')
    }
    const short = await create('b@example.org', '--password-file', fileWith('short'))
    assert.equal(short.status, 1)
    assert.match(short.stderr, /at least 10/)
    assert.equal((await create('b@example.org', '--password-file', fileWith('password1234'))).status, 1)
    assert.match(
      (await create('b@example.org', '--password-file', '/nowhere')).stderr,
      /cannot be read from \/nowhere: ENOENT/,
    )
    assert.equal((await create('b@example.org', '--password-file', fileWith('a long password'))).status, 0)
    const person = createPerson(minaret().baseUrl)
    assert.equal((await person.signIn('b@example.org', 'a long password')).location, '/account')
  } finally {
    folder.remove()
  }
})

test('no password in arguments: a link to choose one is printed, which works once', async () => {
  const inArguments = await run([
    'user',
    'create',
    '--email',
    'c@example.org',
    '--name',
    'C',
    '--password',
    'a long one',
  ])
  assert.equal(inArguments.status, 2)
  assert.match(inArguments.stderr, /No password in arguments/)
  const { link = '' } = await json(['user', 'create', '--email', 'c@example.org', '--name', 'C', '--admin'])
  const path = `${new URL(link).pathname}${new URL(link).search}`
  const person = createPerson(minaret().baseUrl)
  const chosen = await person.submit(path, '/reset-password', { password: 'a very long password' })
  assert.ok(chosen.status < 400, chosen.text)
  assert.ok((await person.signIn('c@example.org', 'a very long password')).location?.startsWith('/'))
  assert.ok((await person.get(path)).status >= 400)
})

test('user reset-factors removes what somebody has lost, once', async () => {
  const { database } = minaret().service
  const line = ['user', 'reset-factors', '--email', 'owner@example.org']
  await database.run(sql`
    insert into minaret.totp_factors (user_id, secret, confirmed_at)
    select id, 'sealed', now() from minaret.users where email = 'owner@example.org'`)
  assert.equal(String((await json(line)).reset), 'true')
  assert.equal(String((await json(line)).reset), 'false')
  const entry = await database.first<{ actor: string }>(sql`
    select actor from minaret.audit_log where action = 'user.factors_reset'`)
  assert.equal(entry?.actor, 'command')
  assert.equal((await run(['user', 'reset-factors', '--email', 'nobody@example.org'])).status, 1)
})

test('a confidential app, approved immediately, has client_id, state and client_secret', async () => {
  const app = await json([...createApp, '--kind', 'confidential', '--scope', 'masjid:read events:read', '--approve'])
  assert.match(String(app.client_id), /^app_/)
  assert.equal(app.state, 'approved')
  assert.match(String(app.client_secret), /^ms_[\w-]{43}$/)
  const key = await json([
    'key',
    'create',
    '--client-id',
    String(app.client_id),
    '--scope',
    'masjid:read',
    '--expires',
    '30d',
  ])
  assert.match(String(key.key), /^mk_live_/)
  const test = await json(['key', 'create', '--client-id', String(app.client_id), '--scope', 'members:read', '--test'])
  assert.match(String(test.key), /^mk_test_/)
  const listed = await run(['key', 'list', '--client-id', String(app.client_id)])
  assert.match(listed.stdout, /live key {2}masjid:read\n/)
  const named = ['--client-id', String(app.client_id)]
  const limited = await json(['key', 'create', ...named, '--scope', 'masjid:read', '--limit', '60'])
  assert.equal(limited.requests_per_minute, 60)
  assert.match((await run(['key', 'list', ...named])).stdout, /masjid:read {2}at most 60 a minute\n/)
  for (const wrong of ['0', '60001']) {
    const refused = await run(['key', 'create', ...named, '--scope', 'masjid:read', '--limit', wrong])
    assert.equal(refused.status, 1)
    assert.match(refused.stderr, /from 1 to 60000/)
  }
  assert.equal((await run(['key', 'create', ...named, '--scope', 'masjid:read', '--limit', 'many'])).status, 2)
  const byId = [...named, '--key-id', String(limited.id)]
  assert.equal((await json(['key', 'limit', ...byId, '--limit', '5'])).requests_per_minute, 5)
  assert.equal((await json(['key', 'limit', ...byId, '--none'])).requests_per_minute, null)
  assert.doesNotMatch((await run(['key', 'list', ...named])).stdout, /a minute/)
  const secret = await json(['app', 'secret', '--client-id', String(app.client_id)])
  assert.notEqual(secret.client_secret, app.client_secret)
  await json(['key', 'revoke', '--client-id', String(app.client_id), '--key-id', String(key.id)])
  const beyond = await run(['key', 'create', '--client-id', String(app.client_id), '--scope', 'members:read'])
  assert.equal(beyond.status, 1)
})

test('a public app has no secret', async () => {
  const redirect = ['--redirect-uri', 'https://a.example/cb', '--redirect-uri', 'http://localhost:1234/cb']
  const app = await json([...createApp, '--kind', 'public', ...redirect, '--scope', 'openid masjid:read', '--approve'])
  assert.equal('client_secret' in app, false)
})

test('decisions: reject, approve with fewer scopes, suspend, reinstate, delete', async () => {
  const create = [...createApp, '--kind', 'confidential', '--scope', 'masjid:read members:read']
  const first = await json(create)
  assert.equal(first.state, 'pending')
  assert.equal(first.client_id, null)
  assert.equal((await json(['app', 'reject', '--id', String(first.id), '--reason', 'No.'])).state, 'rejected')
  assert.equal((await run(['app', 'approve', '--id', String(first.id)])).status, 1)
  const second = await json(create)
  const approved = await json(['app', 'approve', '--id', String(second.id), '--scope', 'masjid:read'])
  assert.equal(approved.scope, 'masjid:read')
  const named = ['--client-id', String(approved.client_id)]
  assert.equal((await json(['app', 'suspend', ...named])).state, 'suspended')
  assert.equal((await run(['app', 'suspend', ...named])).status, 1)
  assert.equal((await json(['app', 'reinstate', ...named])).state, 'approved')
  assert.equal((await json(['app', 'delete', ...named])).state, 'deleted')
  assert.equal((await run(['app', 'suspend', ...named])).status, 1)
})

test('the claims of userinfo without openid are chosen at approval, and can change later', async () => {
  const create = [...createApp, '--kind', 'confidential', '--scope', 'masjid:read']
  const all = await json(['app', 'approve', '--id', String((await json(create)).id)])
  assert.equal(all.plain_claims, 'email name picture')
  const id = String((await json(create)).id)
  assert.equal((await run(['app', 'approve', '--id', id, '--claims', 'phone'])).status, 1)
  assert.equal((await json(['app', 'approve', '--id', id, '--claims', 'none'])).plain_claims, '')
  assert.equal((await json(['app', 'claims', '--id', id, '--claims', 'picture name'])).plain_claims, 'name picture')
})

test('an app becomes every masjid’s own, at approval or later, and nobody’s again', async () => {
  const create = [...createApp, '--kind', 'confidential', '--scope', 'events:write']
  const id = String((await json(create)).id)
  const contradiction = await run(['app', 'approve', '--id', id, '--own-masjid', 'all', '--masjid', id])
  assert.equal(contradiction.status, 2)
  assert.match(contradiction.stderr, /leave --masjid out/)
  assert.equal((await run(['app', 'approve', '--id', id, '--own-masjid', 'all', '--own-masjid', id])).status, 2)
  const approved = await json(['app', 'approve', '--id', id, '--own-masjid', 'all'])
  assert.deepEqual([approved.masjids, approved.own_masjids], ['*', '*'])
  assert.equal((await run(['app', 'masjids', '--id', id, '--own-masjid', 'none'])).status, 2)
  const narrowed = await run(['app', 'masjids', '--id', id, '--masjid', 'all', '--own-masjid', 'none'])
  assert.match(narrowed.stdout, /own {8}none \(so it writes for people only/)
  assert.equal((await run(['app', 'masjids', '--id', id, '--masjid', id, '--own-masjid', 'none'])).status, 1)
  const created = await json([...create, '--approve', '--own-masjid', 'all'])
  assert.equal(created.own_masjids, '*')
})

test('a refused command says why and exits with 1', async () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--kind', 'confidential', '--scope', 'masjid:own'], /no scope "masjid:own".*masjid:read/],
    [['--kind', 'public', '--scope', 'masjid:read'], /redirect URI is missing/],
    [['--kind', 'public', '--scope', 'masjid:read', '--redirect-uri', 'http://a.example/cb'], /not https/],
    [['--kind', 'other', '--scope', 'masjid:read'], /kind of app is missing/],
  ]
  await Promise.all(
    cases.map(async ([words, reason]) => {
      const { status, stderr } = await run([...createApp, ...words])
      assert.equal(status, 1, words.join(' '))
      assert.match(stderr, reason)
    }),
  )
  const nobody = await run([
    ...createApp,
    '--owner',
    'nobody@example.org',
    '--kind',
    'confidential',
    '--scope',
    'masjid:read',
  ])
  assert.equal(nobody.status, 1)
})

test('in production a custom URI scheme is refused, with what to use instead', async () => {
  const line = [
    ...createApp,
    '--kind',
    'public',
    '--scope',
    'masjid:read',
    '--redirect-uri',
    'com.example.app:/callback',
  ]
  assert.equal((await json(line)).state, 'pending')
  const { status, stderr } = await runCommand(line, { ...settings(), ...production })
  assert.equal(status, 1)
  assert.match(stderr, /In production redirect URIs are https: use a claimed https link/)
})

test('in production a loopback redirect URI is refused', async () => {
  const line = [...createApp, '--kind', 'public', '--scope', 'masjid:read', '--redirect-uri', 'http://localhost/cb']
  const { status, stderr } = await runCommand(line, { ...settings(), ...production })
  assert.equal(status, 1)
  assert.match(stderr, /not https/)
})

test('as a process: the result on standard output, a refusal and its reason on standard error', async () => {
  const create = [...createApp, '--kind', 'confidential', '--scope', 'masjid:read', '--json']
  const [created, refused] = await Promise.all([
    runMinaret(create, settings()),
    runMinaret([...create, '--owner', 'nobody@example.org'], settings()),
  ])
  assert.equal(created.status, 0)
  assert.equal(JSON.parse(created.stdout).state, 'pending')
  assert.match(created.stderr, /^Installation: /)
  assert.equal(refused.status, 1)
  assert.equal(JSON.parse(refused.stdout).error_description, refused.stderr.trimEnd().split('\n').at(-1))
  const wrong = await runMinaret(['app', 'create'], settings())
  assert.deepEqual([wrong.status, wrong.stdout], [2, ''])
})

test('a usage error exits with 2, --help with 0', async () => {
  const wrong = [
    ['app', 'create'],
    ['key', 'create', '--scope', 'masjid:read'],
    ['key', 'create', '--colour', 'red'],
    ['app', 'fly'],
  ]
  const help = ['user create', 'app create', 'key create', 'app'].map(words => [...words.split(' '), '--help'])
  const statuses = await Promise.all([...wrong, ...help].map(async line => (await run(line)).status))
  assert.deepEqual(statuses, [...wrong.map(() => 2), ...help.map(() => 0)])
})

test('app bound-tokens requires proofs of a key, or no longer', async () => {
  const app = await json([...createApp, '--kind', 'confidential', '--scope', 'masjid:read', '--approve'])
  const line = ['app', 'bound-tokens', '--client-id', String(app.client_id)]
  assert.equal(String((await json(line)).dpop_bound_access_tokens), 'true')
  assert.equal(String((await json([...line, '--optional'])).dpop_bound_access_tokens), 'false')
})

test('app team lists the team, invites, changes roles and removes; the last owner stays', async () => {
  const { id } = await json([
    ...createApp,
    '--kind',
    'public',
    '--redirect-uri',
    'https://board.example.org/callback',
    '--scope',
    'masjid:read',
  ])
  const team = (...words: string[]) => ['app', 'team', '--id', String(id), ...words]
  const { database } = minaret().service
  await json(['user', 'create', '--email', 'mate@example.org', '--name', 'Mate'])
  const invited = await json(team('--invite', 'MATE@example.org', '--role', 'viewer'))
  assert.deepEqual(
    (invited.invitations as unknown as { email: string; role: string }[]).map(({ email, role }) => [email, role]),
    [['mate@example.org', 'viewer']],
  )
  const { link } = await lastMailTo(database, 'mate@example.org')
  assert.match(link, /\/console\/invitations\//)
  await database.run(sql`
    insert into minaret.app_members (app_id, user_id, role)
    select ${id}, id, 'viewer' from minaret.users where email = 'mate@example.org'`)
  const roles = async (line: readonly string[]) =>
    ((await json(line)).members as unknown as { email: string; role: string }[]).map(({ email, role }) => [email, role])
  const owners = ['owner@example.org', 'owner']
  assert.deepEqual(await roles(team('--change', 'mate@example.org', '--role', 'developer')), [
    owners,
    ['mate@example.org', 'developer'],
  ])
  assert.deepEqual(await roles(team('--remove', 'mate@example.org')), [owners])
  assert.match((await run(team())).stdout, /owner {6}owner@example.org/)
  const last = await run(team('--remove', 'owner@example.org'))
  assert.equal(last.status, 1)
  assert.match(last.stderr, /always has an owner/)
  for (const wrong of [
    ['--role', 'owner'],
    ['--invite', 'a@b.org'],
    ['--change', 'a@b.org', '--role', 'king'],
  ])
    assert.equal((await run(team(...wrong))).status, 2, wrong.join(' '))
  assert.equal((await run(team('--remove', 'nobody@example.org'))).status, 1)
  const logged = await database.query<{ actor: string }>(sql`
    select actor from minaret.audit_log where app_id = ${id} and action like 'app.member%'`)
  assert.deepEqual(new Set(logged.map(({ actor }) => actor)), new Set(['command']))
})
