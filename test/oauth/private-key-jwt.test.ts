// Apps that sign with a key instead of a secret (RFC 7523): an unmodified client at every endpoint, keys in the console, by command and
// by address; and what is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import * as client from 'openid-client'
import type { User } from '../../src/accounts/users.ts'
import { setAppKeys } from '../../src/apps/signing-keys.ts'
import { commandActor as actor } from '../../src/audit/record-audit.ts'
import { visitAs } from '../staff/use-staff.ts'
import { makeUser } from '../support/apps.ts'
import { startTestMinaret, useMinaret } from '../support/minaret.ts'
import { basic, makeClient, postForm, postToken, readError, type TestApp, within } from '../support/oauth.ts'
import { createPerson } from '../support/person.ts'
import { certificate, openTlsServer } from '../support/tls-server.ts'
import { walkToApp } from '../support/walk.ts'

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

interface Pair {
  readonly privateKey: CryptoKey
  readonly jwk: JWK
}

const makePair = async (kid: string, algorithm = 'ES256'): Promise<Pair> => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm } }
}

let app: TestApp
let pair: Pair
let user: User
const minaret = useMinaret({}, async ({ service: { database } }) => {
  user = await makeUser(database)
  app = await makeClient(database, { kind: 'confidential', ownerId: user.id, deviceFlow: 'on' })
  pair = await makePair('first')
  await setAppKeys(database, { appId: app.id, actor, jwks: { keys: [pair.jwk] }, jwksUri: null })
})

interface Wishes {
  readonly claims?: Record<string, unknown>
  readonly header?: Record<string, unknown>
  readonly key?: CryptoKey | Uint8Array
  readonly baseUrl?: string
}

const now = (): number => Math.floor(Date.now() / 1000)

const sign = (
  of: TestApp,
  { claims = {}, header = {}, key = pair.privateKey, baseUrl }: Wishes = {},
): Promise<string> =>
  new SignJWT({
    iss: of.clientId,
    sub: of.clientId,
    aud: baseUrl ?? minaret().baseUrl,
    jti: crypto.randomUUID(),
    iat: now(),
    exp: now() + 60,
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'first', ...header })
    .sign(key)

const formOf = (assertion: string): Record<string, string> => ({
  grant_type: 'client_credentials',
  client_assertion_type: TYPE,
  client_assertion: assertion,
})

const ask = async (assertion: string): Promise<Response> => postToken(minaret(), formOf(assertion))

test('openid-client signs at token, pushed requests, introspection and revocation, and discovery says so', async () => {
  const configuration = await client.discovery(
    new URL(minaret().baseUrl),
    app.clientId,
    undefined,
    client.PrivateKeyJwt({ key: pair.privateKey, kid: 'first' }),
    { execute: [client.allowInsecureRequests] },
  )
  const methods = configuration.serverMetadata().token_endpoint_auth_methods_supported
  assert.ok(methods?.includes('private_key_jwt'))
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const url = await client.buildAuthorizationUrlWithPAR(configuration, {
    redirect_uri: app.redirectUri,
    scope: 'openid masjid:read',
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const person = createPerson(minaret().baseUrl)
  const { arrived } = await walkToApp(person, await person.get(url.pathname + url.search), user.email)
  const tokens = await client.authorizationCodeGrant(configuration, arrived, { pkceCodeVerifier, expectedState })
  const next = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
  assert.equal((await client.tokenIntrospection(configuration, next.access_token)).active, true)
  await client.tokenRevocation(configuration, next.access_token)
  assert.equal((await client.tokenIntrospection(configuration, next.access_token)).active, false)
  const device = await client.initiateDeviceAuthorization(configuration, { scope: 'masjid:read' })
  assert.match(device.user_code, /^[A-Z]{4}-[A-Z]{4}$/)
})

test('an app that signs cannot use its secret any more, nor an app with a secret an assertion', async () => {
  const refused = await postToken(minaret(), { grant_type: 'client_credentials' }, basic(app))
  assert.equal(refused.status, 401)
  assert.match((await readError(refused)).error_description, /private_key_jwt/)
  assert.equal((await postToken(minaret(), { grant_type: 'client_credentials', client_id: app.clientId })).status, 401)
  const other = await makeClient(minaret().service.database, { kind: 'confidential' })
  assert.equal((await ask(await sign(other))).status, 401)
})

test('an assertion works once, also for fifty at once', async () => {
  const once = await sign(app)
  assert.equal((await ask(once)).status, 200)
  const again = await ask(once)
  assert.equal(again.status, 401)
  assert.match((await readError(again)).error_description, /used before/)
  const many = await sign(app)
  const all = await Promise.all(Array.from({ length: 50 }, () => ask(many)))
  assert.equal(all.filter(({ status }) => status === 200).length, 1)
})

test('refused: another key, algorithm, issuer, audience, time or kind of token', async () => {
  const stranger = await makePair('first')
  const secret = new TextEncoder().encode(JSON.stringify(pair.jwk))
  const parts = (await sign(app)).split('.')
  const none = [Buffer.from('{"alg":"none","kid":"first"}').toString('base64url'), parts[1], ''].join('.')
  const cases: Record<string, string> = {
    'another key': await sign(app, { key: stranger.privateKey }),
    'a key in the header': await sign(app, { key: stranger.privateKey, header: { jwk: stranger.jwk } }),
    'the public key as a secret': await sign(app, { key: secret, header: { alg: 'HS256' } }),
    'no signature': none,
    'another issuer': await sign(app, { claims: { iss: 'somebody' } }),
    'another audience': await sign(app, { claims: { aud: 'https://other.example.org' } }),
    'several audiences': await sign(app, { claims: { aud: [minaret().baseUrl, 'https://other.example.org'] } }),
    'no audience': await sign(app, { claims: { aud: undefined } }),
    'no jti': await sign(app, { claims: { jti: undefined } }),
    'no exp': await sign(app, { claims: { exp: undefined } }),
    expired: await sign(app, { claims: { exp: now() - 3600, iat: now() - 3700 } }),
    'valid for a day': await sign(app, { claims: { exp: now() + 86_400 } }),
    'from the future': await sign(app, { claims: { iat: now() + 7200, exp: now() + 200 } }),
    'an access token': await sign(app, { header: { typ: 'at+jwt' } }),
    'a proof': await sign(app, { header: { typ: 'dpop+jwt' } }),
  }
  for (const [name, assertion] of Object.entries(cases)) {
    const response = await ask(assertion)
    assert.equal(response.status, 401, name)
    assert.equal((await readError(response)).error, 'invalid_client', name)
  }
  assert.equal((await ask(await sign(app, { claims: { aud: `${minaret().baseUrl}/api/oauth/token` } }))).status, 200)
  const twice = { ...formOf(await sign(app)), client_secret: app.secret, client_id: app.clientId }
  assert.equal((await postToken(minaret(), twice)).status, 400)
  const renamed = { ...formOf(await sign(app)), client_id: 'somebody-else' }
  assert.equal((await postToken(minaret(), renamed)).status, 400)
  const untyped = { ...formOf(await sign(app)), client_assertion_type: 'something' }
  assert.equal((await postToken(minaret(), untyped)).status, 401)
  const revoked = await postForm(`${minaret().baseUrl}/oauth/revoke`, {
    ...formOf(await sign(app, { key: stranger.privateKey })),
    token: 'rt_x',
  })
  assert.equal(revoked.status, 401)
})

test('the owner pastes keys in the console, never private ones, and goes back to secrets', async () => {
  const { database } = minaret().service
  const own = await makeClient(database, { kind: 'confidential', ownerId: user.id })
  const person = await visitAs(minaret(), user)
  const page = `/console/apps/${own.id}`
  const send = (fields: Record<string, string>) => person.submit(`${page}/credentials`, `${page}/signing-keys`, fields)
  const { privateKey, jwk } = await makePair('mine', 'PS256')
  const leaked = await send({ jwks: JSON.stringify({ keys: [await exportJWK(privateKey)] }) })
  assert.equal(leaked.status, 422)
  assert.match(leaked.text, /private key in it/)
  assert.doesNotMatch(leaked.text, new RegExp(String((await exportJWK(privateKey)).d)))
  for (const jwks of [
    'nonsense',
    '{}',
    '{"keys":[]}',
    '{"keys":[{"kty":"oct"}]}',
    '{"kty":"EC","crv":"P-256","x":"a","y":"b"}',
  ])
    assert.equal((await send({ jwks })).status, 422, jwks)
  assert.equal((await send({ jwks_uri: 'http://127.0.0.1/keys' })).status, 422)
  assert.equal((await send({ jwks: JSON.stringify({ keys: [jwk] }) })).location, `${page}/credentials?done=keys`)
  const assertion = () => sign(own, { key: privateKey, header: { alg: 'PS256', kid: 'mine' } })
  await within(1000, 'the key works', async () => (await ask(await assertion())).status === 200)
  await person.submit(`${page}/credentials`, `${page}/signing-keys/stop`, {})
  await within(1000, 'the secret works again', async () => {
    const response = await postToken(minaret(), { grant_type: 'client_credentials' }, basic(own))
    return response.status === 200
  })
  assert.equal((await ask(await assertion())).status, 401)
})

test('keys are fetched from jwks_uri, again for a new key, and never from our own network', async context => {
  const [first, second] = [await makePair('first'), await makePair('second')]
  let published: JWK[] = [first.jwk]
  let fetched = 0
  const host = await openTlsServer((_request, response) => {
    fetched += 1
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: published }))
  })
  context.after(() => host.close())
  const own = await startTestMinaret(
    {},
    {
      dial: {
        resolve: async name => [{ address: name === 'logo.test' ? '127.0.0.1' : '10.0.0.1', family: 4 }],
        mayReach: address => address === '127.0.0.1',
        connection: { port: host.port, ca: certificate },
      },
    },
  )
  context.after(() => own.stop())
  const { database } = own.service
  const make = async (jwksUri: string): Promise<TestApp> => {
    const made = await makeClient(database, { kind: 'confidential' })
    await setAppKeys(database, { appId: made.id, actor, jwks: null, jwksUri })
    return made
  }
  const at = await make('https://logo.test/keys.json')
  const askWith = async (of: TestApp, { privateKey, jwk }: Pair): Promise<number> => {
    const assertion = await sign(of, { key: privateKey, header: { kid: jwk.kid }, baseUrl: own.baseUrl })
    return (await postToken(own, formOf(assertion))).status
  }
  assert.equal(await askWith(at, first), 200)
  assert.equal(await askWith(at, first), 200)
  assert.equal(fetched, 1, 'cached')
  for (let tries = 0; tries < 5; tries += 1) assert.equal(await askWith(at, second), 401)
  assert.ok(fetched <= 2, 'unknown keys do not make us ask again and again')
  published = [second.jwk]
  const moved = await make('https://logo.test/others.json')
  assert.equal(await askWith(moved, second), 200)
  assert.equal(await askWith(await make('https://internal.test/keys.json'), first), 401, 'a private address')
})
