import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { within } from '../support/oauth.ts'
import { masjidId } from './fixture.ts'
import { useApi } from './use-api.ts'

const api = useApi()
const RESPONSE = 'application/graphql-response+json'

describe('credentials', () => {
  test('a missing, malformed or unknown one gets 401 with a challenge and a GraphQL error', async () => {
    const unknown = `mk_live_${'0'.repeat(38)}`
    for (const authorization of ['', 'Basic abc', 'Bearer nonsense', `Bearer ${unknown}`, 'Bearer eyJ.e30.x']) {
      const response = await api().post({ query: '{ up_masjids { id } }' }, { authorization })
      assert.equal(response.status, 401, authorization)
      assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/)
      const body = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] }
      assert.match(body.errors[0]?.extensions.code ?? '', /^(missing|invalid)_token$/)
      assert.ok(!('data' in body))
    }
  })

  test('a missing scope error names table and scope, with 403 where the media type allows it', async () => {
    const authorization = `Bearer ${await api().keyWith(['masjid:read'])}`
    const query = '{ up_masjids { events { title } } }'
    const response = await api().post({ query }, { authorization, accept: RESPONSE })
    assert.equal(response.status, 403)
    assert.match(response.headers.get('www-authenticate') ?? '', /insufficient_scope.*events:read/)
    const { errors } = (await response.json()) as { errors: { message: string; extensions: object }[] }
    assert.deepEqual(errors[0]?.extensions, { code: 'insufficient-scope', table: 'up_events', scopes: ['events:read'] })
    assert.match(errors[0]?.message ?? '', /up_events.*events:read/)
    assert.equal((await api().post({ query }, { authorization })).status, 200)
  })
})

describe('GET', () => {
  const query = 'query ($slug: String!) { up_masjids_by_slug(slug: $slug) { id } }'

  test('answers queries, allows caching, and sends 304 when nothing changed', async () => {
    const first = await api().get({ query, variables: '{"slug":"masjid-1"}' })
    assert.deepEqual(await first.json(), { data: { up_masjids_by_slug: { id: masjidId(1) } } })
    assert.equal(first.headers.get('cache-control'), 'private, max-age=60')
    assert.match(first.headers.get('vary') ?? '', /authorization/i)
    const tag = first.headers.get('etag') ?? ''
    assert.match(tag, /^W\/".+"$/)
    const again = await api().get({ query, variables: '{"slug":"masjid-1"}' }, { 'if-none-match': tag })
    assert.equal(again.status, 304)
    const other = await api().get({ query, variables: '{"slug":"masjid-2"}' }, { 'if-none-match': tag })
    assert.equal(other.status, 200)
  })

  test('a response that depends on the user is not cached', async () => {
    const response = await api().get({ query: '{ ua_members(limit: 1) { id } }' })
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('etag'), null)
  })

  test('refuses everything except queries', async () => {
    const response = await api().get({ query: 'mutation { delete_everything }' })
    assert.equal(response.status, 405)
    assert.equal(response.headers.get('allow'), 'POST')
  })
})

describe('persisted queries', () => {
  const query = '{ up_masjids_by_slug(slug: "masjid-3") { slug } }'
  const sha256Hash = createHash('sha256').update(query).digest('hex')
  const extensions = { persistedQuery: { version: 1, sha256Hash } }

  test('are not found, then registered once, then found, by POST and by GET', async () => {
    const unknown = (await (await api().post({ extensions })).json()) as {
      errors: { message: string; extensions: object }[]
    }
    assert.equal(unknown.errors[0]?.message, 'PersistedQueryNotFound')
    assert.deepEqual(unknown.errors[0]?.extensions, { code: 'PERSISTED_QUERY_NOT_FOUND' })
    const answer = { data: { up_masjids_by_slug: { slug: 'masjid-3' } } }
    assert.deepEqual(await (await api().post({ query, extensions })).json(), answer)
    assert.deepEqual(await (await api().post({ extensions })).json(), answer)
    assert.deepEqual(await (await api().get({ extensions: JSON.stringify(extensions) })).json(), answer)
  })

  test('a hash that does not match is refused', async () => {
    const wrong = { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } }
    for (const asked of [
      { query, extensions: wrong },
      { query: '{ __typename }', extensions },
    ]) {
      const response = await api().post(asked)
      assert.equal(response.status, 400)
      assert.match(await response.text(), /persisted-query-mismatch/)
    }
  })

  test('another version of the protocol is refused', async () => {
    const response = await api().post({ query, extensions: { persistedQuery: { version: 2, sha256Hash } } })
    assert.equal(response.status, 400)
    assert.match(await response.text(), /version/)
  })
})

describe('batches', () => {
  test('are answered in order, each operation separately', async () => {
    const response = await api().post([
      { query: '{ up_masjids_by_slug(slug: "masjid-1") { slug } }' },
      { query: '{ nonsense }' },
      { query: 'query ($s: String!) { up_masjids_by_slug(slug: $s) { slug } }', variables: { s: 'masjid-2' } },
    ])
    const [first, second, third] = (await response.json()) as { data?: unknown; errors?: unknown }[]
    assert.deepEqual(first, { data: { up_masjids_by_slug: { slug: 'masjid-1' } } })
    assert.ok(second?.errors !== undefined && second.data === undefined)
    assert.deepEqual(third, { data: { up_masjids_by_slug: { slug: 'masjid-2' } } })
  })

  type Refused = { errors: { message: string; extensions: { code: string } }[] }
  const codesOf = async (response: Response) =>
    ((await response.json()) as Refused[]).map(({ errors }) => errors[0]?.extensions.code)

  test('that are too long get one error per operation, up to 100; longer ones get a single error', async () => {
    const one = { query: '{ __typename }' }
    assert.deepEqual(await codesOf(await api().post(Array(100).fill(one))), Array(100).fill('batch-too-large'))
    const longer = await api().post(Array(101).fill(one))
    assert.equal(longer.status, 400)
    assert.match(((await longer.json()) as Refused).errors[0]?.message ?? '', /101 operations; the maximum is 10/)
  })

  test('have at most 10 operations, and their costs add up', async () => {
    const one = { query: '{ up_masjids { id } }' }
    const many = await api().post(Array.from({ length: 11 }, () => one))
    assert.equal(many.status, 200)
    assert.deepEqual(await codesOf(many), Array(11).fill('batch-too-large'))
    const costly = { query: '{ up_masjids { events { id } } }' }
    assert.ok('data' in ((await (await api().post(costly)).json()) as object))
    const together = await api().post(Array.from({ length: 9 }, () => costly))
    assert.equal(together.status, 200)
    assert.deepEqual(await codesOf(together), Array(9).fill('too-costly'))
  })
})

describe('headers', () => {
  test('browsers of any origin may send requests', async () => {
    const preflight = await fetch(api().url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.org',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,apollo-require-preflight',
      },
    })
    assert.ok(preflight.ok)
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
    assert.match(
      preflight.headers.get('access-control-allow-headers') ?? '',
      /authorization,content-type,apollo-require-preflight/,
    )
    const response = await api().post({ query: '{ up_masjids { id } }' }, { origin: 'https://app.example.org' })
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    const refused = await api().post({ query: '{ x }' }, { origin: 'https://app.example.org', authorization: '' })
    assert.equal(refused.headers.get('access-control-allow-origin'), '*')
  })

  test('large responses are compressed, small ones are not', async () => {
    const large = await api().post(
      { query: '{ up_masjids { id name city address latitude longitude timezone website } }' },
      { 'accept-encoding': 'br' },
    )
    assert.equal(large.headers.get('content-encoding'), 'br')
    assert.equal(((await large.json()) as { data: { up_masjids: unknown[] } }).data.up_masjids.length, 11)
    const small = await api().post({ query: '{ up_masjids(limit: 1) { id } }' }, { 'accept-encoding': 'br, gzip' })
    assert.equal(small.headers.get('content-encoding'), null)
  })

  test('the preferred encoding of the client is used', async () => {
    for (const [accepts, expected] of [
      ['GZIP', 'gzip'],
      ['gzip;q=0.5, identity;q=1', null],
      ['br;q=0.1, gzip;q=0.9', 'gzip'],
      ['br;q=0, *', 'gzip'],
      ['identity', null],
    ] as const) {
      const query = '{ up_masjids { id name city address latitude longitude timezone website } }'
      const { headers } = await api().post({ query }, { 'accept-encoding': accepts })
      assert.equal(headers.get('content-encoding'), expected, accepts)
    }
  })

  test('a response that shows its cost is never cached', async () => {
    const { headers } = await api().get({ query: '{ up_masjids { id } }' }, { 'x-minaret-explain': '1' })
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  test('If-None-Match: * matches any tag', async () => {
    assert.equal((await api().get({ query: '{ up_masjids { id } }' }, { 'if-none-match': '*' })).status, 304)
  })

  test('the cost is shown on request, and in development the statement too', async () => {
    const ask = async (headers: Record<string, string>) =>
      (await (await api().post({ query: '{ up_masjids(limit: 3) { events(limit: 2) { id } } }' }, headers)).json()) as {
        extensions?: { cost: object; sql: string }
      }
    const { extensions } = await ask({ 'x-minaret-explain': '1' })
    assert.deepEqual(extensions?.cost, { rows: 9, maximum: 50_000 })
    assert.match(extensions?.sql ?? '', /^select /)
    assert.equal((await ask({})).extensions, undefined)
  })

  test('other methods are refused, and Allow lists the accepted ones', async () => {
    const response = await fetch(api().url, { method: 'DELETE' })
    assert.equal(response.status, 405)
    assert.match(response.headers.get('allow') ?? '', /POST/)
  })
})

describe('a client that disconnects', () => {
  test('has its statement cancelled', async () => {
    const { database } = api().minaret.service
    await database.run(
      rawSql(`create function public.up_masjids_slowly(seconds float8) returns setof public.up_masjids language sql stable as
        $$ select masjid.* from public.up_masjids masjid, pg_sleep(seconds) $$`),
    )
    const running = async (): Promise<number> =>
      Number(
        (
          await database.first<{ count: string }>(
            rawSql(`select count(*) from pg_stat_activity where application_name = 'minaret reader' and state = 'active'
              and datname = current_database() and query like '%up_masjids_slowly%'`),
          )
        )?.count,
      )
    const query = '{ up_masjids_slowly(args: {seconds: 19}) { id } }'
    await within(60_000, 'the function is there', async () => {
      const answer = await api().post({ query: '{ up_masjids_slowly(args: {seconds: 0}) { id } }' })
      return !/Cannot query field/.test(await answer.text())
    })
    const gone = new AbortController()
    const asked = fetch(api().url, {
      method: 'POST',
      body: JSON.stringify({ query }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${api().key}` },
      signal: gone.signal,
    })
    asked.catch(() => undefined)
    await within(15_000, 'it runs', async () => (await running()) === 1)
    gone.abort()
    await within(1000, 'it is cancelled', async () => (await running()) === 0)
  })
})
