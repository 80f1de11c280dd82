// An API key with a limit of its own: counted wherever the key opens something, refused with 429 that names the limit.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setKeyLimit } from '../../src/apps/key-limit.ts'
import { commandActor } from '../../src/audit/record-audit.ts'
import { sql } from '../../src/db/sql.ts'
import { openSocket } from '../live/raw-socket.ts'
import { visitAs } from '../staff/use-staff.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { type GraphqlClient, openClient } from '../support/graphql.ts'
import { useMinaret } from '../support/minaret.ts'
import { makePerson, within } from '../support/oauth.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on', RATE_LIMITS: 'off' })
const database = () => minaret().service.database
const scopes = ['masjid:read', 'prayer-times:read'] as const
const PATIENCE_MS = 60_000

const clients: GraphqlClient[] = []
after(() => {
  for (const client of clients) client.close()
})

const clientWith = (key: string, baseUrl = minaret().baseUrl): GraphqlClient => {
  const client = openClient({ baseUrl }, key)
  clients.push(client)
  return client
}

const makeLimited = async (requestsPerMinute: number, wishes: { test?: boolean; appId?: string } = {}) => {
  const appId = wishes.appId ?? (await makeApp(database(), { kind: 'confidential', scopes: [...scopes] })).id
  const made = await makeKey(database(), { appId, scopes: [...scopes], requestsPerMinute, test: wishes.test === true })
  return { appId, ...made }
}

const masjids = { query: '{ up_masjids(limit: 1) { id } }' }

describe('a key with a limit', () => {
  test('reports what is left, then gets 429 with the headers and a sentence that names its limit; other keys go on', async () => {
    const { appId, key } = await makeLimited(2)
    const other = await makeKey(database(), { appId, scopes: ['masjid:read'] })
    const client = clientWith(key)
    const first = await client.query(masjids)
    assert.equal(first.status, 200)
    assert.equal(first.headers['ratelimit-policy'], '"key";q=2;w=60')
    assert.match(String(first.headers.ratelimit), /^"key";r=1;t=\d+$/)
    assert.match(String((await client.query(masjids)).headers.ratelimit), /^"key";r=0;/, 'an answer from memory counts')
    const { status, headers, body } = await client.query(masjids)
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 60)
    assert.equal(headers['ratelimit-policy'], '"key";q=2;w=60')
    assert.match(String(headers.ratelimit), /^"key";r=0;t=\d+$/)
    assert.equal(body.errors?.[0]?.extensions.code, 'too_many_requests')
    assert.match(
      String(body.errors?.[0]?.message),
      /^This API key is limited to 2 requests a minute by the team of its app\. Try again in \d+ seconds?, or raise/,
    )
    const unlimited = await clientWith(other.key).query(masjids)
    assert.equal(unlimited.status, 200)
    assert.equal(unlimited.headers.ratelimit, undefined)
  })

  test('is counted together at GraphQL, Relay, schema files and feeds', async () => {
    const { key } = await makeLimited(4)
    const headers = { authorization: `Bearer ${key}` }
    const get = async (path: string, sent: Record<string, string> = headers) =>
      fetch(`${minaret().baseUrl}${path}`, { headers: sent })
    const masjid = await database().first<{ id: string }>(sql`select id from public.up_masjids limit 1`)
    const feed = `/v1/masjids/${masjid?.id ?? 'none'}/prayer-times.ics`
    assert.equal((await get('/v1/schema.graphql')).status, 200)
    assert.notEqual((await get(feed)).status, 429)
    assert.notEqual((await get(`${feed}?key=${key}`, {})).status, 429)
    assert.equal((await clientWith(key).query(masjids)).status, 200)
    for (const path of ['/v1/schema.graphql', '/v1/relay/schema.graphql', feed, `/v1/graphql?query={__typename}`]) {
      const refused = await get(path)
      assert.equal(refused.status, 429, path)
      assert.match(String(refused.headers.get('ratelimit')), /^"key";r=0/, path)
    }
    assert.equal((await get(`${feed}?key=${key}`, {})).status, 429)
  })

  test('counts every subscription, and no check of an open one', async () => {
    const { key } = await makeLimited(2)
    const init = { type: 'connection_init', payload: { Authorization: `Bearer ${key}` } }
    const subscribe = (id: string) => ({
      id,
      type: 'subscribe',
      payload: { query: 'subscription { up_masjids(limit: 1) { id } }' },
    })
    const url = `${minaret().baseUrl.replace('http', 'ws')}/v1/graphql`
    const { messages, send, socket } = await openSocket(url, [init, subscribe('a'), subscribe('b'), subscribe('c')])
    await within(PATIENCE_MS, 'a refusal', async () => messages.some(({ type }) => type === 'error'))
    const [refused] = messages.filter(({ type }) => type === 'error')
    assert.equal(refused.id, 'c')
    assert.match(refused.payload[0].message, /limited to 2 requests a minute/)
    await within(PATIENCE_MS, 'both others', async () => messages.filter(({ type }) => type === 'next').length >= 2)
    send({ id: 'a', type: 'complete' })
    socket.close()
  })

  test('is counted in the sandbox too, where answers are shared', async () => {
    const { key } = await makeLimited(2, { test: true })
    const client = clientWith(key, minaret().sandboxUrl)
    assert.equal((await client.query(masjids)).status, 200)
    assert.equal((await client.query(masjids)).status, 200)
    assert.equal((await client.query(masjids)).status, 429)
    assert.equal((await clientWith(key, minaret().sandboxUrl).query(masjids)).status, 429, 'on another connection')
  })

  test('follows a change of its limit within a second, and none lifts it', async () => {
    const { appId, id: keyId, key } = await makeLimited(1)
    const client = clientWith(key)
    assert.equal((await client.query(masjids)).status, 200)
    assert.equal((await client.query(masjids)).status, 429)
    const change = (requestsPerMinute: number | undefined) =>
      setKeyLimit(database(), { appId, actor: commandActor, keyId, requestsPerMinute })
    await change(1000)
    await within(PATIENCE_MS, 'the higher limit', async () => (await client.query(masjids)).status === 200)
    await change(1)
    await within(PATIENCE_MS, 'the lower limit', async () => (await client.query(masjids)).status === 429)
    await change(undefined)
    await within(PATIENCE_MS, 'no limit', async () => (await client.query(masjids)).headers.ratelimit === undefined)
  })
})

test('in the console a limit is set with a new key, shown in the list, changed and lifted', async () => {
  const owner = await makePerson(database())
  const { id } = await makeApp(database(), { ownerId: owner.id, kind: 'confidential', scopes: ['masjid:read'] })
  const person = await visitAs(minaret(), owner)
  const page = `/console/apps/${id}/credentials`
  const wish = { key_name: 'website', key_scopes: 'masjid:read', expiry: '30d' }
  for (const key_limit of ['0', '60001', '1.5', 'many', '-3']) {
    const refused = await person.submit(page, `/console/apps/${id}/keys`, { ...wish, key_limit })
    assert.equal(refused.status, 422, key_limit)
    assert.match(refused.text, /whole number from 1 to 60000/)
    assert.match(refused.text, /value="website"/, 'what was typed is kept')
  }
  assert.match((await person.submit(page, `/console/apps/${id}/keys`, { ...wish, key_limit: ' 60 ' })).text, /mk_live_/)
  assert.match((await person.get(page)).text, /60 a minute/)
  const key = await database().first<{ id: string; requests_per_minute: number }>(
    sql`select id, requests_per_minute from minaret.api_keys where app_id = ${id}`,
  )
  assert.equal(key?.requests_per_minute, 60)
  const limit = `/console/apps/${id}/keys/${key?.id}/limit`
  const faulty = await person.submit(limit, limit, { key_limit: 'x' })
  assert.equal(faulty.status, 422)
  assert.match(faulty.text, /<title>Error: /)
  assert.equal((await person.submit(limit, limit, { key_limit: '5' })).status, 303)
  assert.match((await person.get(`${page}?done=key-limit`)).text, /The limit of the key was saved[\s\S]*5 a minute/)
  assert.equal((await person.submit(limit, limit, { key_limit: '' })).status, 303)
  assert.match((await person.get(page)).text, /as the app/)
  assert.match((await person.get(`/console/apps/${id}/history`)).text, /Limit of a key changed/)
})
