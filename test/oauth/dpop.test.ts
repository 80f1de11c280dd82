// DPoP (RFC 9449): an unmodified client gets bound tokens and uses them everywhere; what apps can require, and what is told about them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import type { User } from '../../src/accounts/users.ts'
import { visitAs } from '../staff/use-staff.ts'
import { makeUser } from '../support/apps.ts'
import { DEVICE_GRANT, decideDevice, personWith, startDevice } from '../support/device.ts'
import { insertMasjid } from '../support/masjids.ts'
import { useMinaret } from '../support/minaret.ts'
import {
  basic,
  getCode,
  makeClient,
  makeFlow,
  postForm,
  postToken,
  readError,
  readTokens,
  revoke,
  signIn,
  type TestApp,
  within,
} from '../support/oauth.ts'
import { createPerson } from '../support/person.ts'
import { makeProofKey, type ProofKey, postProven, sendProven } from '../support/proofs.ts'
import { walkToApp } from '../support/walk.ts'

let publicApp: TestApp
let serverApp: TestApp
let user: User
let key: ProofKey
const minaret = useMinaret({}, async ({ service: { database } }) => {
  user = await makeUser(database)
  publicApp = await makeClient(database, { ownerId: user.id })
  serverApp = await makeClient(database, { kind: 'confidential', ownerId: user.id })
  key = await makeProofKey()
})

const tokenUrl = (): string => `${minaret().baseUrl}/api/oauth/token`
const graphqlUrl = (): string => `${minaret().baseUrl}/v1/graphql`
const query = JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' })
const bound = (token: string): Record<string, string> => ({ authorization: `DPoP ${token}` })

const discover = (app: TestApp): Promise<client.Configuration> =>
  client.discovery(
    new URL(minaret().baseUrl),
    app.clientId,
    app.secret === '' ? undefined : app.secret,
    app.secret === '' ? client.None() : client.ClientSecretBasic(app.secret),
    { execute: [client.allowInsecureRequests] },
  )

for (const kind of ['public', 'confidential'] as const)
  test(`openid-client: code, refresh, userinfo and GraphQL with proofs of a ${kind} app`, async () => {
    const app = kind === 'public' ? publicApp : serverApp
    const configuration = await discover(app)
    assert.ok(configuration.serverMetadata().dpop_signing_alg_values_supported?.includes('ES256'))
    const DPoP = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair())
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const parameters = {
      redirect_uri: app.redirectUri,
      scope: 'openid email masjid:read',
      state: 'a state',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    }
    const url =
      kind === 'public'
        ? client.buildAuthorizationUrl(configuration, {
            ...parameters,
            dpop_jkt: await DPoP.calculateThumbprint(),
          })
        : await client.buildAuthorizationUrlWithPAR(configuration, parameters, { DPoP })
    const person = createPerson(minaret().baseUrl)
    const { arrived } = await walkToApp(person, await person.get(url.pathname + url.search), user.email)
    const checks = { pkceCodeVerifier, expectedState: 'a state' }
    const tokens = await client.authorizationCodeGrant(configuration, arrived, checks, undefined, { DPoP })
    assert.equal(tokens.token_type, 'dpop', 'the library writes it in small letters')
    const jkt = await DPoP.calculateThumbprint()
    assert.deepEqual(decodeJwt(tokens.access_token).cnf, { jkt })
    const next = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '', undefined, { DPoP })
    const info = await client.fetchUserInfo(configuration, next.access_token, user.id, { DPoP })
    assert.equal(info.email, user.email)
    const headers = new Headers({ 'content-type': 'application/json' })
    const address = new URL(graphqlUrl())
    for (const _ of [1, 2]) {
      const answer = await client.fetchProtectedResource(
        configuration,
        next.access_token,
        address,
        'POST',
        query,
        headers,
        {
          DPoP,
        },
      )
      assert.deepEqual(Object.keys(((await answer.json()) as { data: object }).data), ['up_masjids'])
    }
    if (kind === 'confidential') {
      const told = await client.tokenIntrospection(configuration, next.access_token)
      assert.deepEqual([told.active, told.token_type, told.cnf], [true, 'DPoP', { jkt }])
    }
    await client.tokenRevocation(configuration, next.access_token)
    await within(1000, 'the token is refused', () =>
      client.fetchUserInfo(configuration, next.access_token, user.id, { DPoP }).then(
        () => false,
        () => true,
      ),
    )
  })

test('openid-client: client credentials with a proof; without one the same app gets a bearer token', async () => {
  const configuration = await discover(serverApp)
  const DPoP = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair('ES256'))
  const tokens = await client.clientCredentialsGrant(configuration, { scope: 'masjid:read' }, { DPoP })
  assert.equal(tokens.token_type, 'dpop')
  assert.equal((await client.clientCredentialsGrant(configuration, { scope: 'masjid:read' })).token_type, 'bearer')
})

test('bound tokens work wherever bearer tokens do: assistants, feeds, schema files, relay and event streams', async () => {
  const mcp = `${minaret().baseUrl}/mcp`
  const ask = async (resource?: string): Promise<string> => {
    const form = { grant_type: 'client_credentials', ...(resource === undefined ? {} : { resource }) }
    return (await readTokens(await postProven(key, tokenUrl(), form, { headers: basic(serverApp) }))).access_token
  }
  const assistants = await ask(mcp)
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const message = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })
  const told = await sendProven(
    key,
    { url: mcp, body: message, headers: { ...json, ...bound(assistants) } },
    { token: assistants },
  )
  assert.equal(told.status, 200, await told.text())
  const token = await ask()
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    sendProven(
      key,
      { method: 'GET', url: minaret().baseUrl + path, headers: { ...headers, ...bound(token) } },
      { token },
    )
  assert.equal((await get('/v1/schema.graphql')).status, 200)
  assert.equal((await get(`/v1/masjids/${crypto.randomUUID()}/events.ics`)).status, 404)
  assert.equal((await get(`/v1/graphql?query=${encodeURIComponent('{ up_masjids { id } }')}`)).status, 200)
  const stream = await get(`/v1/graphql?query=${encodeURIComponent('subscription { up_masjids { id } }')}`, {
    accept: 'text/event-stream',
  })
  assert.equal(stream.headers.get('content-type')?.split(';')[0], 'text/event-stream')
  await stream.body?.cancel()
  const relay = await sendProven(
    key,
    {
      url: `${minaret().baseUrl}/v1/relay`,
      headers: { 'content-type': 'application/json', ...bound(token) },
      body: JSON.stringify({ query: '{ __typename }' }),
    },
    { token },
  )
  assert.equal(relay.status, 200)
})

test('an event stream of a bound token goes on without further proofs, and ends with the token', async () => {
  const app = await makeClient(minaret().service.database, { kind: 'confidential', ownerId: user.id })
  const form = { grant_type: 'client_credentials', scope: 'masjid:read' }
  const { access_token: token } = await readTokens(await postProven(key, tokenUrl(), form, { headers: basic(app) }))
  const subscription = encodeURIComponent('subscription { up_masjids(order_by: {name: asc}) { name } }')
  const stream = await sendProven(
    key,
    {
      method: 'GET',
      url: `${graphqlUrl()}?query=${subscription}`,
      headers: { accept: 'text/event-stream', ...bound(token) },
    },
    { token },
  )
  assert.equal(stream.status, 200)
  let told = ''
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of stream.body as ReadableStream<Uint8Array>) told += decoder.decode(bytes, { stream: true })
  })()
  await within(60_000, 'the first result', async () => told.includes('"up_masjids"'))
  await insertMasjid(minaret().service.database, { name: 'Told while the stream was open' })
  await within(60_000, 'a later result', async () => told.includes('Told while the stream was open'))
  assert.equal((await revoke(minaret(), app, token)).status, 200)
  await reading
  assert.match(told, /event: complete|"errors"/)
})

test('a device gets a bound token with a proof at its poll; a poll without one gets a bearer token', async () => {
  const { database } = minaret().service
  const tv = await makeClient(database, { deviceFlow: 'on', redirectUris: [] })
  const cookie = await signIn(database, user)
  const connect = async (): Promise<Record<string, string>> => {
    const codes = await startDevice(minaret(), tv, 'openid masjid:read')
    await decideDevice(personWith(minaret(), cookie), codes.user_code)
    return { grant_type: DEVICE_GRANT, device_code: codes.device_code, client_id: tv.clientId }
  }
  const tokens = await readTokens(await postProven(key, tokenUrl(), await connect()))
  assert.equal(tokens.token_type, 'DPoP')
  assert.deepEqual(decodeJwt(tokens.access_token).cnf, { jkt: key.thumbprint })
  // It is a public app, so its refresh token is bound too.
  const again = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: tv.clientId }
  assert.equal((await postForm(tokenUrl(), again)).status, 400)
  assert.equal((await postProven(await makeProofKey(), tokenUrl(), again)).status, 400)
  assert.equal((await readTokens(await postProven(key, tokenUrl(), again))).token_type, 'DPoP')
  assert.equal((await readTokens(await postForm(tokenUrl(), await connect()))).token_type, 'bearer')
})

test('an app can require proofs in the console, and then gets no other token', async () => {
  const app = await makeClient(minaret().service.database, { kind: 'confidential', ownerId: user.id })
  const person = await visitAs(minaret(), user)
  const page = `/console/apps/${app.id}`
  const saved = await person.submit(`${page}/settings`, `${page}/bound-tokens`, { bound_tokens: 'required' })
  assert.equal(saved.location, `${page}/settings?done=bound_tokens`)
  assert.match((await person.get(page)).text, /Only with a proof/)
  const form = { grant_type: 'client_credentials' }
  await within(1000, 'every process knows', async () => (await postToken(minaret(), form, basic(app))).status === 400)
  assert.equal((await readError(await postToken(minaret(), form, basic(app)))).error, 'invalid_request')
  const tokens = await readTokens(await postProven(key, tokenUrl(), form, { headers: basic(app) }))
  assert.equal(tokens.token_type, 'DPoP')
  await person.submit(`${page}/settings`, `${page}/bound-tokens`, { bound_tokens: 'optional' })
  await within(1000, 'every process knows', async () => (await postToken(minaret(), form, basic(app))).status === 200)
})

test('a code that names a key is exchanged with a proof of that key only, and stays valid after a wrong one', async () => {
  const flow = await makeFlow(minaret())
  const { form } = await getCode(minaret(), flow, { parameters: { dpop_jkt: key.thumbprint } })
  assert.equal((await readError(await postToken(minaret(), form))).error, 'invalid_grant')
  const other = await makeProofKey()
  assert.equal((await readError(await postProven(other, tokenUrl(), form))).error, 'invalid_grant')
  assert.equal((await readTokens(await postProven(key, tokenUrl(), form))).token_type, 'DPoP')
})

test('a pushed request takes the key from its proof, and refuses a dpop_jkt of another', async () => {
  const form = {
    client_id: publicApp.clientId,
    response_type: 'code',
    redirect_uri: publicApp.redirectUri,
    scope: 'masjid:read',
    state: 'a state',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  }
  const url = `${minaret().baseUrl}/oauth/par`
  assert.equal((await postProven(key, url, form)).status, 201)
  const other = { ...form, dpop_jkt: (await makeProofKey()).thumbprint }
  assert.equal((await readError(await postProven(key, url, other))).error, 'invalid_request')
  assert.equal((await readError(await postForm(url, { ...form, dpop_jkt: 'short' }))).error, 'invalid_request')
})

test('single-page apps of any origin may send proofs and read nonces', async () => {
  const preflight = await fetch(tokenUrl(), {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.org', 'access-control-request-method': 'POST' },
  })
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /\bdpop\b/)
  const headers = { origin: 'https://app.example.org', 'content-type': 'application/json' }
  const refused = await fetch(tokenUrl(), { method: 'POST', headers, body: query })
  assert.match(refused.headers.get('access-control-expose-headers') ?? '', /\bdpop-nonce\b/)
  const asked = await fetch(graphqlUrl(), { method: 'POST', headers, body: query })
  assert.match(asked.headers.get('access-control-expose-headers') ?? '', /\bdpop-nonce\b/)
})
