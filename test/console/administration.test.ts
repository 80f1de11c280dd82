// Administration over HTTP: people, roles, sessions, disabling; the audit log and its filters; signing keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSession } from '../../src/accounts/sessions.ts'
import type { User } from '../../src/accounts/users.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeUser } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { createPerson, decodeHtml, type Person } from '../support/person.ts'

const minaret = useMinaret()
const database = (): Database => minaret().service.database

const signedIn = async (user: User): Promise<Person> => {
  const person = createPerson(minaret().baseUrl)
  const token = await startSession(database(), user.id, { address: undefined, userAgent: undefined })
  person.cookies.set('minaret_session', token)
  return person
}

const administrator = async (): Promise<Person> =>
  signedIn(await makeUser(database(), { isAdmin: true, hashed: false }))

test('people are found by a part of their name or address, whatever characters it contains', async () => {
  const admin = await administrator()
  await makeUser(database(), { name: 'Khadija 100% Amin_', email: 'khadija@masjid.example', hashed: false })
  for (const words of ['hadij', 'KHADIJA@masjid', '100%', 'amin_'])
    assert.match((await admin.get(`/admin?q=${encodeURIComponent(words)}`)).text, /Khadija/, words)
  for (const words of ['khad_ja', "' or true --", '%nobody%'])
    assert.doesNotMatch((await admin.get(`/admin?q=${encodeURIComponent(words)}`)).text, /Khadija/, words)
})

test('the reviewer role is granted, works, and is withdrawn', async () => {
  const admin = await administrator()
  const user = await makeUser(database(), { hashed: false })
  const page = `/admin/users/${user.id}`
  const person = await signedIn(user)
  assert.equal((await person.get('/review')).status, 403)
  assert.equal((await admin.submit(page, `${page}/rights`, {})).status, 303)
  assert.equal((await person.get('/review')).status, 200)
  await admin.submit(page, `${page}/rights`, {})
  assert.equal((await person.get('/review')).status, 403)
})

test('sessions are ended, and a disabled account is locked out at once', async () => {
  const admin = await administrator()
  const user = await makeUser(database(), { hashed: false })
  const page = `/admin/users/${user.id}`
  const first = await signedIn(user)
  assert.equal((await first.get('/console')).status, 200)
  await admin.submit(`${page}/end-sessions`, `${page}/end-sessions`, {})
  assert.equal((await first.get('/console')).status, 303)
  const second = await signedIn(user)
  await admin.submit(`${page}/disable`, `${page}/disable`, {})
  assert.equal((await second.get('/console')).status, 303)
  await admin.submit(page, `${page}/enable`, {})
  assert.equal((await (await signedIn(user)).get('/console')).status, 200)
  const log = await admin.get(`/admin/audit?user=${encodeURIComponent(user.email)}`)
  for (const action of ['user.sessions_ended', 'user.disabled', 'user.enabled'])
    assert.ok(log.text.includes(action), action)
})

test('the audit log is filtered by action, app, user and day, and pages to older entries', async () => {
  const admin = await administrator()
  const app = await makeApp(database(), { kind: 'confidential' })
  const lines = async (query: string): Promise<number> =>
    (await admin.get(`/admin/audit?${query}`)).text.match(/<tr[ >]/g)?.length ?? 0
  assert.equal(await lines(`app=${app.clientId}`), 1 + 3)
  assert.equal(await lines(`app=${app.id}&action=app.sec`), 1 + 1)
  assert.equal(await lines(`app=${app.id}&from=2020-01-01&to=2020-01-02`), 0)
  const today = new Date().toISOString().slice(0, 10)
  assert.equal(await lines(`app=${app.id}&from=${today}&to=${today}`), 1 + 3)
  assert.equal(await lines('action=%25'), 0, 'a percent sign is literal, not a wildcard')
  assert.equal(await lines("action=app.'"), 0)
  await database().run(sql`insert into minaret.audit_log (action, detail)
    select 'test.line', jsonb_build_object('number', n) from generate_series(1, 60) n`)
  const first = await admin.get('/admin/audit?action=test.line')
  const older = /href="(\/admin\/audit\?[^"]*before=\d+-\d+)"/.exec(decodeHtml(first.text))?.[1]
  const second = await admin.get(String(older))
  assert.equal(second.text.match(/<tr[ >]/g)?.length, 1 + 10)
})

test('signing keys are shown without their private part, and rotated after confirmation', async () => {
  const admin = await administrator()
  const page = await admin.get('/admin/signing-keys')
  assert.match(page.text, /ES256/)
  assert.doesNotMatch(page.text, /private|"d":/)
  const rotated = await admin.submit('/admin/signing-keys/rotate', '/admin/signing-keys/rotate', {})
  assert.equal(rotated.location, '/admin/signing-keys?done=rotated')
})
