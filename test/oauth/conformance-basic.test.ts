// The cases of the OpenID Foundation's Basic OP plan, with PKCE added.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import type { User } from '../../src/accounts/users.ts'
import { sha256 } from '../../src/base/secrets.ts'
import { sql } from '../../src/db/sql.ts'
import { makeUser } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import {
  authorizeParameters,
  type FlowWishes,
  makeClient,
  makePkce,
  postToken,
  readError,
  readTokens,
  refresh,
  type TestApp,
  type Tokens,
  userinfo,
  within,
} from '../support/oauth.ts'
import { createPerson, type Person } from '../support/person.ts'
import { type Walk, walkToApp } from '../support/walk.ts'

let app: TestApp
let user: User
const minaret = useMinaret({}, async ({ service: { database } }) => {
  app = await makeClient(database)
  user = await makeUser(database, { name: 'Maryam Haddad' })
})

const newPerson = (): Person => createPerson(minaret().baseUrl)

interface Authorized extends Walk {
  readonly tokens: Tokens
  readonly codeForm: Record<string, string>
}

const startWith = async (person: Person, parameters: URLSearchParams): Promise<Walk> =>
  walkToApp(person, await person.get(`/oauth/authorize?${parameters}`), user.email)

const redeem = async (walk: Walk, verifier: string): Promise<Authorized> => {
  const code = walk.arrived.searchParams.get('code')
  assert.ok(code, walk.arrived.search)
  const codeForm = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirectUri,
    client_id: app.clientId,
    code_verifier: verifier,
  }
  return { ...walk, codeForm, tokens: await readTokens(await postToken(minaret(), codeForm)) }
}

const authorized = async (person: Person, wishes: FlowWishes = {}): Promise<Authorized> => {
  const pkce = makePkce()
  return redeem(await startWith(person, authorizeParameters(app, pkce, wishes)), pkce.verifier)
}

const errorOf = async (person: Person, parameters: Record<string, string | undefined>): Promise<string | null> => {
  const { arrived } = await startWith(person, authorizeParameters(app, makePkce(), { parameters }))
  return arrived.searchParams.get('error')
}

/** As if the person had typed the password that long ago. */
const signedInAgo = (seconds: number): Promise<number> =>
  minaret().service.database.run(sql`
    update minaret.sessions set auth_time = now() - make_interval(secs => ${seconds})
    where user_id = ${user.id} and ended_at is null`)

const authTime = ({ tokens }: Authorized): number => Number(decodeJwt(tokens.id_token).auth_time)

test('the happy path has one sign-in and one consent', async () => {
  const person = newPerson()
  const first = await authorized(person)
  assert.deepEqual(first.pages, ['/sign-in', '/consent'])
  const second = await authorized(person)
  assert.deepEqual(second.pages, [])
  assert.equal(decodeJwt(second.tokens.id_token).sub, user.id)
})

test('parameters and scopes in another order change nothing', async () => {
  const pkce = makePkce()
  const parameters = authorizeParameters(app, pkce, { scope: 'masjid:read email openid' })
  const reversed = new URLSearchParams([...parameters].reverse())
  const { tokens } = await redeem(await startWith(newPerson(), reversed), pkce.verifier)
  assert.deepEqual(tokens.scope.split(' ').sort(), ['email', 'masjid:read', 'openid'])
})

test('response_type missing is refused', async () => {
  assert.equal(await errorOf(newPerson(), { response_type: undefined }), 'invalid_request')
})

test('ID tokens are RS256 by default, and have the required claims', async () => {
  const { tokens } = await authorized(newPerson())
  assert.equal(decodeProtectedHeader(tokens.id_token).alg, 'RS256')
  const claims = decodeJwt(tokens.id_token)
  assert.equal(claims.iss, minaret().baseUrl)
  assert.equal(claims.aud, app.clientId)
  for (const name of ['sub', 'exp', 'iat', 'auth_time', 'at_hash']) assert.ok(claims[name] !== undefined, name)
})

test('userinfo by GET and by POST with the header returns the sub of the ID token', async () => {
  const { tokens } = await authorized(newPerson())
  const byGet = (await (await userinfo(minaret(), tokens.access_token)).json()) as Record<string, string>
  const byPost = await fetch(`${minaret().baseUrl}/api/oauth/userinfo`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.deepEqual(await byPost.json(), byGet)
  assert.equal(byGet.sub, decodeJwt(tokens.id_token).sub)
})

test('a nonce is optional, and echoed when given', async () => {
  const person = newPerson()
  assert.equal(decodeJwt((await authorized(person)).tokens.id_token).nonce, undefined)
  const { tokens } = await authorized(person, { parameters: { nonce: 'a nonce & more' } })
  assert.equal(decodeJwt(tokens.id_token).nonce, 'a nonce & more')
})

test('claims by profile, email and all', async () => {
  const person = newPerson()
  const claims = async (scope: string) => {
    const { tokens } = await authorized(person, { scope })
    return Object.keys((await (await userinfo(minaret(), tokens.access_token)).json()) as object).sort()
  }
  assert.deepEqual(await claims('openid profile'), ['name', 'picture', 'sub'])
  assert.deepEqual(await claims('openid email'), ['email', 'email_verified', 'sub'])
  assert.deepEqual(await claims('openid profile email'), ['email', 'email_verified', 'name', 'picture', 'sub'])
})

const harmless: Record<string, string>[] = [
  { display: 'page' },
  { display: 'popup' },
  { ui_locales: 'ar fr-CA en' },
  { claims_locales: 'ar en' },
  { acr_values: '1 2' },
  { claims: '{"userinfo":{"name":{"essential":true}}}' },
  { extra: 'unknown', vtr: '["P1"]' },
]
for (const parameters of harmless)
  test(`accepted: ${Object.keys(parameters).join(', ')}`, async () => {
    assert.ok((await authorized(newPerson(), { parameters })).tokens.id_token)
  })

test('login_hint fills in the sign-in page', async () => {
  const person = newPerson()
  const parameters = authorizeParameters(app, makePkce(), { parameters: { login_hint: user.email } })
  const { location } = await person.get(`/oauth/authorize?${parameters}`)
  assert.match(location ?? '', /^\/sign-in\?request=/)
  assert.ok((await person.get(location ?? '')).text.includes(`value="${user.email}"`))
})

test('prompt=login asks again, and auth_time is later', async () => {
  const person = newPerson()
  await authorized(person)
  await signedInAgo(30)
  const first = await authorized(person)
  const second = await authorized(person, { parameters: { prompt: 'login' } })
  assert.deepEqual(second.pages, ['/sign-in'])
  assert.ok(authTime(second) > authTime(first))
})

test('max_age=1 asks again after a while, and auth_time is later', async () => {
  const person = newPerson()
  await authorized(person)
  await signedInAgo(2)
  const first = await authorized(person)
  const second = await authorized(person, { parameters: { max_age: '1' } })
  assert.deepEqual(second.pages, ['/sign-in'])
  assert.ok(authTime(second) > authTime(first))
})

test('max_age=10000 does not ask, and auth_time stays', async () => {
  const person = newPerson()
  const first = await authorized(person)
  await signedInAgo(9000)
  const second = await authorized(person, { parameters: { max_age: '10000' } })
  assert.deepEqual(second.pages, [])
  assert.ok(authTime(second) < authTime(first))
  await signedInAgo(10_001)
  const third = await authorized(person, { parameters: { max_age: '10000' } })
  assert.deepEqual(third.pages, ['/sign-in'])
})

test('prompt=none: an error when signed out or signed in too long ago; silent with the same sub otherwise', async () => {
  const person = newPerson()
  assert.equal(await errorOf(person, { prompt: 'none' }), 'login_required')
  const first = await authorized(person)
  const silent = await authorized(person, { parameters: { prompt: 'none' } })
  assert.deepEqual(silent.pages, [])
  assert.equal(decodeJwt(silent.tokens.id_token).sub, decodeJwt(first.tokens.id_token).sub)
  await signedInAgo(60)
  assert.equal(await errorOf(person, { prompt: 'none', max_age: '30' }), 'login_required')
})

test('id_token_hint with prompt=none: silent for the person of the hint', async () => {
  const person = newPerson()
  const { tokens } = await authorized(person)
  const parameters = { prompt: 'none', id_token_hint: tokens.id_token }
  const silent = await authorized(person, { parameters })
  assert.equal(decodeJwt(silent.tokens.id_token).sub, user.id)
})

test('a code used twice at once, and again after 30 seconds', async () => {
  const { codeForm, tokens } = await authorized(newPerson())
  assert.equal((await readError(await postToken(minaret(), codeForm))).error, 'invalid_grant')
  const ended = (token: string) =>
    within(1000, 'the token ends', async () => (await userinfo(minaret(), token)).status === 401)
  await ended(tokens.access_token)
  const late = await authorized(newPerson())
  const { database } = minaret().service
  await database.run(sql`
    update minaret.authorization_codes set used_at = used_at - interval '30 seconds',
      expires_at = expires_at - interval '30 seconds' where code_hash = ${sha256(late.codeForm.code ?? '')}`)
  assert.equal((await readError(await postToken(minaret(), late.codeForm))).error, 'invalid_grant')
  await ended(late.tokens.access_token)
})

test('an unregistered redirect URI shows a page and does not redirect', async () => {
  const parameters = authorizeParameters(app, makePkce(), { parameters: { redirect_uri: 'https://evil.example/cb' } })
  const { status, location } = await newPerson().get(`/oauth/authorize?${parameters}`)
  assert.deepEqual([status, location], [400, undefined])
})

test('POST to the authorization endpoint', async () => {
  const person = newPerson()
  const pkce = makePkce()
  const parameters = Object.fromEntries(authorizeParameters(app, pkce))
  const shown = await person.post('/oauth/authorize', parameters, { 'sec-fetch-site': 'cross-site' })
  const { tokens } = await redeem(await walkToApp(person, shown, user.email), pkce.verifier)
  assert.equal(decodeJwt(tokens.id_token).sub, user.id)
})

test('request and request_uri are refused, not ignored', async () => {
  const request = 'eyJhbGciOiJub25lIn0.eyJzY29wZSI6Im9wZW5pZCJ9.'
  assert.equal(await errorOf(newPerson(), { request }), 'request_not_supported')
  const uri = 'https://app.example.org/request.jwt'
  assert.equal(await errorOf(newPerson(), { request_uri: uri }), 'request_uri_not_supported')
})

test('a refresh token is bound to its client', async () => {
  const { tokens } = await authorized(newPerson())
  const other = await makeClient(minaret().service.database)
  assert.equal((await readError(await refresh(minaret(), other, tokens.refresh_token))).error, 'invalid_grant')
  await readTokens(await refresh(minaret(), app, tokens.refresh_token))
})
