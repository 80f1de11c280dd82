import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANTI_FORGERY_FIELD } from '../../src/site/pieces/form.ts'
import { useMinaret } from '../support/minaret.ts'
import { type Flow, get, getTokens, locationOf, makeFlow, postForm, signIn } from '../support/oauth.ts'

const HOME = 'https://app.example.org/signed-out'
let flow: Flow
const minaret = useMinaret({}, async running => {
  flow = await makeFlow(running, { postLogoutRedirectUris: [HOME] })
})

const logout = (parameters: Record<string, string>, cookie = ''): Promise<Response> =>
  get(`${minaret().baseUrl}/oauth/logout?${new URLSearchParams(parameters)}`, cookie)

/** Whether the cookie still has a session: without one, authorize with prompt=none returns an error. */
const isSignedIn = async (cookie: string): Promise<boolean> => {
  const page = await get(`${minaret().baseUrl}/oauth/logout`, cookie)
  return page.status === 200
}

test('a hint that names the person signs them out without asking and sends them back with the state', async () => {
  const cookie = await signIn(minaret().service.database, flow.user)
  const { id_token: hint } = await getTokens(minaret(), { ...flow, cookie })
  const response = await logout({ id_token_hint: hint, post_logout_redirect_uri: HOME, state: 'bye' }, cookie)
  assert.equal(locationOf(response).href, `${HOME}?state=bye`)
  assert.match(response.headers.get('set-cookie') ?? '', /minaret_session=;/)
  assert.equal(await isSignedIn(cookie), false)
})

test('without a hint, or with one of another person, they are asked first', async () => {
  const other = await makeFlow(minaret(), { postLogoutRedirectUris: [HOME] })
  const { id_token: foreign } = await getTokens(minaret(), other)
  const cookie = await signIn(minaret().service.database, flow.user)
  for (const parameters of [{ client_id: flow.app.clientId }, { id_token_hint: foreign }] as Record<string, string>[]) {
    const page = await logout({ ...parameters, post_logout_redirect_uri: HOME }, cookie)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /Sign out/)
    assert.ok(await isSignedIn(cookie))
  }
  const page = await logout({ client_id: flow.app.clientId, post_logout_redirect_uri: HOME, state: 'x' }, cookie)
  const token = new RegExp(`name="${ANTI_FORGERY_FIELD}" value="([^"]*)"`).exec(await page.text())?.[1] ?? ''
  const form = { client_id: flow.app.clientId, post_logout_redirect_uri: HOME, state: 'x' }
  const confirm = (fields: Record<string, string>) =>
    postForm(`${minaret().baseUrl}/oauth/logout/confirm`, fields, { cookie })
  assert.equal((await confirm(form)).status, 403)
  assert.ok(await isSignedIn(cookie))
  assert.equal(locationOf(await confirm({ ...form, [ANTI_FORGERY_FIELD]: token })).href, `${HOME}?state=x`)
  assert.equal(await isSignedIn(cookie), false)
})

test('a form posted from another site is redirected to GET', async () => {
  const { id_token: hint } = await getTokens(minaret(), flow)
  const response = await postForm(`${minaret().baseUrl}/oauth/logout`, { id_token_hint: hint })
  const location = locationOf(response)
  assert.equal(location.pathname, '/oauth/logout')
  assert.equal(location.searchParams.get('id_token_hint'), hint)
})

test('refused with a page: an unregistered address, one without a client, an invalid hint, two apps', async () => {
  const { id_token: hint, access_token: accessToken } = await getTokens(minaret(), flow)
  const other = await makeFlow(minaret())
  const attempts: Record<string, string>[] = [
    { client_id: flow.app.clientId, post_logout_redirect_uri: 'https://evil.example/' },
    { client_id: flow.app.clientId, post_logout_redirect_uri: `${HOME}/` },
    { client_id: flow.app.clientId, post_logout_redirect_uri: flow.app.redirectUri },
    { post_logout_redirect_uri: HOME },
    { id_token_hint: 'false', post_logout_redirect_uri: HOME },
    { id_token_hint: accessToken },
    { id_token_hint: hint, client_id: other.app.clientId },
  ]
  for (const parameters of attempts) {
    const response = await logout(parameters, flow.cookie)
    assert.equal(response.status, 400, JSON.stringify(parameters))
    assert.equal(response.headers.get('location'), null)
  }
})

test('signed out: redirected without a page', async () => {
  const response = await logout({ client_id: flow.app.clientId, post_logout_redirect_uri: HOME })
  assert.equal(locationOf(response).href, HOME)
})

test('without parameters, with a state alone, or without an address, people stay here', async () => {
  for (const parameters of [{}, { state: 'x' }] as Record<string, string>[]) {
    const cookie = await signIn(minaret().service.database, flow.user)
    assert.equal((await logout(parameters, cookie)).status, 200, 'asked first')
    assert.ok(await isSignedIn(cookie))
    assert.equal(locationOf(await logout(parameters)).pathname, '/', 'signed out: the start page')
  }
  const cookie = await signIn(minaret().service.database, flow.user)
  const { id_token: hint } = await getTokens(minaret(), { ...flow, cookie })
  assert.equal(locationOf(await logout({ id_token_hint: hint }, cookie)).pathname, '/')
  assert.equal(await isSignedIn(cookie), false)
})

test('without a state none is added; a query that was not registered, and a changed hint, are refused', async () => {
  const cookie = await signIn(minaret().service.database, flow.user)
  const { id_token: hint } = await getTokens(minaret(), { ...flow, cookie })
  const [head = '', claims = '', signature = ''] = hint.split('.')
  const changed = `${head}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  for (const parameters of [
    { id_token_hint: hint, post_logout_redirect_uri: `${HOME}?foo=bar` },
    { id_token_hint: changed, post_logout_redirect_uri: HOME },
  ])
    assert.equal((await logout(parameters, cookie)).status, 400)
  assert.ok(await isSignedIn(cookie))
  assert.equal(locationOf(await logout({ id_token_hint: hint, post_logout_redirect_uri: HOME }, cookie)).href, HOME)
})
