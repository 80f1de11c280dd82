// A secret or key is created when the owner asks for it, and shown in that response only.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startSession } from '../../src/accounts/sessions.ts'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makePendingApp, makeUser } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { basic, postToken, readTokens } from '../support/oauth.ts'
import { createPerson, type Person } from '../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const developer = async (): Promise<{ person: Person; ownerId: string }> => {
  const { id } = await makeUser(database(), { hashed: false })
  const person = createPerson(minaret().baseUrl)
  person.cookies.set(
    'minaret_session',
    await startSession(database(), id, { address: undefined, userAgent: undefined }),
  )
  return { person, ownerId: id }
}

/** Whether any page of the app still shows the text. */
const showsAgain = async (person: Person, appId: string, text: string): Promise<boolean> => {
  const pages = [`/console/apps/${appId}`, `/console/apps/${appId}/credentials`]
  const shown = await Promise.all(pages.map(page => person.get(page)))
  return shown.some(page => page.text.includes(text))
}

test('the owner of an approved confidential app creates its secret; it is shown once and works', async () => {
  const { person, ownerId } = await developer()
  const { id, clientId } = await makeApp(database(), { ownerId, kind: 'confidential' })
  const page = `/console/apps/${id}/credentials`
  const { status, text, headers } = await person.submit(page, `/console/apps/${id}/secrets`, {})
  assert.equal(status, 200)
  assert.match(headers.get('cache-control') ?? '', /no-store/)
  const [secret = ''] = /ms_[\w-]{43}/.exec(text) ?? []
  assert.notEqual(secret, '')
  assert.equal(await showsAgain(person, id, secret), false)
  const app = { id, clientId, secret, redirectUri: '' }
  await readTokens(await postToken(minaret(), { grant_type: 'client_credentials' }, basic(app)))
})

test('a form that is sent again, as when its result is reloaded, creates nothing more', async () => {
  const { person, ownerId } = await developer()
  const { id } = await makeApp(database(), { ownerId, kind: 'confidential', scopes: ['masjid:read'] })
  const page = `/console/apps/${id}/credentials`
  const forms = (await person.get(page)).text
  const [, anti_forgery = ''] = /name="anti_forgery"[^>]*value="([^"]+)"/.exec(forms) ?? []
  const count = async () =>
    database().first(sql`
      select (select count(*)::int from minaret.app_secrets where app_id = ${id}) as secrets,
        (select count(*)::int from minaret.api_keys where app_id = ${id}) as keys`)
  for (const [address, shown] of [
    ['secrets', /ms_[\w-]{43}/],
    ['keys', /mk_live_\w+/],
    ['test-key', /mk_test_\w+/],
  ] as const) {
    const fields = { anti_forgery, new_id: randomUUID(), key_scopes: 'masjid:read' }
    const first = await person.post(`/console/apps/${id}/${address}`, fields)
    assert.match(first.text, shown)
    const created = await count()
    const again = await person.post(`/console/apps/${id}/${address}`, fields)
    assert.equal(again.status, 303)
    assert.doesNotMatch(again.text, shown)
    assert.match((await person.get(again.headers.get('location') ?? '')).text, /is shown only once/)
    assert.deepEqual(await count(), created)
  }
  const ids = [...forms.matchAll(/name="new_id" value="([^"]+)"/g)].map(([, value]) => value)
  assert.equal(new Set(ids).size, 3, 'each form has an id of its own')
})

test('before approval there is no client_id and no secret, and a public app never gets one', async () => {
  const { person, ownerId } = await developer()
  const pending = await makePendingApp(database(), { ownerId, kind: 'confidential' })
  const publicApp = (await makeApp(database(), { ownerId })).id
  const { text } = await person.get('/console/apps/new')
  const [, token = ''] = /name="anti_forgery"[^>]*value="([^"]+)"/.exec(text) ?? []
  assert.doesNotMatch((await person.get(`/console/apps/${pending}`)).text, /app_[0-9A-Za-z]{24}/)
  for (const id of [pending, publicApp]) {
    const answer = await person.post(`/console/apps/${id}/secrets`, { anti_forgery: token })
    assert.equal(answer.status, 409)
    assert.doesNotMatch(answer.text, /ms_[\w-]{43}/)
  }
})

test('any developer can create a test key, even before approval, and sees it once', async () => {
  const { person, ownerId } = await developer()
  const id = await makePendingApp(database(), { ownerId })
  const { text } = await person.submit(`/console/apps/${id}/credentials`, `/console/apps/${id}/test-key`, {})
  const [key = ''] = /mk_test_[0-9A-Za-z]{38}/.exec(text) ?? []
  assert.notEqual(key, '')
  assert.equal(await showsAgain(person, id, key), false)
})
