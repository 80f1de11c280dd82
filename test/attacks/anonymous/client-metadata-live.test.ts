// A stranger's host of Client ID Metadata Documents, live: what it serves, where its name leads, and what its apps then ask for.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { decodeJwt } from 'jose'
import { sql } from '../../../src/db/sql.ts'
import { documentFor, type MetadataHost, openMetadataHost } from '../../mcp/metadata-host.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import {
  assertPage,
  authorizeParameters,
  basic,
  decide,
  get,
  getAuthorize,
  getTokens,
  locationOf,
  makePerson,
  makePkce,
  postForm,
  postToken,
  refresh,
  signIn,
  type TestApp,
  userinfo,
} from '../../support/oauth.ts'

let host: MetadataHost
let minaret: TestMinaret
before(async () => {
  host = await openMetadataHost()
  minaret = await startTestMinaret({}, { dial: host.dial })
})
after(async () => {
  await minaret.stop()
  await host.close()
})
const database = () => minaret.service.database
const RETURN = 'https://assistant.example.org/callback'
const appAt = (clientId: string, redirectUri = RETURN): TestApp => ({ id: '', clientId, secret: '', redirectUri })
const open = (clientId: string, more: Record<string, string> = {}, cookie = ''): Promise<Response> =>
  getAuthorize(
    minaret,
    authorizeParameters(appAt(clientId), makePkce(), { scope: 'masjid:read', parameters: more }),
    cookie,
  )
const isKnown = async (clientId: string): Promise<boolean> =>
  (await database().query(sql`select from minaret.apps where client_id = ${clientId}`)).length > 0
let made = 0
const nextId = (): string => {
  made += 1
  return `https://logo.test/live-${made}.json`
}

const send =
  (status: number, headers: Record<string, string>, body: (clientId: string) => string | Buffer) =>
  (response: ServerResponse, clientId: string): void =>
    void response.writeHead(status, headers).end(body(clientId))
const json = { 'content-type': 'application/json' }
const good = (clientId: string): string => JSON.stringify(documentFor(clientId))
const saying =
  (more: Readonly<Record<string, unknown>>) =>
  (clientId: string): string =>
    JSON.stringify(documentFor(clientId, more))

const refusedAnswers: Readonly<Record<string, (response: ServerResponse, clientId: string) => void>> = {
  'packed bytes, which unpack to more': send(200, { ...json, 'content-encoding': 'gzip' }, id => gzipSync(good(id))),
  'a part of a document': send(206, { ...json, 'content-range': 'bytes 0-9/99' }, good),
  'a created one': send(201, json, good),
  'nothing, as unchanged': send(304, json, () => ''),
  'a list of one': send(200, json, id => `[${good(id)}]`),
  'two documents': send(200, json, id => good(id) + good(id)),
  'UTF-16': send(200, json, id => Buffer.from(good(id), 'utf16le')),
  'broken UTF-8': send(200, json, id => Buffer.concat([Buffer.from(good(id)), Buffer.from([0xff, 0xfe])])),
  'a document deeper than any parser likes': send(200, json, id => good(id).replace('}', `,"x":${'['.repeat(2400)}}`)),
  'a type that begins like JSON': send(200, { 'content-type': 'application/jsonp' }, good),
  'a script with the document in it': send(200, { 'content-type': 'text/javascript' }, good),
  'a document without its length, behind 5 KB of spaces': (response, id) => {
    response.writeHead(200, json).write(' '.repeat(6000))
    response.end(good(id))
  },
  'a length that is not true': (response, id) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n${good(id)}`)
  },
  'headers without end': response => {
    response.socket?.end(`HTTP/1.1 200 OK\r\n${`x: ${'a'.repeat(1000)}\r\n`.repeat(100)}\r\n`)
  },
  'a protocol of its own': response =>
    void response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'),
  'a closed connection': response => void response.destroy(),
}

const refusedDocuments: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a redirect URI with a user': { redirect_uris: ['https://accounts.google.com@evil.test/cb'] },
  'a redirect URI with a fragment': { redirect_uris: ['https://evil.test/cb#x'] },
  'a redirect URI that is any of a host': { redirect_uris: ['https://*.evil.test/cb'] },
  'a redirect URI in a private network': { redirect_uris: ['http://10.0.0.1/cb'] },
  'a redirect URI that looks like this machine': { redirect_uris: ['http://127.0.0.1.evil.test/cb'] },
  'a redirect URI with a scheme of its own': { redirect_uris: ['com.example.app:/cb'] },
  'a redirect URI with markup': { redirect_uris: ['https://evil.test/"><script>'] },
  'one bad redirect URI among good ones': { redirect_uris: [RETURN, 'data:text/html,x'] },
  'more redirect URIs than anybody needs': {
    redirect_uris: Array.from({ length: 21 }, (_, index) => `${RETURN}${index}`),
  },
  'a redirect URI that is an object': { redirect_uris: [{ toString: RETURN }] },
  'a name that is an object': { client_name: { text: 'Minaret' } },
  'a wish for client credentials alone': { grant_types: ['client_credentials'] },
  'a wish for the implicit flow alone': { response_types: ['token'] },
  'a key as its secret': { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://logo.test/keys' },
}

describe('what a host serves', () => {
  test('is refused with a page and stored nowhere, unless it is one small document', async () => {
    for (const [what, answer] of Object.entries(refusedAnswers)) {
      const clientId = nextId()
      host.answers.set(clientId, response => answer(response, clientId))
      await assertPage(await open(clientId), what)
      assert.equal(await isKnown(clientId), false, what)
    }
  })

  test('is refused if the document breaks a rule', async () => {
    for (const [what, more] of Object.entries(refusedDocuments)) {
      const clientId = nextId()
      host.answers.set(clientId, response => send(200, json, saying(more))(response, clientId))
      await assertPage(await open(clientId), what)
      assert.equal(await isKnown(clientId), false, what)
    }
  })

  test('cannot say more about an app than its name and its redirect URIs', async () => {
    const clientId = nextId()
    const more = {
      scope: 'members:write donations:write',
      host: 'minaret.example',
      state: 'approved',
      own_rows: false,
      owner_id: '00000000-0000-0000-0000-000000000000',
      logo_uri: 'https://logo.test/tracker.png',
      backchannel_logout_uri: 'https://logo.test/out',
      jwks_uri: 'https://logo.test/keys',
      dpop_bound_access_tokens: false,
      ...JSON.parse('{"__proto__":{"client_name":"Polluted"}}'),
      constructor: 'x',
    }
    host.serve(clientId, documentFor(clientId, more))
    assert.equal((await open(clientId)).status, 303)
    const row = await database().first(sql`
      select host, owner_id, logo, backchannel_logout_uri, jwks_uri, own_rows, kind, state, device_flow, plain_claims,
        array(select scope from unnest(scopes) scope where scope like '%:write') as writing
      from minaret.apps where client_id = ${clientId}`)
    assert.deepEqual(
      { ...row },
      {
        host: 'logo.test',
        owner_id: null,
        logo: null,
        backchannel_logout_uri: null,
        jwks_uri: null,
        own_rows: true,
        kind: 'public',
        state: 'approved',
        device_flow: 'off',
        plain_claims: [],
        writing: [],
      },
    )
  })

  test('never names an app in a way that hides its host', async () => {
    const names = ['\u202eteraniM', 'Minaret\nlogo.example', 'Mina\u200bret', ' ', 'M'.repeat(101), '<b>Minaret</b>']
    const cookie = await signIn(database(), await makePerson(database()))
    for (const client_name of names) {
      const clientId = nextId()
      host.serve(clientId, documentFor(clientId, { client_name }))
      const text = await (await get(locationOf(await open(clientId, {}, cookie)).href, cookie)).text()
      assert.match(text, /<p class="host" dir="ltr">logo\.test<\/p>/, client_name)
      assert.doesNotMatch(text, /<b>Minaret<\/b>|\u202e|\u200b/u, client_name)
    }
  })
})

describe('where its name leads', () => {
  test('is decided by one answer of the resolver: one private address is enough, and names of our own network are not asked', async () => {
    const pairs = [
      '10.0.0.1',
      '169.254.169.254',
      '0.0.0.0',
      '224.0.0.1',
      '::1',
      'fe80::1',
      '::ffff:192.168.0.1',
      '64:ff9b::7f00:1',
    ]
    for (const [index, address] of pairs.entries()) {
      let asked = 0
      const inside = { address, family: address.includes(':') ? 6 : 4 }
      const loopback = { address: '127.0.0.1', family: 4 }
      host.names.set(`live-${index}.test`, () => {
        asked += 1
        return index % 2 === 0 ? [loopback, inside] : [inside, loopback]
      })
      await assertPage(await open(`https://live-${index}.test/a.json`), address)
      assert.equal(asked, 1, address)
    }
    const before = host.requests.length
    for (const name of [
      'metadata.google.internal',
      'printer.local',
      'app.localhost',
      'nas.home.arpa',
      '1.2.3.4',
      '0x7f.1',
      'a..b',
    ]) {
      host.names.set(name, () => assert.fail(`${name} was asked for`))
      await assertPage(await open(`https://${name}/a.json`), name)
    }
    assert.equal(host.requests.length, before)
  })

  test('is not a host with another name’s certificate, nor one that has no address', async () => {
    host.names.set('nowhere.test', () => [])
    for (const name of ['stranger.test', 'sub.logo.test', 'nowhere.test'])
      await assertPage(await open(`https://${name}/a.json`), name)
  })
})

describe('what its apps may then do', () => {
  const introduced = async (): Promise<TestApp> => {
    const clientId = nextId()
    host.serve(clientId, documentFor(clientId))
    assert.equal((await open(clientId)).status, 303)
    return appAt(clientId)
  }
  const errorOf = async (response: Response): Promise<string> => ((await response.json()) as { error: string }).error

  test('is nothing without a person: no client credentials, device codes, pushed requests of strangers, introspection or secret', async () => {
    const app = await introduced()
    const posting = (path: string, form: Record<string, string>, headers = {}) =>
      postForm(`${minaret.baseUrl}${path}`, { client_id: app.clientId, ...form }, headers)
    const machine = await posting('/api/oauth/token', { grant_type: 'client_credentials', scope: 'masjid:read' })
    assert.ok(['unauthorized_client', 'invalid_client'].includes(await errorOf(machine)))
    const secret = await postToken(minaret, { grant_type: 'client_credentials' }, basic({ ...app, secret: 'guessed' }))
    assert.equal(secret.status, 401)
    assert.ok((await posting('/oauth/device_authorization', { scope: 'masjid:read' })).status >= 400)
    assert.ok((await posting('/oauth/introspect', { token: 'x' })).status >= 400)
    const unknown = nextId()
    host.serve(unknown, documentFor(unknown))
    const before = host.requests.length
    for (const path of [
      '/api/oauth/token',
      '/oauth/par',
      '/oauth/device_authorization',
      '/oauth/revoke',
      '/oauth/introspect',
    ])
      await posting(path, { client_id: unknown, grant_type: 'refresh_token', refresh_token: 'x', token: 'x' })
    assert.equal(host.requests.length, before, 'only a browser introduces an app')
  })

  test('is never more than its host may: scopes to write, other people’s claims, or another redirect URI', async () => {
    const app = await introduced()
    const user = await makePerson(database(), 'A Private Name')
    const cookie = await signIn(database(), user)
    for (const scope of ['members:write', 'masjid:write', 'donations:write', 'admin'])
      assert.match(
        (await (await open(app.clientId, { scope }, cookie)).text()) || 'moved',
        /invalid_scope|scope/i,
        scope,
      )
    for (const redirect_uri of [
      `${RETURN}/x`,
      'https://evil.test/cb',
      `${RETURN}?x=1`,
      'https://ASSISTANT.example.org/callback',
    ])
      await assertPage(await open(app.clientId, { redirect_uri }, cookie), redirect_uri)
    const tokens = await getTokens(minaret, { app, user, cookie }, { scope: 'masjid:read' })
    assert.deepEqual(await (await userinfo(minaret, tokens.access_token)).json(), { sub: user.id })
    assert.equal(decodeJwt(tokens.access_token).client_id, app.clientId)
    const other = await introduced()
    assert.equal((await refresh(minaret, other, tokens.refresh_token)).status, 400)
  })

  test('ends with its host: blocked, it gets no code for what was asked before, nor under another address there', async () => {
    const app = await introduced()
    const user = await makePerson(database())
    const cookie = await signIn(database(), user)
    const tokens = await getTokens(minaret, { app, user, cookie }, { scope: 'masjid:read' })
    const waiting = locationOf(await open(app.clientId, { scope: 'masjid:read events:read' }, cookie))
    await database().run(sql`
      update minaret.app_hosts set state = 'blocked', decided_at = clock_timestamp() where host = 'logo.test'`)
    await assert.rejects(decide(minaret, waiting, cookie), /no consent page|no redirect/)
    assert.equal((await refresh(minaret, app, tokens.refresh_token)).status >= 400, true)
    const late = nextId()
    host.serve(late, documentFor(late))
    await assertPage(await open(late), 'a new address')
    await assertPage(await open(`${app.clientId}?x=1`), 'another spelling')
  })
})
