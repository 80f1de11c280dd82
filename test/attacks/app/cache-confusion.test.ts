// Warm answers asked for again in every way there is: by GET, by hash, compressed, conditionally, under another name of the host, with
// another credential. Each reader gets what the database would tell them, and nobody what was made for somebody else.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { dataScopes } from '../../../src/access/scopes.ts'
import { sql } from '../../../src/db/sql.ts'
import { useKept } from '../../answers/use-kept.ts'
import { masjidId } from '../../graphql/fixture.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { getTokens, makeFlow, within } from '../../support/oauth.ts'

const { api, untilKept } = useKept()

interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

const unpack = (bytes: Buffer, encoding: string | undefined): string =>
  (encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()

/** `fetch` hides encodings, and does not let anybody choose the host. */
const ask = (path: string, headers: Record<string, string>, { method = 'GET', body = '' } = {}): Promise<Told> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(api().url)
    const asked = request({ hostname, port, path, method, headers, agent: false }, response => {
      const pieces: Buffer[] = []
      response.on('data', piece => pieces.push(piece))
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, text: unpack(Buffer.concat(pieces), headers['content-encoding']) })
      })
    })
    asked.on('error', reject).end(body)
  })

// Long enough to be compressed.
const EVENTS = '{ up_events(order_by: {id: asc}) { id title description category starts_local masjid { name } } }'
const PEOPLE = '{ ua_members(order_by: {id: asc}) { id masjid_id given_name } }'
const hashOf = (query: string): string => createHash('sha256').update(query).digest('hex')
const extensionsOf = (query: string, more = {}) => ({
  persistedQuery: { version: 1, sha256Hash: hashOf(query), ...more },
})
const search = (values: Record<string, string>): string => `/v1/graphql?${new URLSearchParams(values)}`

type Way = (query: string, auth: Record<string, string>) => Promise<Told>
const post =
  (headers: Record<string, string> = {}, body = (query: string): object => ({ query })): Way =>
  (query, auth) =>
    ask(
      '/v1/graphql',
      { 'content-type': 'application/json', ...auth, ...headers },
      { method: 'POST', body: JSON.stringify(body(query)) },
    )
const get =
  (headers: Record<string, string> = {}, method = 'GET'): Way =>
  (query, auth) =>
    ask(search({ query }), { ...auth, ...headers }, { method })
const byHash = (query: string) => search({ extensions: JSON.stringify(extensionsOf(query)) })

/** Each of them warms what the next one may find. */
const ways: Readonly<Record<string, Way>> = {
  POST: post(),
  'POST with another type of JSON': post({ 'content-type': 'application/json; charset=utf-8' }),
  'POST with a hash': post({}, query => ({ extensions: extensionsOf(query), query })),
  'POST by hash': post({}, query => ({ extensions: extensionsOf(query) })),
  GET: get(),
  'GET by hash': (query, auth) => ask(byHash(query), auth),
  'GET, as brotli': get({ 'accept-encoding': 'br' }),
  'GET, as gzip': get({ 'accept-encoding': 'gzip' }),
  'GET, as nothing that there is': get({ 'accept-encoding': 'zstd, identity;q=0' }),
  'GET in Arabic': get({ 'accept-language': 'ar' }),
  'GET by another host': get({
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example',
  }),
  'GET of a part': get({ range: 'bytes=0-10' }),
  'GET from a page': get({ origin: 'https://evil.example' }),
  'GET under another method': get({ 'x-http-method-override': 'HEAD' }),
  'GET through a cache': get({ 'cache-control': 'only-if-cached, max-stale=9999', pragma: 'x' }),
  'GET with a cookie': get({ cookie: 'minaret_session=x; __Host-minaret_session=y' }),
  'GET with the newer media type': get({ accept: 'application/graphql-response+json' }),
}

const keyFor = async (wishes: Parameters<typeof makeApp>[1] = {}): Promise<string> => {
  const { database } = api().minaret.service
  const scopes = wishes.scopes ?? dataScopes
  const app = await makeApp(database, { scopes, ...wishes })
  return (await makeKey(database, { appId: app.id, scopes })).key
}
const at = (masjid: number) => ({ masjids: { only: [masjidId(masjid)], own: [masjidId(masjid)] } })
const readers: Record<string, string> = {}

before(async () => {
  readers.everything = await keyFor()
  readers.directory = await keyFor({ scopes: ['masjid:read'] })
  readers.first = await keyFor(at(1))
  readers.second = await keyFor(at(2))
  const flow = await makeFlow(api().minaret)
  await api().minaret.service.database.run(sql`
    insert into ua_members (masjid_id, user_id, role, given_name) values (${masjidId(3)}, ${flow.user.id}, 'member', 'Myself')`)
  readers.person = (
    await getTokens(api().minaret, flow, { scope: 'members:read events:read masjid:read' })
  ).access_token
  readers.revoked = await keyFor()
  await untilKept(EVENTS, { authorization: `Bearer ${readers.everything}` })
  await untilKept(EVENTS, { authorization: `Bearer ${readers.revoked}` })
  await api().minaret.service.database.run(sql`
    update minaret.api_keys set revoked_at = now() where id = (select id from minaret.api_keys order by created_at desc limit 1)`)
  await within(60_000, 'it is revoked', async () => (await ways.POST?.(EVENTS, authOf('revoked')))?.status === 401)
})
const authOf = (name: string) => ({ authorization: `Bearer ${readers[name]}` })

/** Whose events and people each may see. */
const expected: Readonly<
  Record<string, { readonly events: boolean; readonly masjids: readonly number[] | undefined }>
> = {
  everything: { events: true, masjids: undefined },
  directory: { events: false, masjids: undefined },
  first: { events: true, masjids: [1] },
  second: { events: true, masjids: [2] },
  person: { events: true, masjids: [3] },
}

const assertPeople = (told: Told, name: string): void => {
  const { data, errors } = JSON.parse(told.text)
  const masjids = expected[name]?.masjids
  if (name === 'directory') {
    assert.equal(errors[0].extensions.code, 'insufficient-scope')
    return
  }
  assert.equal(told.headers['cache-control'], 'no-store')
  if (masjids === undefined) return
  const seen = new Set<string>(data.ua_members.map((row: { masjid_id: string }) => row.masjid_id))
  assert.deepEqual([...seen], masjids.map(masjidId))
}

describe('a warm answer', () => {
  for (const [what, way] of Object.entries(ways))
    test(`is for those who may have it, by ${what}`, async () => {
      const told: Record<string, string> = {}
      for (const round of [1, 2])
        for (const name of Object.keys(expected)) {
          const events = await way(EVENTS, authOf(name))
          const { data, errors } = JSON.parse(events.text)
          if (expected[name]?.events === true) told[`${name} ${round}`] = JSON.stringify(data)
          else assert.equal(errors[0].extensions.code, 'insufficient-scope')
          assert.doesNotMatch(JSON.stringify(events.headers) + events.text, /evil\.example/)
          assert.equal(events.headers['set-cookie'], undefined)
          assertPeople(await way(PEOPLE, authOf(name)), name)
        }
      assert.deepEqual([...new Set(Object.values(told))].length, 1)
      for (const auth of [authOf('revoked'), {}, { authorization: 'Bearer x' }])
        assert.equal((await way(EVENTS, auth)).status, 401)
    })
})

describe('a conditional request', () => {
  const tagOf = async (name: string, headers = {}): Promise<string> =>
    String((await get(headers)(EVENTS, authOf(name))).headers.etag)

  test('with the tag of what others got is answered as if it had none, unless one may have the same', async () => {
    const tag = await tagOf('everything')
    const status = async (name: string, match: string) =>
      (await get({ 'if-none-match': match })(EVENTS, authOf(name))).status
    assert.equal(await status('first', tag), 304, 'the same for everybody with the scopes')
    for (const match of [tag, '*', `W/"x", ${tag}`]) {
      const refused = await get({ 'if-none-match': match })(EVENTS, authOf('directory'))
      assert.match(refused.text, /insufficient-scope/)
      assert.equal(await status('revoked', match), 401)
    }
    const people = await get({ 'if-none-match': '*' })(PEOPLE, authOf('second'))
    assert.notEqual(people.status, 304)
  })

  test('says the same by HEAD, and a 304 has neither body nor another one’s headers', async () => {
    const head = await get({}, 'HEAD')(EVENTS, authOf('everything'))
    assert.equal(head.text, '')
    assert.equal(head.headers.etag, await tagOf('everything', { 'accept-encoding': 'br' }))
    const same = await get({ 'if-none-match': String(head.headers.etag), 'accept-encoding': 'br' })(
      EVENTS,
      authOf('everything'),
    )
    assert.deepEqual([same.status, same.text, same.headers['content-encoding']], [304, '', undefined])
    assert.match(String(same.headers.vary), /authorization/)
    assert.match(String(same.headers.vary), /accept-encoding/)
    assert.match(String((await get({}, 'HEAD')(EVENTS, authOf('directory'))).headers['cache-control']), /no-store/)
  })
})

describe('a hash', () => {
  test('that another app made known opens nothing, and stands for its own text alone', async () => {
    const [known, other] = [EVENTS, '{ up_masjids(limit: 1) { id } }']
    assert.match((await ask(byHash(known), authOf('directory'))).text, /insufficient-scope/)
    const mismatch = search({ query: other, extensions: JSON.stringify(extensionsOf(known)) })
    for (let time = 0; time < 3; time += 1)
      assert.match((await ask(mismatch, authOf('everything'))).text, /does not match/)
    assert.match((await ask(byHash(known), authOf('everything'))).text, /up_events/)
    for (const sha256Hash of [
      hashOf(known).toUpperCase(),
      '__proto__',
      '',
      hashOf(known).slice(1),
      [hashOf(known)],
      null,
    ]) {
      const told = await ask(
        search({ extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash } }) }),
        authOf('everything'),
      )
      assert.doesNotMatch(told.text, /"data"/, JSON.stringify(sha256Hash))
    }
  })

  test('is not found under another path, nor the answer of the other view', async () => {
    const query = '{ __typename }'
    const body = JSON.stringify({ query })
    const at = (path: string) =>
      ask(path, { 'content-type': 'application/json', ...authOf('everything') }, { method: 'POST', body })
    for (let time = 0; time < 3; time += 1) {
      assert.equal((await at('/v1/graphql')).status, 200)
      assert.equal((await at('/v1/relay')).status, 200)
    }
    const nodes = '{ up_masjids_connection(first: 1) { edges { cursor } } }'
    assert.match((await ask(`/v1/relay?${new URLSearchParams({ query: nodes })}`, authOf('everything'))).text, /"data"/)
    assert.doesNotMatch((await ask(search({ query: nodes }), authOf('everything'))).text, /"data"/)
  })

  test('with its parameters twice is refused, whatever was kept for one of them', async () => {
    const masjid = 'query ($id: uuid!) { up_masjids_by_pk(id: $id) { id } }'
    const one = new URLSearchParams({ query: masjid, variables: JSON.stringify({ id: masjidId(1) }) })
    for (let time = 0; time < 3; time += 1) await ask(`/v1/graphql?${one}`, authOf('everything'))
    for (const more of [
      `variables=${encodeURIComponent(JSON.stringify({ id: masjidId(2) }))}`,
      `query=${encodeURIComponent(PEOPLE)}`,
    ]) {
      const told = await ask(`/v1/graphql?${one}&${more}`, authOf('everything'))
      assert.doesNotMatch(told.text, /"data":\{"up_masjids_by_pk"/)
    }
  })
})

describe('a feed', () => {
  const path = () => `/v1/masjids/${masjidId(1)}/events.csv?from=2026-01-01&days=300`
  test('is for those with the scope, whatever tag, encoding or parameter they send', async () => {
    const warm = await ask(path(), authOf('everything'))
    assert.equal(warm.status, 200)
    for (const headers of [
      {},
      { 'if-none-match': String(warm.headers.etag) },
      { 'if-none-match': '*' },
      { 'accept-encoding': 'br' },
    ]) {
      assert.equal((await ask(path(), { ...headers, ...authOf('directory') })).status, 403)
      assert.equal((await ask(path(), { ...headers, ...authOf('revoked') })).status, 401)
      assert.equal((await ask(`${path()}&key=${readers.everything}`, headers)).status, 403, 'one that opens people too')
      assert.equal((await ask(path(), headers)).status, 401)
    }
    assert.match(String(warm.headers['cache-control']), /private|no-store/)
  })
})
