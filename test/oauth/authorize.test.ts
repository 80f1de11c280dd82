import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePendingApp } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import {
  assertPage,
  authorizeInBrowser,
  authorizeParameters,
  decide,
  type Flow,
  get,
  getAuthorize,
  getTokens,
  locationOf,
  makeClient,
  makeFlow,
  makePkce,
  moveApp,
  postForm,
} from '../support/oauth.ts'

let flow: Flow
const minaret = useMinaret({}, async running => {
  flow = await makeFlow(running)
})

/** A request with one thing changed. */
const ask = (parameters: Record<string, string | undefined>, cookie = ''): Promise<Response> =>
  getAuthorize(minaret(), authorizeParameters(flow.app, makePkce(), { parameters }), cookie)

test('errors in client_id and redirect_uri show a page and never redirect', async () => {
  const { database } = minaret().service
  const suspended = await makeClient(database)
  await moveApp(database, suspended, 'suspended')
  await makePendingApp(database)
  await assertPage(await ask({ client_id: undefined }), 'no client')
  await assertPage(await ask({ client_id: 'nobody-here' }), 'unknown client')
  await assertPage(await ask({ client_id: suspended.clientId }), 'suspended client')
  await assertPage(await ask({ redirect_uri: undefined }), 'no redirect URI')
  await assertPage(await ask({ redirect_uri: 'https://evil.example/callback' }), 'unregistered redirect URI')
  await assertPage(await ask({ redirect_uri: `${flow.app.redirectUri}/` }), 'redirect URI with an extra slash')
  await assertPage(await ask({ redirect_uri: `${flow.app.redirectUri}?x=1` }), 'redirect URI with an extra query')
  await assertPage(await ask({ redirect_uri: 'javascript:alert(1)' }), 'a script')
  await assertPage(await ask({ client_id: 'a\0b' }), 'a NUL')
  for (const name of ['client_id', 'redirect_uri']) {
    const parameters = authorizeParameters(flow.app, makePkce())
    parameters.append(name, parameters.get(name) ?? '')
    await assertPage(await getAuthorize(minaret(), parameters), `${name} twice`)
  }
})

const short = 'a'.repeat(42)
const redirected: [string, Record<string, string | undefined>, string][] = [
  ['no response_type', { response_type: undefined }, 'invalid_request'],
  ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
  ['response_type code id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
  ['response_mode fragment', { response_mode: 'fragment' }, 'invalid_request'],
  ['no challenge', { code_challenge: undefined }, 'invalid_request'],
  ['a short challenge', { code_challenge: short }, 'invalid_request'],
  ['a long challenge', { code_challenge: `${short}aa` }, 'invalid_request'],
  ['a malformed challenge', { code_challenge: `${short}=` }, 'invalid_request'],
  ['no challenge method', { code_challenge_method: undefined }, 'invalid_request'],
  ['challenge method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['challenge method s256', { code_challenge_method: 's256' }, 'invalid_request'],
  ['no scope', { scope: undefined }, 'invalid_scope'],
  ['an unknown scope', { scope: 'openid everything' }, 'invalid_scope'],
  ['prompt none with another', { prompt: 'none login' }, 'invalid_request'],
  ['an unknown prompt', { prompt: 'dance' }, 'invalid_request'],
  ['a max_age that is not a number', { max_age: '-1' }, 'invalid_request'],
  ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  ['a request_uri', { request_uri: 'https://app.example.org/request' }, 'request_uri_not_supported'],
  ['a registration', { registration: '{}' }, 'registration_not_supported'],
  ['an invalid id_token_hint', { id_token_hint: 'hint' }, 'invalid_request'],
  ['a foreign resource', { resource: 'https://elsewhere.example' }, 'invalid_target'],
  ['an endless state', { state: 's'.repeat(2049) }, 'invalid_request'],
  ['an endless nonce', { nonce: 'n'.repeat(2049) }, 'invalid_request'],
  ['a NUL in the nonce', { nonce: 'a\0' }, 'invalid_request'],
  ['prompt none, signed out', { prompt: 'none' }, 'login_required'],
]

for (const [what, parameters, error] of redirected)
  test(`redirected with ${error}: ${what}`, async () => {
    const location = locationOf(await ask(parameters))
    assert.equal(location.origin + location.pathname, flow.app.redirectUri)
    assert.equal(location.searchParams.get('error'), error)
    assert.ok(location.searchParams.get('error_description'))
    assert.equal(location.searchParams.get('state'), parameters.state ?? 'state of the test')
    assert.equal(location.searchParams.get('iss'), minaret().baseUrl)
    assert.equal(location.searchParams.get('code'), null)
  })

test('redirected with invalid_request: no state, or a repeated parameter', async () => {
  const stateless = locationOf(await ask({ state: undefined }))
  assert.equal(stateless.searchParams.get('error'), 'invalid_request')
  assert.equal(stateless.searchParams.get('state'), null)
  for (const name of ['state', 'scope', 'response_type', 'code_challenge', 'nonce', 'unknown']) {
    const parameters = authorizeParameters(flow.app, makePkce())
    parameters.append(name, 'x')
    parameters.append(name, 'x')
    const location = locationOf(await getAuthorize(minaret(), parameters, flow.cookie))
    assert.equal(location.searchParams.get('error'), 'invalid_request', name)
  }
})

test('a scope that the app was not granted is invalid_scope; offline_access needs no grant', async () => {
  const { database } = minaret().service
  const app = await makeClient(database, { scopes: 'openid masjid:read' })
  const with_ = (scope: string) => getAuthorize(minaret(), authorizeParameters(app, makePkce(), { scope }))
  assert.equal(locationOf(await with_('members:read')).searchParams.get('error'), 'invalid_scope')
  assert.equal(locationOf(await with_('openid offline_access')).pathname, '/sign-in')
})

test('the response keeps the query of the redirect URI', async () => {
  const own = await makeFlow(minaret(), { redirectUris: ['https://app.example.org/callback?tenant=1'] })
  const location = await authorizeInBrowser(minaret(), authorizeParameters(own.app, makePkce()), own.cookie)
  assert.equal(location.searchParams.get('tenant'), '1')
  assert.ok(location.searchParams.get('code'))
})

test('signed out, the person is sent to sign in with a reference and nothing else', async () => {
  const location = locationOf(await ask({}))
  assert.equal(location.origin, minaret().baseUrl)
  assert.equal(location.pathname, '/sign-in')
  assert.deepEqual([...location.searchParams.keys()], ['request'])
  const arabic = locationOf(await ask({ ui_locales: 'ar' }))
  assert.equal(arabic.searchParams.get('ui_locales'), 'ar')
})

test('after sign-in the request continues, once', async () => {
  const own = await makeFlow(minaret())
  const asked = locationOf(await getAuthorize(minaret(), authorizeParameters(own.app, makePkce())))
  const reference = asked.searchParams.get('request') ?? ''
  const resume = `${minaret().baseUrl}/oauth/authorize/resume?request=${reference}`
  assert.equal(locationOf(await get(resume)).pathname, '/sign-in')
  const consent = locationOf(await get(resume, own.cookie))
  assert.equal(consent.pathname, '/consent')
  assert.ok((await decide(minaret(), consent, own.cookie)).searchParams.get('code'))
  await assertPage(await get(resume, own.cookie), 'answered already')
  await assertPage(await get(`${resume}x`, own.cookie), 'unknown reference')
})

test('a form posted from another site is stored, and continues with the browser’s session', async () => {
  const own = await makeFlow(minaret())
  const parameters = authorizeParameters(own.app, makePkce())
  const resume = locationOf(await postForm(`${minaret().baseUrl}/oauth/authorize`, parameters))
  assert.equal(resume.pathname, '/oauth/authorize/resume')
  assert.equal(locationOf(await get(resume.href, own.cookie)).pathname, '/consent')
  const json = await fetch(`${minaret().baseUrl}/oauth/authorize`, {
    method: 'POST',
    body: JSON.stringify(Object.fromEntries(parameters)),
    headers: { 'content-type': 'application/json' },
    redirect: 'manual',
  })
  await assertPage(json, 'JSON')
})

test('an ID token hint of another app is refused; with one of another user, the person must sign in', async () => {
  const own = await makeFlow(minaret())
  const other = await makeFlow(minaret())
  const { id_token: hint } = await getTokens(minaret(), own)
  const foreign = await getTokens(minaret(), other)
  const ask = async (idTokenHint: string, cookie: string) => {
    const parameters = { id_token_hint: idTokenHint, prompt: 'none' }
    return locationOf(await getAuthorize(minaret(), authorizeParameters(own.app, makePkce(), { parameters }), cookie))
      .searchParams
  }
  assert.ok((await ask(hint, own.cookie)).get('code'))
  assert.equal((await ask(hint, other.cookie)).get('error'), 'login_required')
  assert.equal((await ask(foreign.id_token, own.cookie)).get('error'), 'invalid_request')
  assert.equal((await ask(foreign.access_token, own.cookie)).get('error'), 'invalid_request')
})
