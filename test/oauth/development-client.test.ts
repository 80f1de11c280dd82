// The development client of an app that nobody has reviewed: an unmodified client signs its team in and reads the sandbox; at the
// approval it changes one id and one address.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { before, test } from 'node:test'
import * as client from 'openid-client'
import type { User } from '../../src/accounts/users.ts'
import { type App, findApp } from '../../src/apps/app.ts'
import { approveApp } from '../../src/apps/decide.ts'
import { createSecret } from '../../src/apps/secrets.ts'
import { commandActor } from '../../src/audit/record-audit.ts'
import { signInProgram } from '../../src/site/console/development/samples.ts'
import { makePendingApp, makeUser, PASSWORD } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { readTokens, within } from '../support/oauth.ts'
import { createPerson, decodeHtml } from '../support/person.ts'
import { makeProofKey, postProven, sendProven } from '../support/proofs.ts'
import { walkToApp } from '../support/walk.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const database = () => minaret().service.database

const SCOPE = 'openid email masjid:read donations:read'
let owner: User
before(async () => {
  owner = await makeUser(database())
})

const registerApp = async (kind: 'public' | 'confidential'): Promise<App> => {
  const redirectUris = ['https://app.example.org/callback']
  const scopes = ['openid', 'email', 'masjid:read', 'donations:read'] as const
  const app = await findApp(
    database(),
    await makePendingApp(database(), { ownerId: owner.id, kind, scopes, redirectUris }),
  )
  assert.ok(app)
  return app
}

interface Program {
  readonly clientId: string
  readonly secret: string
  readonly redirectUri: string
  readonly api: string
}

/** The program of a developer: what differs before and after the approval is in `program` alone. */
const signInAndRead = async ({ clientId, secret, redirectUri, api }: Program, email: string) => {
  const authentication = secret === '' ? client.None() : client.ClientSecretBasic(secret)
  const configuration = await client.discovery(
    new URL(minaret().baseUrl),
    clientId,
    secret || undefined,
    authentication,
    {
      execute: [client.allowInsecureRequests],
    },
  )
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: SCOPE,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const person = createPerson(minaret().baseUrl)
  const { arrived } = await walkToApp(person, await person.get(url.pathname + url.search), email)
  const checks = { pkceCodeVerifier, expectedState, idTokenExpected: true }
  const tokens = await client.authorizationCodeGrant(configuration, arrived, checks)
  const next = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
  const info = await client.fetchUserInfo(configuration, next.access_token, String(tokens.claims()?.sub))
  const headers = { authorization: `Bearer ${next.access_token}`, 'content-type': 'application/json' }
  const query = '{ up_masjids(limit: 1) { name } ua_donations(limit: 1) { id } }'
  const response = await fetch(`${api}/v1/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  return { configuration, info, accessToken: next.access_token, refreshToken: next.refresh_token ?? '', response }
}

for (const kind of ['public', 'confidential'] as const)
  test(`openid-client tries a ${kind} app before its approval, and then changes one id and one address`, async () => {
    const app = await registerApp(kind)
    const secretFor = (appId: string) =>
      kind === 'public' ? '' : createSecret(database(), { appId, actor: commandActor })
    const trying: Program = {
      clientId: app.developmentClientId,
      secret: await secretFor(app.developmentId),
      redirectUri: 'http://localhost:51000/any/path',
      api: minaret().sandboxUrl,
    }
    const tried = await signInAndRead(trying, owner.email)
    assert.equal(tried.response.status, 200)
    const { data } = (await tried.response.json()) as { data: Record<string, object[]> }
    assert.equal(data.up_masjids?.length, 1)
    assert.equal(data.ua_donations?.length, 1, 'the invented rows, as nobody has rows of their own there')
    assert.equal(tried.info.email, owner.email)
    await client.tokenRevocation(tried.configuration, tried.refreshToken)
    await assert.rejects(client.refreshTokenGrant(tried.configuration, tried.refreshToken), { error: 'invalid_grant' })

    const clientId = await approveApp(database(), { appId: app.id, actor: commandActor })
    const registered = { redirectUri: 'https://app.example.org/callback', secret: await secretFor(app.id) }
    const approved = { ...trying, ...registered, clientId, api: minaret().baseUrl }
    const live = await signInAndRead(approved, (await makeUser(database())).email)
    assert.equal(live.response.status, 200)
    assert.notEqual(clientId, trying.clientId)
    assert.equal((await signInAndRead(trying, owner.email)).response.status, 200, 'the development client stays')
  })

test('the sandbox takes a bound token of a development client with its proof only', async () => {
  const app = await registerApp('confidential')
  const key = await makeProofKey()
  const basic = `Basic ${btoa(`${app.developmentClientId}:${await createSecret(database(), { appId: app.developmentId, actor: commandActor })}`)}`
  const form = { grant_type: 'client_credentials', scope: 'masjid:read' }
  const issued = await postProven(key, `${minaret().baseUrl}/api/oauth/token`, form, {
    headers: { authorization: basic },
  })
  const { access_token: token, token_type: type } = await readTokens(issued)
  assert.equal(type, 'DPoP')
  const url = `${minaret().sandboxUrl}/v1/graphql`
  const body = JSON.stringify({ query: '{ up_masjids(limit: 1) { name } }' })
  const ask = (scheme: string) => ({
    url,
    body,
    headers: { authorization: `${scheme} ${token}`, 'content-type': 'application/json' },
  })
  assert.equal((await sendProven(key, ask('DPoP'), { token })).status, 200)
  assert.equal((await sendProven(await makeProofKey(), ask('DPoP'), { token })).status, 401)
  assert.equal((await fetch(url, { method: 'POST', ...ask('Bearer') })).status, 401)
})

test('the program on the page runs as pasted', async () => {
  const app = await registerApp('public')
  const program = signInProgram(app, minaret())
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const [first] = (await once(lines, 'line')) as [string]
  const printed: string[] = []
  lines.on('line', line => printed.push(line))
  const url = new URL(first.replace(/^.*browser: /, ''))
  const person = createPerson(minaret().baseUrl)
  const { arrived } = await walkToApp(person, await person.get(url.pathname + url.search), owner.email)
  assert.equal((await fetch(arrived)).status, 200)
  const [code] = await once(child, 'close')
  assert.equal(code, 0)
  assert.match(printed.join('\n'), /"up_masjids"/)
})

test('somebody who is not on the team gets a page, not a redirect, and no code', async () => {
  const app = await registerApp('public')
  const stranger = await makeUser(database())
  const person = createPerson(minaret().baseUrl)
  await person.signIn(stranger.email, PASSWORD)
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: app.developmentClientId,
    redirect_uri: 'http://127.0.0.1:51000/callback',
    scope: 'masjid:read',
    state: 'x',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const refused = await person.get(`/oauth/authorize?${parameters}`)
  assert.equal(refused.status, 403)
  assert.equal(refused.location, undefined)
  assert.match(decodeHtml(refused.text), /This app is still being developed/)
  const arabic = await person.get(`/oauth/authorize?${parameters}`, { 'accept-language': 'ar' })
  assert.match(decodeHtml(arabic.text), /هذا التطبيق ما زال قيد التطوير|still being developed/)
  const silent = await person.get(`/oauth/authorize?${parameters}&prompt=none`)
  assert.equal(silent.status, 403)
})

test('the console leads from the registration to the development client, whose secret is made and revoked', async () => {
  const app = await registerApp('confidential')
  const person = createPerson(minaret().baseUrl)
  await person.signIn(owner.email, PASSWORD)
  const page = `/console/apps/${app.id}`
  assert.match((await person.get(page)).text, new RegExp(`href="${page}/development"[^>]*>Try it now`))
  const shown = await person.submit(`${page}/development`, `${page}/development/secrets`, {})
  const secret = /ms_[\w-]{43}/.exec(shown.text)?.[0] ?? ''
  const ask = () =>
    fetch(`${minaret().baseUrl}/api/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${app.developmentClientId}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
  assert.equal((await ask()).status, 200)
  const revoke = /development\/secrets\/[0-9a-f-]{36}\/revoke/.exec((await person.get(`${page}/development`)).text)?.[0]
  const revoked = await person.submit(`${page}/${revoke}`, `${page}/${revoke}`, {})
  assert.equal(revoked.location, `${page}/development?done=secret-revoked`)
  await within(1000, 'the secret is refused', async () => (await ask()).status === 401)
})
