// The same queries from outside: over HTTP, with an API key and its scopes; and without one in the sandbox.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Scope } from '../../src/access/scopes.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { dayAhead } from '../support/dates.ts'
import { insertRule } from '../support/iqamah.ts'
import { insertMasjid } from '../support/masjids.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { untilSettled } from '../support/settled.ts'

let minaret: TestMinaret
let masjid: string
let invented: string
const database = () => minaret.service.database

before(async () => {
  minaret = await startTestMinaret()
  masjid = await insertMasjid(database())
  invented = await insertMasjid(database(), { schema: 'sandbox' })
  await insertRule(database(), masjid, { prayer: 'isha', rule: 'fixed', fixed_time: '21:45' })
  await untilSettled(database())
})
after(() => minaret.stop())

const keyFor = async (scopes: Scope[]): Promise<string> => {
  const app = await makeApp(database(), { kind: 'confidential', scopes })
  return (await makeKey(database(), { appId: app.id, scopes })).key
}

// biome-ignore lint/suspicious/noExplicitAny: a response has the shape of its query
const ask = async (base: string, query: string, key?: string): Promise<any> => {
  const response = await fetch(`${base}/v1/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ query }),
  })
  return response.json()
}

const day = dayAhead(5)
const late = `{ up_masjids_nearby(args: {latitude: 35.78, longitude: -78.63, radius_km: 10}, where: {prayer_times: {
  prayer: {_eq: isha}, date: {_eq: "${day}"}, iqamah_local: {_gt: "${day}T21:30:00"}}}) { id } }`

test('masjids within ten kilometres whose Isha iqamah is after 21:30', async () => {
  const key = await keyFor(['masjid:read', 'prayer-times:read'])
  assert.deepEqual(await ask(minaret.baseUrl, late, key), { data: { up_masjids_nearby: [{ id: masjid }] } })
})

test('a filter on prayer times needs their scope, like reading them', async () => {
  const key = await keyFor(['masjid:read'])
  const today = `{ pc_prayer_times_today(args: {masjid_id: "${masjid}"}) { prayer } }`
  for (const query of [late, today, '{ pc_changes { id } }']) {
    const { errors } = await ask(minaret.baseUrl, query, key)
    assert.equal(errors[0].extensions.code, 'insufficient-scope', query)
    assert.match(errors[0].message, /prayer-times:read/)
  }
  const { errors } = await ask(minaret.baseUrl, '{ up_changes { id } }', key)
  assert.match(errors[0].message, /events:read/)
})

test('the state of the job is not part of the API', async () => {
  const key = await keyFor(['masjid:read', 'events:read', 'prayer-times:read'])
  for (const table of ['calculation_states', 'occurrence_states', 'deleted_rows']) {
    const { errors } = await ask(minaret.baseUrl, `{ ${table} { __typename } }`, key)
    assert.equal(errors[0].extensions.code, 'validation-failed', table)
  }
})

test('the sandbox answers the same queries for everyone', async () => {
  const where = `{masjid_id: {_eq: "${invented}"}, date: {_eq: "${day}"}}`
  const query = `{ pc_prayer_times(where: ${where}, order_by: {adhan_at: asc}) { prayer source } }`
  const { data } = await ask(minaret.sandboxUrl, query)
  assert.deepEqual(data.pc_prayer_times[0], { prayer: 'fajr', source: 'calculated' })
  assert.equal(data.pc_prayer_times.length, 5)
})
