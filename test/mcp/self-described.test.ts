// Apps that describe themselves: the client_id is the address of a document about the app.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { sql } from '../../src/db/sql.ts'
import { makeMasjid, makeStaff, visitAs } from '../staff/use-staff.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import {
  assertPage,
  authorizeParameters,
  decide,
  type Flow,
  get,
  getAuthorize,
  getTokens,
  locationOf,
  makePerson,
  makePkce,
  refresh,
  signIn,
  within,
} from '../support/oauth.ts'
import {
  CLIENT_ID,
  documentFor,
  LOOPBACK_URI,
  type MetadataHost,
  OTHER_CLIENT_ID,
  openMetadataHost,
} from './metadata-host.ts'
import { call, refusedCall, sendCall } from './use-mcp.ts'

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
const resource = () => `${minaret.baseUrl}/mcp`

const flowFor = async (
  clientId = CLIENT_ID,
  user = undefined as Awaited<ReturnType<typeof makePerson>> | undefined,
): Promise<Flow> => {
  const person = user ?? (await makePerson(database()))
  const app = { id: '', clientId, secret: '', redirectUri: 'https://assistant.example.org/callback' }
  return { app, user: person, cookie: await signIn(database(), person) }
}
const asked = (flow: Flow, more: Record<string, string> = {}): URLSearchParams =>
  authorizeParameters(flow.app, makePkce(), { scope: 'masjid:read', parameters: { resource: resource(), ...more } })
const open = (flow: Flow, more: Record<string, string> = {}): Promise<Response> =>
  getAuthorize(minaret, asked(flow, more), flow.cookie)

/** As if the time of its document had passed. */
const expire = async (clientId: string): Promise<void> => {
  await database().run(
    sql`update minaret.apps set fresh_until = now() - interval '1 minute' where client_id = ${clientId}`,
  )
  await within(30_000, 'the app is read again', async () => {
    const before = host.requests.length
    await open(await flowFor(clientId))
    return host.requests.length > before
  })
}

describe('an app that describes itself', () => {
  test('is advertised, fetched once, shown with its host large, and gets tokens', async () => {
    host.serve(CLIENT_ID, documentFor(CLIENT_ID))
    const discovery = await (await fetch(`${minaret.baseUrl}/.well-known/oauth-authorization-server`)).json()
    assert.equal((discovery as Record<string, unknown>).client_id_metadata_document_supported, true)
    const flow = await flowFor()
    const page = await get(locationOf(await open(flow)).href, flow.cookie)
    const text = await page.text()
    assert.match(text, /<p class="host" dir="ltr">logo\.test<\/p>/)
    assert.match(text, /public information and what is your own, not what you see of others/)
    assert.match(text, /Helpful Assistant/)
    assert.doesNotMatch(text, /on your own computer/)
    const tokens = await getTokens(minaret, flow, { scope: 'masjid:read', parameters: { resource: resource() } })
    assert.equal(decodeJwt(tokens.access_token).client_id, CLIENT_ID)
    assert.deepEqual((await call(minaret.baseUrl, 'find_masjids', { words: 'zz' }, tokens.access_token)).masjids, [])
    assert.equal((await refresh(minaret, flow.app, tokens.refresh_token)).status, 200)
    assert.equal(host.requests.filter(address => address === CLIENT_ID).length, 1)
  })

  test('may return to the person’s own machine, on any port, with a warning', async () => {
    host.serve(CLIENT_ID, documentFor(CLIENT_ID))
    for (const uri of [LOOPBACK_URI.replace('/callback', ':53682/callback'), 'http://localhost:4711/callback']) {
      const flow = await flowFor()
      const location = locationOf(await open(flow, { redirect_uri: uri }))
      assert.match(await (await get(location.href, flow.cookie)).text(), /on your own computer/)
    }
    await assertPage(
      await open(await flowFor(), { redirect_uri: 'http://localhost.evil.test/callback' }),
      'another host',
    )
  })

  test('reaches public data and the person’s own until its host is approved; then what the reviewer says', async () => {
    host.serve(OTHER_CLIENT_ID, documentFor(OTHER_CLIENT_ID))
    const masjid = await makeMasjid(database())
    const admin = await makeStaff(database(), { masjid, role: 'admin' })
    await makeStaff(database(), { masjid })
    const flow = await flowFor(OTHER_CLIENT_ID, admin)
    const scope = 'masjid:read members:read'
    const tokens = await getTokens(minaret, flow, { scope, parameters: { resource: resource() } })
    const query = `{ ua_members(where: {masjid_id: {_eq: "${masjid.id}"}}) { id user_id } }`
    const seen = async (): Promise<{ user_id: string }[]> =>
      (await call(minaret.baseUrl, 'query', { query }, tokens.access_token)).written_by_others.ua_members
    assert.deepEqual(
      (await seen()).map(row => row.user_id),
      [admin.id],
    )
    const refused = locationOf(await open(flow, { scope: 'masjid:read masjid:write' }))
    assert.equal(refused.searchParams.get('error'), 'invalid_scope')
    // Not even for the person's own answer: events:write reaches more. No challenge either, which nobody could meet.
    for (const [tool, sent] of [
      ['rsvp_to_event', { occurrence: masjid.id, answer: 'going' }],
      ['cancel_event', { occurrence: masjid.id }],
    ] as const)
      assert.match(await refusedCall(minaret.baseUrl, tool, sent, tokens.access_token), /only read until a reviewer/)

    const reviewer = await makePerson(database(), 'Reviewer')
    await database().run(sql`update minaret.users set is_reviewer = true where id = ${reviewer.id}`)
    const person = await visitAs(minaret, reviewer)
    const page = await person.get('/review/hosts')
    assert.match(page.text, /other\.test/)
    const send = (state: string) =>
      person.submit('/review/hosts', '/review/hosts', {
        host: 'other.test',
        state,
        words: 'because',
        scopes: 'members:read',
      })
    await send('approved')
    await within(30_000, 'all members are seen', async () => (await seen()).length === 2)
    await send('limited')
    await within(30_000, 'members are no longer read', async () => {
      const response = await sendCall(minaret.baseUrl, 'query', { query }, tokens.access_token)
      return response.status === 403
    })
    await send('blocked')
    await within(30_000, 'nothing works', async () => {
      const response = await sendCall(minaret.baseUrl, 'find_masjids', { words: 'zz' }, tokens.access_token)
      return response.status === 401
    })
    await assertPage(await open(flow), 'a blocked host')
  })

  test('is listed under Apps by its host, and ended there', async () => {
    host.serve(CLIENT_ID, documentFor(CLIENT_ID))
    const flow = await flowFor()
    const tokens = await getTokens(minaret, flow, { scope: 'masjid:read', parameters: { resource: resource() } })
    const list = await (await get(`${minaret.baseUrl}/account/apps`, flow.cookie)).text()
    assert.match(list, /logo\.test/)
    const [, id = ''] = /\/account\/apps\/([\da-f-]{36})\/withdraw/.exec(list) ?? []
    const person = await visitAs(minaret, flow.user)
    const path = `/account/apps/${id}/withdraw`
    await person.submit(path, path, {})
    await within(30_000, 'its token ends', async () => {
      const response = await sendCall(minaret.baseUrl, 'find_masjids', { words: 'zz' }, tokens.access_token)
      return response.status === 401
    })
  })

  test('whose redirect URIs change asks everybody again, and what was issued ends', async () => {
    const clientId = 'https://logo.test/changing.json'
    host.serve(clientId, documentFor(clientId))
    const flow = await flowFor(clientId)
    const tokens = await getTokens(minaret, flow, { scope: 'masjid:read', parameters: { resource: resource() } })
    assert.equal(locationOf(await open(flow)).pathname, '/callback')
    const evil = 'https://evil.example.org/callback'
    host.serve(clientId, documentFor(clientId, { redirect_uris: [evil] }))
    await expire(clientId)
    await assertPage(await open(flow), 'the old redirect URI')
    assert.equal(locationOf(await open(flow, { redirect_uri: evil })).pathname, '/consent')
    await within(30_000, 'its token ends', async () => {
      const again = await sendCall(minaret.baseUrl, 'find_masjids', { words: 'zz' }, tokens.access_token)
      return again.status === 401
    })
  })

  test('a consent that was given while the document changed leads nowhere', async () => {
    const clientId = 'https://logo.test/during.json'
    host.serve(clientId, documentFor(clientId))
    const flow = await flowFor(clientId)
    const consent = locationOf(await open(flow))
    await get(consent.href, flow.cookie)
    host.serve(clientId, documentFor(clientId, { redirect_uris: ['https://evil.example.org/callback'] }))
    await expire(clientId)
    await assert.rejects(decide(minaret, consent, flow.cookie), /no consent page, but 400|no redirect, but 400/)
  })
})

describe('a document that breaks a rule is refused with a page, and nothing is stored', () => {
  const cases: readonly (readonly [string, string, unknown])[] = [
    ['it names another client_id', 'https://logo.test/a.json', documentFor(CLIENT_ID)],
    ['it has a secret', 'https://logo.test/b.json', documentFor('https://logo.test/b.json', { client_secret: 'x' })],
    [
      'it wants a secret',
      'https://logo.test/c.json',
      documentFor('https://logo.test/c.json', { token_endpoint_auth_method: 'client_secret_post' }),
    ],
    ['no redirect URI', 'https://logo.test/d.json', documentFor('https://logo.test/d.json', { redirect_uris: [] })],
    [
      'a redirect URI that is neither https nor loopback',
      'https://logo.test/e.json',
      documentFor('https://logo.test/e.json', { redirect_uris: ['http://evil.test/cb'] }),
    ],
    [
      'a script',
      'https://logo.test/f.json',
      documentFor('https://logo.test/f.json', { redirect_uris: ['javascript:alert(1)'] }),
    ],
    ['not an object', 'https://logo.test/g.json', [1]],
    [
      'larger than 5 KB',
      'https://logo.test/h.json',
      documentFor('https://logo.test/h.json', { padding: 'x'.repeat(6000) }),
    ],
  ]
  for (const [what, clientId, document] of cases)
    test(what, async () => {
      host.serve(clientId, document)
      await assertPage(await open(await flowFor(clientId)), what)
      const row = await database().first(sql`select from minaret.apps where client_id = ${clientId}`)
      assert.equal(row, undefined)
    })

  test('it is not JSON, or has another type', async () => {
    const clientId = 'https://logo.test/page.html'
    host.answers.set(clientId, response => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'))
    await assertPage(await open(await flowFor(clientId)), 'html')
  })
})
