// ROWS_PER_MINUTE limits the rows an app may read: every response reports what is left, then requests get 429.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { makeApp, makeKey } from '../support/apps.ts'
import { type GraphqlClient, openClient } from '../support/graphql.ts'
import { useMinaret } from '../support/minaret.ts'

const masjids = (limit: number) => ({ query: `{ up_masjids(limit: ${limit}) { id } }` })

describe('rows per minute', () => {
  const minaret = useMinaret({ ROWS_PER_MINUTE: '200' })
  const clients: GraphqlClient[] = []
  after(() => {
    for (const client of clients) client.close()
  })

  /** Clients of one app, each with its own key. */
  const clientsOfApp = async (count: number): Promise<GraphqlClient[]> => {
    const { database } = minaret().service
    const { id: appId } = await makeApp(database, { kind: 'confidential', scopes: ['masjid:read'] })
    const keys = await Promise.all(
      Array.from({ length: count }, () => makeKey(database, { appId, scopes: ['masjid:read'] })),
    )
    const opened = keys.map(({ key }) => openClient(minaret(), key))
    clients.push(...opened)
    return opened
  }

  test('every response reports what is left; then 429 for all keys of the app, but for no other app', async () => {
    const [first, second] = (await clientsOfApp(2)) as [GraphqlClient, GraphqlClient]
    const [other] = (await clientsOfApp(1)) as [GraphqlClient]
    const answered = await first.query(masjids(90))
    assert.equal(answered.status, 200)
    assert.equal(answered.headers['ratelimit-policy'], '"rows";q=200;w=60')
    assert.match(String(answered.headers.ratelimit), /^"rows";r=109;t=\d+$/)
    assert.match(String((await second.query(masjids(90))).headers.ratelimit), /r=18;/)

    const refused = await first.query(masjids(90))
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.match(String(refused.headers.ratelimit), /r=17;/)
    assert.equal(refused.body.errors?.[0]?.extensions.code, 'too_many_requests')
    assert.match(
      String(refused.body.errors?.[0]?.message),
      /^The operation may read 90 rows; 17 of the 200 allowed this minute are left\. Try again in \d+ seconds?, or lower `limit`\.$/,
    )
    assert.equal((await second.query(masjids(5))).status, 200, 'a smaller query passes')
    assert.equal((await other.query(masjids(90))).status, 200)
  })

  test('invalid queries count too, and past the limit nothing is read', async () => {
    const [client] = (await clientsOfApp(1)) as [GraphqlClient]
    assert.equal((await client.query(masjids(90))).status, 200)
    assert.equal((await client.query(masjids(90))).status, 200)
    for (let count = 0; count < 18; count += 1) assert.equal((await client.query({ query: '{ nonsense' })).status, 400)
    const { status, body } = await client.query({ query: '{ nonsense' })
    assert.equal(status, 429)
    assert.equal(body.errors?.[0]?.extensions.code, 'too_many_requests')
  })

  test('a batch is counted as a whole, by GET as by POST', async () => {
    const [client] = (await clientsOfApp(1)) as [GraphqlClient]
    assert.equal((await client.query([masjids(50), masjids(50)])).status, 200)
    assert.equal((await client.query([masjids(50), masjids(50)])).status, 429)
    const path = `/v1/graphql?query=${encodeURIComponent(masjids(90).query)}`
    const got = await client.send(undefined, { method: 'GET', path })
    assert.equal(got.status, 200)
    assert.match(String(got.headers.ratelimit), /^"rows";r=5;t=\d+$/)
    assert.equal((await client.send(undefined, { method: 'GET', path })).status, 429)
  })

  test('a query that exceeds a whole minute’s rows is refused as too costly', async () => {
    const [client] = (await clientsOfApp(1)) as [GraphqlClient]
    const { status, body } = await client.query({
      query: '{ one: up_masjids { id } two: up_masjids { id } three: up_masjids { id } }',
    })
    assert.equal(status, 400)
    assert.equal(body.errors?.[0]?.extensions.code, 'too-costly')
  })

  test('pages of other origins may read the headers', async () => {
    const [client] = (await clientsOfApp(1)) as [GraphqlClient]
    const { headers } = await client.query(masjids(1), { origin: 'https://app.example.org' })
    assert.match(String(headers['access-control-expose-headers']), /\bratelimit\b/)
  })
})

describe('without it', () => {
  const minaret = useMinaret()

  test('nothing is counted or reported', async () => {
    const { database } = minaret().service
    const { id: appId } = await makeApp(database, { kind: 'confidential', scopes: ['masjid:read'] })
    const { key } = await makeKey(database, { appId, scopes: ['masjid:read'] })
    const client = openClient(minaret(), key)
    const { status, headers } = await client.query(masjids(1))
    client.close()
    assert.equal(status, 200)
    assert.equal(headers.ratelimit, undefined)
  })
})
