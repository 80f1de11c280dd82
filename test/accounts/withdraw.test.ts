import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import {
  authorizeParameters,
  getTokens,
  makeClient,
  makePkce,
  postToken,
  readTokens,
  signIn,
  type TestApp,
  type Tokens,
  userinfo,
  within,
} from '../support/oauth.ts'
import { createPerson, type Person } from '../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

/** From the app's link through sign-in and consent to its tokens, as a person would. */
const allow = async (person: Person, email: string, app: TestApp): Promise<Tokens> => {
  const pkce = makePkce()
  const start = await person.get(`/oauth/authorize?${authorizeParameters(app, pkce)}`)
  const signInPath = start.location?.startsWith('/sign-in')
    ? start.location
    : (await person.get(start.location ?? '')).location
  assert.match(signInPath ?? '', /^\/sign-in\?request=/)
  const page = await person.get(signInPath ?? '')
  assert.match(page.text, /to continue to <bdi>Salah Companion/)
  assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self' https:;/)
  const entered = await person.submit(signInPath ?? '', '/sign-in', { email, password: PASSWORD })
  assert.match(entered.location ?? '', /^\/oauth\/authorize\/resume\?request=/)
  const consent = (await person.get(entered.location ?? '')).location ?? ''
  const decided = await person.submit(consent, '/oauth/consent', { decision: 'allow' })
  const code = new URL(decided.location ?? '').searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, client_id: app.clientId }
  return readTokens(await postToken(minaret(), { ...form, code_verifier: pkce.verifier }))
}

test('an allowed app is listed; withdrawing it ends its tokens immediately', async () => {
  const [user, app] = [await makeUser(database()), await makeClient(database(), { name: 'Salah Companion' })]
  const person = createPerson(minaret().baseUrl)
  const tokens = await allow(person, user.email, app)
  assert.equal((await userinfo(minaret(), tokens.access_token)).status, 200)

  const listed = await person.get('/account/apps')
  assert.match(listed.text, /Salah Companion/)
  assert.match(listed.text, /Read the masjid directory/)
  const path = `/account/apps/${app.id}/withdraw`
  assert.match((await person.get(path)).text, /Withdraw the access of Salah Companion\?/)
  assert.equal(
    (await userinfo(minaret(), tokens.access_token)).status,
    200,
    'the confirmation page alone withdraws nothing',
  )

  const withdrawn = await person.submit(path, path, {})
  assert.equal(withdrawn.location, '/account/apps?done=withdrawn')
  await within(1000, 'the token ends', async () => (await userinfo(minaret(), tokens.access_token)).status === 401)
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: app.clientId }
  assert.equal((await postToken(minaret(), refresh)).status, 400)
  assert.match((await person.get('/account/apps')).text, /No app has access/)
  assert.match((await person.get('/account/activity')).text, /Access withdrawn from an app/)
})

test('the list of allowed apps shows which claims each app sees', async () => {
  const user = await makeUser(database())
  const cookie = await signIn(database(), user)
  const app = await makeClient(database())
  await getTokens(minaret(), { app, user, cookie }, { scope: 'openid email' })
  const person = createPerson(minaret().baseUrl)
  person.cookies.set('minaret_session', cookie.split('=')[1] ?? '')
  const { text } = await person.get('/account/apps')
  assert.match(text, /What it can see of your account:/)
  assert.match(text, /<li>User identifier<\/li><li>Email address<\/li><\/ul>/)
  await getTokens(minaret(), { app, user, cookie }, { scope: 'masjid:read' })
  assert.match((await person.get('/account/apps')).text, /<li>Email address<\/li><li>Name<\/li><li>Picture<\/li>/)
})

test('an app that was not allowed cannot be withdrawn', async () => {
  const [user, app] = [await makeUser(database()), await makeClient(database(), { name: 'Salah Companion' })]
  const person = createPerson(minaret().baseUrl)
  await person.signIn(user.email, PASSWORD)
  for (const id of [app.id, 'no-uuid']) assert.equal((await person.get(`/account/apps/${id}/withdraw`)).status, 404)
})

test('the sign-in page says when the request has expired', async () => {
  const { text } = await createPerson(minaret().baseUrl).get('/sign-in?request=unknown')
  assert.match(text, /This sign-in took too long/)
})
