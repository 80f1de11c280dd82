// Test keys: the public one in the documentation, and those of developers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { publicTestKey } from '../../src/sandbox/public-test-key.ts'
import { makeApp, makeKey, makePendingApp } from '../support/apps.ts'
import { insertMasjid } from '../support/masjids.ts'
import { useMinaret } from '../support/minaret.ts'
import { moveApp, within } from '../support/oauth.ts'
import { ask } from '../support/sandbox.ts'

const minaret = useMinaret()
const query = `{ up_masjids { id } up_events { id } pc_prayer_sources { id } ua_donations { id } ua_members { id }
  up_event_rsvps { id } }`

test('the documentation names the public test key', async () => {
  const response = await fetch(`${minaret().baseUrl}/docs/sandbox`)
  assert.equal(response.status, 200)
  assert.ok((await response.text()).includes(publicTestKey))
})

test('a developer’s test key opens every table, even before the app is approved', async () => {
  const { database } = minaret().service
  const pending = await makePendingApp(database)
  const approved = await makeApp(database, { scopes: ['masjid:read'] })
  for (const appId of [pending, approved.id]) {
    const { key } = await makeKey(database, { appId, test: true, scopes: [] })
    const { data, errors } = await ask(minaret().sandboxUrl, { query }, key)
    assert.equal(errors, undefined, JSON.stringify(errors))
    assert.equal(Object.keys(data ?? {}).length, 6)
  }
})

test('suspending an app revokes its test keys too', async () => {
  const { database } = minaret().service
  const { id, clientId } = await makeApp(database)
  const { key } = await makeKey(database, { appId: id, test: true, scopes: [] })
  assert.equal((await ask(minaret().sandboxUrl, { query }, key)).errors, undefined)
  await moveApp(database, { id, clientId, secret: '', redirectUri: '' }, 'suspended')
  await within(1000, 'it is refused, remembered answers included', async () => {
    const { errors } = await ask(minaret().sandboxUrl, { query }, key)
    return errors?.[0]?.extensions.code === 'invalid_token'
  })
})

test('a test key tries a mutation at any masjid; nothing is kept, and nobody tries without one', async () => {
  const { database } = minaret().service
  const masjidId = await insertMasjid(database, { schema: 'sandbox' })
  const object = `{masjid_id: "${masjidId}", title: "Tried", starts_local: "2027-01-01T18:00:00", timezone: "UTC"}`
  const mutation = { query: `mutation @dry_run { insert_up_events_one(object: ${object}) { title masjid { id } } }` }
  const { id: appId } = await makeApp(database)
  const { key } = await makeKey(database, { appId, test: true, scopes: [] })
  for (const own of [key, publicTestKey]) {
    const { data, errors } = await ask(minaret().sandboxUrl, mutation, own)
    assert.equal(errors, undefined, JSON.stringify(errors))
    assert.deepEqual(data?.insert_up_events_one, { title: 'Tried', masjid: { id: masjidId } })
  }
  const kept = await database.query(sql`select from sandbox.up_events where title = 'Tried'`)
  assert.equal(kept.length, 0)
  const reading = await makeKey(database, { appId, test: true, scopes: ['events:read'] })
  for (const [credential, code] of [
    [undefined, 'sandbox-read-only'],
    [reading.key, 'insufficient-scope'],
  ] as const) {
    const { errors } = await ask(minaret().sandboxUrl, mutation, credential)
    assert.equal(errors?.[0]?.extensions.code, code, JSON.stringify(errors))
  }
})
