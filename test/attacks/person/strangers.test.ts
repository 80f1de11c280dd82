// A stranger sees and changes nothing: every page as another user and signed out, every form without its anti-forgery token.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSession } from '../../../src/accounts/sessions.ts'
import type { User } from '../../../src/accounts/users.ts'
import { sql } from '../../../src/db/sql.ts'
import { type EveryPage, makeEveryPage } from '../../console/every-page.ts'
import { makeUser } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson, hiddenFieldsOf, type Person } from '../../support/person.ts'

const minaret = useMinaret()
let every: EveryPage | undefined

const known = async (): Promise<EveryPage> => {
  every ??= await makeEveryPage(minaret().service.database)
  return every
}

const signedIn = async (user: User): Promise<Person> => {
  const person = createPerson(minaret().baseUrl)
  const token = await startSession(minaret().service.database, user.id, { address: undefined, userAgent: undefined })
  person.cookies.set('minaret_session', token)
  return person
}

/** Every form of console, review desk and administration, with the fields it needs to succeed. */
const forms = ({ apps, owner, reviewerPages }: EveryPage) => {
  const form = {
    name: 'Taken over',
    description: 'x',
    kind: 'public',
    redirect_uris: 'https://evil.example/cb',
    scopes: 'masjid:read',
  }
  const console = Object.fromEntries(
    ['edit', 'secrets', 'keys', 'test-key', 'start', 'suspend', 'reinstate', 'delete', 'change/withdraw'].map(path => [
      `/console/apps/${apps.approved}/${path}`,
      { ...form, key_scopes: 'masjid:read', expiry: 'never', key: '' },
    ]),
  )
  const review = {
    [`/review/apps/${apps.pending}/approve`]: { scopes: 'masjid:read', reach: 'all', revision: '1', action: 'approve' },
    [`/review/apps/${apps.pending}/reject`]: { reason: 'x', revision: '1' },
    [`/review/apps/${apps.approved}/claims`]: { claims: 'email' },
    [`/review/apps/${apps.approved}/masjids`]: { reach: 'all', own_reach: 'none', action: 'save' },
    [`/review/apps/${apps.approved}/suspend`]: { reason: 'x' },
    [`/review/apps/${apps.suspended}/reinstate`]: {},
    [`${reviewerPages['review-change']}/approve`]: { scopes: 'masjid:read' },
    [`${reviewerPages['review-change']}/reject`]: { reason: 'x' },
  }
  const admin = {
    [`/admin/users/${owner.id}/rights`]: { right: 'admin', given: 'yes' },
    [`/admin/users/${owner.id}/disable`]: {},
    [`/admin/users/${owner.id}/enable`]: {},
    [`/admin/users/${owner.id}/end-sessions`]: {},
    '/admin/mail/send-again': { id: '1' },
    '/admin/signing-keys/rotate': {},
    '/admin/changes/export': { format: 'csv' },
  }
  return { console, review, admin }
}

/** Everything a form could change, in one line. */
const stateOfAll = async (): Promise<unknown> =>
  minaret().service.database.first(sql`select
    (select jsonb_agg(to_jsonb(a) order by a.id) from minaret.apps a) as apps,
    (select jsonb_agg(to_jsonb(s) - 'last_used_at' order by s.id) from minaret.app_secrets s) as secrets,
    (select jsonb_agg(to_jsonb(k) - 'last_used_at' order by k.id) from minaret.api_keys k) as keys,
    (select jsonb_agg(to_jsonb(c) order by c.id) from minaret.app_changes c) as changes,
    (select jsonb_agg(to_jsonb(u) order by u.id) from minaret.users u where name <> 'stranger') as users,
    (select count(*) from minaret.signing_keys) as signing_keys,
    (select count(*) from minaret.sessions where ended_at is not null) as ended`)

const ownToken = async (person: Person): Promise<Record<string, string>> => {
  const { text } = await person.get('/console/apps/new')
  return hiddenFieldsOf(text, '/console/apps')
}

test('every page asks signed-out visitors to sign in', async () => {
  const { ownerPages, reviewerPages, adminPages } = await known()
  for (const path of Object.values({ ...ownerPages, ...reviewerPages, ...adminPages })) {
    const { status, location } = await createPerson(minaret().baseUrl).get(path)
    assert.deepEqual([status, location], [303, '/sign-in'], path)
  }
})

test('every page is not found or forbidden for another user', async () => {
  const { ownerPages, reviewerPages, adminPages } = await known()
  const stranger = await signedIn(await makeUser(minaret().service.database, { name: 'stranger', hashed: false }))
  const ownOnly = Object.values(ownerPages).filter(path => /apps\/[0-9a-f]{8}-/.test(path))
  assert.ok(ownOnly.length > 15)
  for (const path of ownOnly) assert.equal((await stranger.get(path)).status, 404, path)
  for (const path of Object.values({ ...reviewerPages, ...adminPages }))
    assert.equal((await stranger.get(path)).status, 403, path)
  const list = await stranger.get('/console')
  assert.ok(!list.text.includes('Prayer board'))
})

test('a reviewer is not an administrator, and sees only their own console', async () => {
  const { reviewer, adminPages, ownerPages } = await known()
  const person = await signedIn(reviewer)
  for (const path of Object.values(adminPages)) assert.equal((await person.get(path)).status, 403, path)
  assert.equal((await person.get(String(ownerPages['console-credentials']))).status, 404)
})

test('every form of another user is refused and changes nothing', async () => {
  const all = await known()
  const { console, review, admin } = forms(all)
  const stranger = await signedIn(await makeUser(minaret().service.database, { name: 'stranger', hashed: false }))
  const token = await ownToken(stranger)
  const before = await stateOfAll()
  for (const [path, fields] of Object.entries(console))
    assert.equal((await stranger.post(path, { ...fields, ...token })).status, 404, path)
  for (const [path, fields] of Object.entries({ ...review, ...admin }))
    assert.equal((await stranger.post(path, { ...fields, ...token })).status, 403, path)
  assert.deepEqual(await stateOfAll(), before)
})

test('every form without its anti-forgery token, or with that of another session, changes nothing', async () => {
  const all = await known()
  const { console, review, admin } = forms(all)
  const foreign = await ownToken(await signedIn(all.reviewer))
  const owner = await signedIn(all.owner)
  const administrator = await signedIn(all.admin)
  const before = await stateOfAll()
  for (const token of [{}, { anti_forgery: '' }, foreign]) {
    for (const [path, fields] of Object.entries({ ...console, '/console/apps': {} }))
      assert.equal((await owner.post(path, { ...fields, ...token })).status, 403, path)
    for (const [path, fields] of Object.entries({ ...review, ...admin }))
      assert.equal((await administrator.post(path, { ...fields, ...token })).status, 403, path)
  }
  assert.deepEqual(await stateOfAll(), before)
})

test('a form sent from another site is refused even if its token is right', async () => {
  const { owner } = await known()
  const person = await signedIn(owner)
  const token = await ownToken(person)
  const { status } = await person.post('/console/apps', token, { 'sec-fetch-site': 'cross-site' })
  assert.equal(status, 403)
})

test('administrators cannot change their own account, nor lock themselves out', async () => {
  const { admin } = await known()
  const person = await signedIn(admin)
  const token = await ownToken(person)
  for (const path of ['rights', 'disable']) {
    const answer = await person.post(`/admin/users/${admin.id}/${path}`, { ...token, right: 'admin', given: 'no' })
    assert.equal(answer.status, 403, path)
  }
})
