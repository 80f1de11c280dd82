import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson, hiddenFieldsOf, type Person } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const signedIn = async (): Promise<Person> => {
  const user = await makeUser(database())
  const person = createPerson(minaret().baseUrl)
  await person.signIn(user.email, PASSWORD)
  return person
}

const someId = '00000000-0000-4000-8000-000000000000'
const forms = {
  signedOut: ['/sign-in', '/sign-up', '/confirm', '/forgot-password', '/reset-password', '/confirm-email'],
  signedIn: [
    '/sign-out',
    '/account/profile',
    '/account/email',
    '/account/password',
    `/account/apps/${someId}/withdraw`,
    `/account/sessions/${someId}/end`,
    '/account/sessions/end-others',
  ],
}

test('every form without its token is refused', async () => {
  const [stranger, member] = [createPerson(minaret().baseUrl), await signedIn()]
  for (const path of forms.signedOut) assert.equal((await stranger.post(path, {})).status, 403, path)
  for (const path of forms.signedIn) assert.equal((await member.post(path, {})).status, 403, path)
  assert.equal((await member.get('/account')).status, 200, 'still signed in')
})

test('a token of another session or browser, and a repeated one, are refused', async () => {
  const [member, other] = [await signedIn(), await signedIn()]
  const foreign = hiddenFieldsOf((await other.get('/account')).text, '/account/profile')
  assert.equal((await member.post('/account/profile', { ...foreign, name: 'x', language: 'en' })).status, 403)

  const [stranger, attacker] = [createPerson(minaret().baseUrl), createPerson(minaret().baseUrl)]
  await stranger.get('/sign-in')
  const planted = hiddenFieldsOf((await attacker.get('/sign-in')).text, '/sign-in')
  assert.equal((await stranger.post('/sign-in', planted)).status, 403)
})

test('a cookie planted by an attacker does not make their token valid', async () => {
  const stranger = createPerson(minaret().baseUrl)
  stranger.cookies.set('minaret_browser', 'attacker.attacker')
  assert.equal((await stranger.post('/sign-in', { anti_forgery: 'attacker.attacker' })).status, 403)
})

test('a form from another site is refused even with a valid token', async () => {
  const stranger = createPerson(minaret().baseUrl)
  const fields = { ...hiddenFieldsOf((await stranger.get('/sign-in')).text, '/sign-in'), email: 'a@b.example' }
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ]
  for (const headers of foreign)
    assert.equal((await stranger.post('/sign-in', fields, headers)).status, 403, JSON.stringify(headers))
  const own = [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, { origin: minaret().baseUrl }, { origin: 'null' }]
  for (const headers of own)
    assert.equal((await stranger.post('/sign-in', fields, headers)).status, 422, JSON.stringify(headers))
})

test('the refusal is a page that says what to do', async () => {
  const { text, headers } = await createPerson(minaret().baseUrl).post('/sign-in', {})
  assert.match(text, /This form has expired/)
  assert.match(headers.get('content-type') ?? '', /text\/html/)
})

test('nothing changes by GET', async () => {
  const member = await signedIn()
  for (const path of ['/sign-out', '/account/password', `/account/sessions/${someId}/end`])
    assert.equal((await member.get(path)).status, 404, path)
})
