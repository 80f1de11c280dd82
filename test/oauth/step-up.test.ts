// How strongly somebody signed in: what tokens say about it, and what apps and the API ask for (RFC 9470).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { startSession } from '../../src/accounts/sessions.ts'
import { sql } from '../../src/db/sql.ts'
import { givePassword, makeUser, PASSWORD } from '../support/apps.ts'
import { asksAgain } from '../support/asks-again.ts'
import { enterCode, letCodesPass, setUpAuthenticator } from '../support/authenticator.ts'
import { useMinaret } from '../support/minaret.ts'
import {
  authorizeParameters,
  basic,
  type Flow,
  getAuthorize,
  getTokens,
  locationOf,
  makeClient,
  makeFlow,
  makePkce,
  postForm,
  postToken,
  readTokens,
  refresh,
} from '../support/oauth.ts'
import { createPerson, hiddenFieldsOf } from '../support/person.ts'

const minaret = useMinaret({ SECOND_FACTOR_SCOPES: 'members:read' })
const database = () => minaret().service.database
const unknown = { address: undefined, userAgent: undefined }

/** Signed in with a second factor. */
const strongFlow = async (amr: readonly string[] = ['pwd', 'otp', 'mfa'], wishes = {}): Promise<Flow> => {
  const flow = await makeFlow(minaret(), wishes)
  await database().run(sql`
    insert into minaret.totp_factors (user_id, secret, confirmed_at) values (${flow.user.id}, 'sealed', now())`)
  return { ...flow, cookie: `minaret_session=${await startSession(database(), flow.user.id, unknown, amr)}` }
}

const ask = async ({ app, cookie }: Flow, parameters: Record<string, string>): Promise<URL> =>
  locationOf(await getAuthorize(minaret(), authorizeParameters(app, makePkce(), { parameters }), cookie))

test('discovery names the levels', async () => {
  const document = await (await fetch(`${minaret().baseUrl}/.well-known/openid-configuration`)).json()
  const { acr_values_supported: levels, claims_supported: claims } = document as Record<string, string[]>
  assert.deepEqual(levels, ['aal1', 'aal2', 'phr'])
  assert.ok(claims?.includes('acr') && claims.includes('amr'))
})

test('after a password, the ID token says so, and the access token is as it was', async () => {
  const tokens = await getTokens(minaret(), await makeFlow(minaret()))
  const { amr, acr } = decodeJwt(tokens.id_token)
  assert.deepEqual([amr, acr], [['pwd'], 'aal1'])
  const claims = Object.keys(decodeJwt(tokens.access_token))
  assert.deepEqual(claims.sort(), ['aud', 'client_id', 'exp', 'grant_id', 'iat', 'iss', 'jti', 'scope', 'sub'])
})

test('after a second factor, ID token, access token and introspection say so, also once refreshed', async () => {
  const flow = await strongFlow(undefined, { kind: 'confidential' })
  const tokens = await getTokens(minaret(), flow)
  const refreshed = await readTokens(await refresh(minaret(), flow.app, tokens.refresh_token))
  for (const { id_token, access_token } of [tokens, refreshed]) {
    const { amr, acr, auth_time: time } = decodeJwt(id_token)
    assert.deepEqual([amr, acr], [['pwd', 'otp', 'mfa'], 'aal2'])
    const claims = decodeJwt(access_token)
    assert.deepEqual([claims.acr, claims.auth_time], ['aal2', time])
    const response = await postForm(`${minaret().baseUrl}/oauth/introspect`, { token: access_token }, basic(flow.app))
    const seen = (await response.json()) as Record<string, unknown>
    assert.deepEqual([seen.active, seen.acr, seen.auth_time], [true, 'aal2', time])
  }
})

test('after a passkey, the level is phr', async () => {
  const tokens = await getTokens(minaret(), await strongFlow(['hwk', 'user', 'mfa']))
  assert.equal(decodeJwt(tokens.id_token).acr, 'phr')
})

test('a level that was reached goes on at once; any of those asked for will do; unknown ones are ignored', async () => {
  const strong = await strongFlow()
  for (const acr_values of ['aal2', 'aal1', 'phr aal2', 'urn:example:unknown'])
    assert.equal((await ask(strong, { acr_values })).pathname, '/consent', acr_values)
  const weak = await makeFlow(minaret())
  for (const acr_values of ['aal1', 'aal2 aal1', '1 2'])
    assert.equal((await ask(weak, { acr_values })).pathname, '/consent', acr_values)
})

test('a level that was not reached asks to sign in, with prompt=none too', async () => {
  const flow = await strongFlow(['pwd'])
  assert.equal((await ask(flow, { acr_values: 'aal2' })).pathname, '/sign-in')
  const silent = await ask(flow, { acr_values: 'aal2', prompt: 'none' })
  assert.equal(silent.searchParams.get('error'), 'login_required')
})

test('without a second factor to sign in with, the app is told: unmet_authentication_requirements', async () => {
  const refused = await ask(await makeFlow(minaret()), { acr_values: 'aal2' })
  assert.equal(refused.origin, 'https://app.example.org')
  assert.equal(refused.searchParams.get('error'), 'unmet_authentication_requirements')
  assert.equal(refused.searchParams.get('state'), 'state of the test')
})

test('a remembered browser is asked for the code when an app asks for aal2, and phr cannot be reached by a code', async () => {
  const user = await makeUser(database())
  const person = createPerson(minaret().baseUrl)
  await person.signIn(user.email, PASSWORD)
  const phone = await setUpAuthenticator(person)
  const enter = async (start: string): Promise<string> => {
    await letCodesPass(database(), user.id)
    const asked = await person.submit(start, '/sign-in', { email: user.email, password: PASSWORD })
    assert.match(asked.location ?? '', /^\/sign-in\/second-factor/)
    const entered = await person.submit(asked.location ?? '', '/sign-in/second-factor', {
      code: phone.code(),
      remember: 'yes',
    })
    return (await person.get(entered.location ?? '')).location ?? ''
  }
  await person.submit('/account', '/sign-out', {})
  await letCodesPass(database(), user.id)
  await person.signIn(user.email, PASSWORD)
  await enterCode(person, { code: phone.code(), remember: 'yes' })
  await person.submit('/account', '/sign-out', {})
  assert.equal((await person.signIn(user.email, PASSWORD)).location, '/account', 'remembered')

  const app = await makeClient(database())
  const start = (acr_values: string) =>
    `/oauth/authorize?${authorizeParameters(app, makePkce(), { parameters: { acr_values } })}`
  assert.match(await enter((await person.get(start('aal2'))).location ?? ''), /^\/consent\?/)
  assert.match(await enter((await person.get(start('phr'))).location ?? ''), /error=unmet_authentication_requirements/)
})

const query = (token: string): Promise<Response> =>
  fetch(`${minaret().baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' }),
  })

test('a scope that needs a second factor: 401 with a challenge that says what to ask for (RFC 9470)', async () => {
  const weak = await makeFlow(minaret())
  const scope = 'masjid:read members:read'
  const tokens = await getTokens(minaret(), weak, { scope })
  for (const _ of ['first', 'remembered']) {
    const refused = await query(tokens.access_token)
    assert.equal(refused.status, 401)
    const challenge = refused.headers.get('www-authenticate') ?? ''
    assert.match(challenge, /^Bearer .*error="insufficient_user_authentication".*acr_values="aal2"/)
  }
  assert.equal((await query((await getTokens(minaret(), weak, { scope: 'masjid:read' })).access_token)).status, 200)
  assert.equal((await query((await getTokens(minaret(), await strongFlow(), { scope })).access_token)).status, 200)

  const app = await makeClient(database(), { kind: 'confidential' })
  const own = await readTokens(await postToken(minaret(), { grant_type: 'client_credentials', scope }, basic(app)))
  assert.equal((await query(own.access_token)).status, 200, 'an app by itself has no person to ask')
})

test('new secrets and keys, and deleting an app, ask again who it is, with and without a second factor', async () => {
  const { user } = await makeFlow(minaret())
  await givePassword(database(), user.id)
  const app = await makeClient(database(), { kind: 'confidential', ownerId: user.id })
  const person = createPerson(minaret().baseUrl)
  person.cookies.set('minaret_session', await startSession(database(), user.id, unknown))
  const page = `/console/apps/${app.id}/credentials`
  const paths = [`/console/apps/${app.id}/secrets`, `/console/apps/${app.id}/keys`]
  const stale = sql`update minaret.sessions set fresh_at = now() - interval '1 hour' where user_id = ${user.id}`
  await database().run(stale)
  const { anti_forgery = '' } = hiddenFieldsOf((await person.get(page)).text, paths[1] ?? '')
  const post = (path: string) => person.post(path, { anti_forgery })
  for (const path of paths) assert.ok(asksAgain(await post(path)), path)
  await database().run(sql`
    insert into minaret.totp_factors (user_id, secret, confirmed_at) values (${user.id}, 'sealed', now())`)
  for (const path of [...paths, `/console/apps/${app.id}/delete`]) assert.ok(asksAgain(await post(path)), path)
})

test('capabilities, the export of people and the actions of administrators ask again who it is', async () => {
  const admin = await makeUser(database(), { hashed: false, isAdmin: true })
  const other = await makeUser(database(), { hashed: false })
  const person = createPerson(minaret().baseUrl)
  person.cookies.set('minaret_session', await startSession(database(), admin.id, unknown))
  await database().run(sql`
    insert into minaret.totp_factors (user_id, secret, confirmed_at) values (${admin.id}, 'sealed', now())`)
  await database().run(sql`
    update minaret.sessions set fresh_at = now() - interval '1 hour' where user_id = ${admin.id}`)
  const { anti_forgery = '' } = hiddenFieldsOf((await person.get('/account')).text, '/account/profile')
  const paths = [
    '/staff/any-masjid/team/invite',
    `/staff/any-masjid/team/people/${other.id}`,
    '/staff/any-masjid/people/export',
    ...['rights', 'end-sessions', 'reset-factors', 'disable', 'enable'].map(step => `/admin/users/${other.id}/${step}`),
  ]
  for (const path of paths) assert.ok(asksAgain(await person.post(path, { anti_forgery })), path)
  await database().run(sql`update minaret.sessions set fresh_at = now() where user_id = ${admin.id}`)
  for (const path of paths) assert.ok(!asksAgain(await person.post(path, { anti_forgery })), path)
})
