import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { createSecret } from '../../src/apps/secrets.ts'
import { commandActor } from '../../src/audit/record-audit.ts'
import { sql } from '../../src/db/sql.ts'
import { useMinaret } from '../support/minaret.ts'
import {
  basic,
  makeClient,
  moveApp,
  postForm,
  postToken,
  readError,
  readTokens,
  type TestApp,
  userinfo,
  within,
} from '../support/oauth.ts'

const grant = { grant_type: 'client_credentials' }
let app: TestApp
let publicApp: TestApp

const minaret = useMinaret({}, async ({ service: { database } }) => {
  app = await makeClient(database, { kind: 'confidential', scopes: 'openid masjid:read events:read' })
  publicApp = await makeClient(database)
})

/** As Node's `fetch` sends it; in pieces of unknown length, which plain connections leave to Node's server; with the path spelled another way. */
test('the endpoint answers the same however a request reaches it', async () => {
  const url = `${minaret().baseUrl}/api/oauth/token`
  const form = new URLSearchParams({ ...grant, scope: 'masjid:read' }).toString()
  const type = 'application/x-www-form-urlencoded'
  const send = (address: string, body: string | ReadableStream, headers: Record<string, string>) =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': type, ...headers },
      body,
      duplex: 'half',
    } as RequestInit)
  const inPieces = (text: string): ReadableStream => new Blob([text]).stream()
  const ways = (body: string, headers: Record<string, string>) => [
    send(url, body, headers),
    send(url, inPieces(body), headers),
    send(`${url}?from=a-proxy`, body, headers),
    send(url.replace('/token', '/%74oken'), body, headers),
  ]
  const described = async (response: Promise<Response>) => {
    const { status, headers } = await response
    const varying = ['date', 'x-request-id', 'content-length', 'connection', 'keep-alive']
    const body = (await (await response).json()) as Record<string, unknown>
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    return {
      status,
      headers: [...headers].filter(([name]) => !varying.includes(name)),
      fields: Object.keys(body),
      error: body.error,
    }
  }
  for (const [body, headers, status] of [
    [form, basic(app), 200],
    [form, { authorization: 'Basic bm9ib2R5Om5vdGhpbmc=' }, 401],
    [`${form}&scope=openid`, basic(app), 400],
    ['{}', { ...basic(app), 'content-type': 'application/json' }, 400],
    [`${form}&padding=${'x'.repeat(300_000)}`, basic(app), 413],
  ] as const) {
    const [first, ...others] = await Promise.all(ways(body, headers).map(described))
    assert.equal(first?.status, status)
    for (const other of others) assert.deepEqual(other, first)
  }
})

test('a confidential app gets an RFC 9068 token for itself', async () => {
  const response = await postToken(minaret(), { ...grant, scope: 'events:read masjid:read' }, basic(app))
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const tokens = await readTokens(response)
  assert.deepEqual(Object.keys(tokens).sort(), ['access_token', 'expires_in', 'scope', 'token_type'])
  assert.equal(tokens.token_type, 'bearer')
  assert.equal(tokens.expires_in, 3600)
  assert.equal(tokens.scope, 'masjid:read events:read')
  const { baseUrl } = minaret()
  const keys = createRemoteJWKSet(new URL(`${baseUrl}/.well-known/jwks.json`))
  const { payload, protectedHeader } = await jwtVerify(tokens.access_token, keys, {
    issuer: baseUrl,
    audience: baseUrl,
    typ: 'at+jwt',
    algorithms: ['ES256'],
  })
  assert.equal(payload.sub, app.clientId)
  assert.equal(payload.client_id, app.clientId)
  assert.equal(payload.scope, 'masjid:read events:read')
  assert.match(String(payload.jti), /^[0-9a-f-]{36}$/)
  assert.equal(Number(payload.exp) - Number(payload.iat), 3600)
  assert.equal(protectedHeader.alg, 'ES256')
})

test('without a scope the app gets everything it was granted, except scopes about a user', async () => {
  assert.equal((await readTokens(await postToken(minaret(), grant, basic(app)))).scope, 'masjid:read events:read')
})

test('without a scope the app gets write scopes too, if they were granted', async () => {
  const { database } = minaret().service
  const writer = await makeClient(database, { kind: 'confidential', scopes: 'openid events:write masjid:read' })
  assert.equal((await readTokens(await postToken(minaret(), grant, basic(writer)))).scope, 'masjid:read events:write')
  const narrow = await postToken(minaret(), { ...grant, scope: 'masjid:write' }, basic(writer))
  assert.equal((await readError(narrow)).error, 'invalid_scope')
})

test('userinfo refuses a token of an app that acts for itself', async () => {
  const tokens = await readTokens(await postToken(minaret(), grant, basic(app)))
  const response = await userinfo(minaret(), tokens.access_token)
  assert.equal(response.status, 403)
  assert.match(response.headers.get('www-authenticate') ?? '', /error="insufficient_scope".*scope="openid"/)
})

const refusals: [string, Record<string, string>, () => Record<string, string>, number, string][] = [
  ['a wrong secret', grant, () => basic({ ...app, secret: 'wrong' }), 401, 'invalid_client'],
  ['an empty secret', grant, () => basic({ ...app, secret: '' }), 401, 'invalid_client'],
  ['an unknown client', grant, () => basic({ ...app, clientId: 'nobody-here' }), 401, 'invalid_client'],
  ['no client at all', grant, () => ({}), 401, 'invalid_client'],
  ['another scheme', grant, () => ({ authorization: 'Bearer abc' }), 401, 'invalid_client'],
  ['an unreadable header', grant, () => ({ authorization: 'Basic !!!' }), 401, 'invalid_client'],
  ['an unknown scope', { ...grant, scope: 'masjid:write' }, () => basic(app), 400, 'invalid_scope'],
  ['a scope it was not granted', { ...grant, scope: 'members:read' }, () => basic(app), 400, 'invalid_scope'],
  ['a scope about a user', { ...grant, scope: 'openid' }, () => basic(app), 400, 'invalid_scope'],
  ['a scope of quotes', { ...grant, scope: '"<script>' }, () => basic(app), 400, 'invalid_scope'],
  ['no grant type', {}, () => basic(app), 400, 'invalid_request'],
  ['an unknown grant type', { grant_type: 'password' }, () => basic(app), 400, 'unsupported_grant_type'],
  ['a grant type of Object', { grant_type: 'constructor' }, () => basic(app), 400, 'unsupported_grant_type'],
]

for (const [what, form, headers, status, error] of refusals)
  test(`refused: ${what}`, async () => {
    const response = await postToken(minaret(), form, headers())
    assert.equal(response.status, status)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    if (status === 401) assert.match(response.headers.get('www-authenticate') ?? '', /^Basic /)
    const body = await readError(response)
    assert.equal(body.error, error)
    assert.match(body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  })

test('the secret may be in the form, unless the app is registered for HTTP Basic only', async () => {
  const post = (client: TestApp, secret = client.secret) =>
    postToken(minaret(), { ...grant, client_id: client.clientId, client_secret: secret })
  await readTokens(await post(app))
  assert.equal((await post(app, 'wrong')).status, 401)
  const strict = await makeClient(minaret().service.database, { kind: 'confidential', clientAuthentication: 'basic' })
  await readTokens(await postToken(minaret(), grant, basic(strict)))
  const refused = await post(strict)
  assert.equal(refused.status, 401)
  assert.match((await readError(refused)).error_description, /HTTP Basic only/)
  assert.doesNotMatch((await readError(await post(strict, 'wrong'))).error_description, /Basic only/)
})

test('a public app that sends a secret is told that it has none', async () => {
  const secret = { client_id: publicApp.clientId, client_secret: 'x' }
  const ways: [Record<string, string>, Record<string, string>][] = [
    [secret, {}],
    [{}, basic({ ...publicApp, secret: 'x' })],
  ]
  for (const path of ['/api/oauth/token', '/oauth/revoke', '/oauth/par'])
    for (const [form, headers] of ways) {
      const response = await postForm(minaret().baseUrl + path, { ...grant, token: 'x', ...form }, headers)
      assert.equal(response.status, 401, path)
      const { error, error_description } = await readError(response)
      assert.equal(error, 'invalid_client')
      assert.equal(error_description, 'This app is public: it has no secret, send client_id alone.')
    }
})

test('refused: the secret in both the form and the header', async () => {
  const secret = { client_id: app.clientId, client_secret: app.secret }
  const both = await postToken(minaret(), { ...grant, ...secret }, basic(app))
  assert.equal(both.status, 400)
  assert.equal((await readError(both)).error, 'invalid_request')
  const two = await postToken(minaret(), { ...grant, client_id: publicApp.clientId }, basic(app))
  assert.equal((await readError(two)).error, 'invalid_request')
})

test('refused: a public app', async () => {
  const response = await postToken(minaret(), { ...grant, client_id: publicApp.clientId })
  assert.equal(response.status, 400)
  assert.equal((await readError(response)).error, 'unauthorized_client')
})

test('refused: a repeated parameter, and a body that is not a form', async () => {
  const repeated = new URLSearchParams('grant_type=client_credentials&scope=masjid%3Aread&scope=events%3Aread')
  assert.equal((await readError(await postToken(minaret(), repeated, basic(app)))).error, 'invalid_request')
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
    const response = await fetch(`${minaret().baseUrl}/api/oauth/token`, {
      method: 'POST',
      body: JSON.stringify(grant),
      headers: { 'content-type': type, ...basic(app) },
    })
    assert.equal(response.status, 400, type)
    assert.equal((await readError(response)).error, 'invalid_request')
    assert.equal(response.headers.get('cache-control'), 'no-store')
  }
})

test('refused: any method but POST', async () => {
  for (const path of ['/api/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/par']) {
    const response = await fetch(minaret().baseUrl + path)
    assert.equal(response.status, 405, path)
    assert.match(response.headers.get('allow') ?? '', /POST/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal((await readError(response)).error, 'invalid_request')
  }
})

test('two secrets work at the same time; a revoked one is refused within a second', async () => {
  const { database } = minaret().service
  const first = await makeClient(database, { kind: 'confidential' })
  await readTokens(await postToken(minaret(), grant, basic(first)))
  const second = { ...first, secret: await createSecret(database, { appId: first.id, actor: commandActor }) }
  const statusOf = async (app: typeof first) => (await postToken(minaret(), grant, basic(app))).status
  await within(1000, 'the second secret works', async () => (await statusOf(second)) === 200)
  await readTokens(await postToken(minaret(), grant, basic(first)))
  await database.run(sql`update minaret.app_secrets set revoked_at = now() where app_id = ${first.id} and slot = 1`)
  await within(1000, 'the first is refused', async () => (await statusOf(first)) === 401)
  await readTokens(await postToken(minaret(), grant, basic(second)))
})

test('a suspended app is refused within a second, and its tokens with it', async () => {
  const { database } = minaret().service
  const other = await makeClient(database, { kind: 'confidential' })
  const tokens = await readTokens(await postToken(minaret(), grant, basic(other)))
  const introspect = () =>
    postForm(`${minaret().baseUrl}/oauth/introspect`, { token: tokens.access_token }, basic(other))
  assert.equal(((await (await introspect()).json()) as { active: boolean }).active, true)
  await moveApp(database, other, 'suspended')
  await within(1000, 'app and token are refused', async () => {
    const statuses = [await postToken(minaret(), grant, basic(other)), await userinfo(minaret(), tokens.access_token)]
    return statuses.every(({ status }) => status === 401)
  })
})

test('issued tokens are in the audit log, without any secret', async () => {
  const { database } = minaret().service
  const own = await makeClient(database, { kind: 'confidential' })
  const tokens = await readTokens(await postToken(minaret(), grant, basic(own)))
  let rows: { action: string; detail: unknown; address: string }[] = []
  await within(60_000, 'it is recorded', async () => {
    rows = await database.query(sql`select action, detail, address from minaret.audit_log
      where app_id = ${own.id} and action like 'oauth.%'`)
    return rows.length > 0
  })
  assert.equal(rows[0]?.action, 'oauth.token_issued')
  assert.match(rows[0]?.address ?? '', /127\.0\.0\.1|::1/)
  const text = JSON.stringify(rows)
  for (const secret of [own.secret, tokens.access_token]) assert.ok(!text.includes(secret))
})
