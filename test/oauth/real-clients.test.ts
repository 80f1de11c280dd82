// Client libraries that people use, against the running service: openid-client, and oauth4webapi with its strict checks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import type { User } from '../../src/accounts/users.ts'
import { makeUser } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { makeClient, type TestApp } from '../support/oauth.ts'
import { createPerson } from '../support/person.ts'
import { walkToApp } from '../support/walk.ts'

let publicApp: TestApp
let serverApp: TestApp
let user: User
const minaret = useMinaret({}, async ({ service: { database } }) => {
  publicApp = await makeClient(database)
  serverApp = await makeClient(database, { kind: 'confidential', idTokenAlgorithm: 'ES256' })
  user = await makeUser(database)
})

const walk = async (url: URL): Promise<URL> => {
  const person = createPerson(minaret().baseUrl)
  return (await walkToApp(person, await person.get(url.pathname + url.search), user.email)).arrived
}

const discover = (app: TestApp): Promise<client.Configuration> =>
  client.discovery(
    new URL(minaret().baseUrl),
    app.clientId,
    app.secret === '' ? undefined : app.secret,
    app.secret === '' ? client.None() : client.ClientSecretBasic(app.secret),
    { execute: [client.allowInsecureRequests] },
  )

for (const kind of ['public', 'confidential'] as const)
  test(`openid-client: code, userinfo, refresh, revocation and pushed requests of a ${kind} app`, async () => {
    const app = kind === 'public' ? publicApp : serverApp
    const configuration = await discover(app)
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const expectedNonce = client.randomNonce()
    const expectedState = client.randomState()
    const parameters = {
      redirect_uri: app.redirectUri,
      scope: 'openid profile email masjid:read',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      nonce: expectedNonce,
      state: expectedState,
      max_age: '3600',
    }
    const url =
      kind === 'public'
        ? client.buildAuthorizationUrl(configuration, parameters)
        : await client.buildAuthorizationUrlWithPAR(configuration, parameters)
    const checks = { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true, maxAge: 3600 }
    const tokens = await client.authorizationCodeGrant(configuration, await walk(url), checks)
    assert.equal(tokens.token_type, 'bearer')
    const claims = tokens.claims()
    assert.equal(claims?.sub, user.id)
    const info = await client.fetchUserInfo(configuration, tokens.access_token, user.id)
    assert.equal(info.email, user.email)
    const next = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    assert.equal(next.claims()?.sub, user.id)
    if (kind === 'confidential')
      assert.equal((await client.tokenIntrospection(configuration, next.access_token)).active, true)
    await client.tokenRevocation(configuration, next.refresh_token ?? '')
    await assert.rejects(client.refreshTokenGrant(configuration, next.refresh_token ?? ''), { error: 'invalid_grant' })
    const out = client.buildEndSessionUrl(configuration, { id_token_hint: tokens.id_token ?? '' })
    assert.equal((await fetch(out, { redirect: 'manual' })).status, 303)
  })

test('openid-client: client credentials', async () => {
  const configuration = await discover(serverApp)
  const tokens = await client.clientCredentialsGrant(configuration, { scope: 'masjid:read' })
  assert.equal(tokens.scope, 'masjid:read')
  await assert.rejects(client.clientCredentialsGrant(configuration, { scope: 'nothing' }), { error: 'invalid_scope' })
})

const insecure = { [oauth.allowInsecureRequests]: true }

test('oauth4webapi: every response passes its strict checks', async () => {
  const issuer = new URL(minaret().baseUrl)
  for (const algorithm of ['oidc', 'oauth2'] as const) {
    const response = await oauth.discoveryRequest(issuer, { algorithm, ...insecure })
    await oauth.processDiscoveryResponse(issuer, response)
  }
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
  const app: oauth.Client = { client_id: publicApp.clientId, id_token_signed_response_alg: 'RS256' }
  const verifier = oauth.generateRandomCodeVerifier()
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = String(
    new URLSearchParams({
      client_id: publicApp.clientId,
      redirect_uri: publicApp.redirectUri,
      response_type: 'code',
      scope: 'openid email',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }),
  )
  const answer = oauth.validateAuthResponse(server, app, await walk(url), state)
  const exchanged = await oauth.authorizationCodeGrantRequest(
    server,
    app,
    oauth.None(),
    answer,
    publicApp.redirectUri,
    verifier,
    insecure,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, app, exchanged, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(server, exchanged, insecure)
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  assert.equal(claims?.sub, user.id)
  const info = await oauth.userInfoRequest(server, app, tokens.access_token, insecure)
  await oauth.processUserInfoResponse(server, app, user.id, info)

  const request = new Request(`${minaret().baseUrl}/api/oauth/userinfo`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  const access = await oauth.validateJwtAccessToken(server, request, minaret().baseUrl, insecure)
  assert.equal(access.client_id, publicApp.clientId)

  const refreshed = await oauth.refreshTokenGrantRequest(
    server,
    app,
    oauth.None(),
    tokens.refresh_token ?? '',
    insecure,
  )
  const next = await oauth.processRefreshTokenResponse(server, app, refreshed)
  const revoked = await oauth.revocationRequest(server, app, oauth.None(), next.refresh_token ?? '', insecure)
  await oauth.processRevocationResponse(revoked)

  const resource = new URL(`${minaret().baseUrl}/v1/graphql`)
  const metadata = await oauth.resourceDiscoveryRequest(resource, insecure)
  await oauth.processResourceDiscoveryResponse(resource, metadata)
})
