import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { enterCode, letCodesPass, setUpAuthenticator } from '../support/authenticator.ts'
import { countMailTo, lastMailTo } from '../support/mail.ts'
import { useMinaret } from '../support/minaret.ts'
import { createPerson } from '../support/person.ts'

const minaret = useMinaret({ TRUST_PROXY: 'on' })
const database = () => minaret().service.database
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1'
const newerPhone = phone.replaceAll('18', '19')
const laptop = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36'
const person = (agent: string, address = '198.51.100.7') =>
  createPerson(minaret().baseUrl, { 'user-agent': agent, 'x-forwarded-for': address })

test('a browser or a network that was not used lately is told by mail; the first one, and a newer version, are not', async () => {
  const { email } = await makeUser(database())
  await person(phone).signIn(email, PASSWORD)
  await person(newerPhone).signIn(email, PASSWORD)
  assert.equal(await countMailTo(database(), email), 0)
  await person(laptop).signIn(email, PASSWORD)
  assert.equal(await countMailTo(database(), email), 1)
  const { subject, link } = await lastMailTo(database(), email)
  assert.match(subject, /new sign-in/)
  assert.equal(link, '/account/sessions')
  await person(laptop, '203.0.113.9').signIn(email, PASSWORD)
  await person('curl/8.0', '203.0.113.9').signIn(email, PASSWORD)
  assert.equal(await countMailTo(database(), email), 3)
  await person(laptop, '203.0.113.9').signIn(email, PASSWORD)
  assert.equal(await countMailTo(database(), email), 3, 'known by now')
})

test('the cookie of a remembered browser is worth nothing in another one', async () => {
  const user = await makeUser(database())
  const owner = person(phone)
  await owner.signIn(user.email, PASSWORD)
  const app = await setUpAuthenticator(owner)
  await letCodesPass(database(), user.id)
  await owner.submit('/account', '/sign-out', {})
  await owner.signIn(user.email, PASSWORD)
  await enterCode(owner, { code: app.code(), remember: 'yes' })
  const thief = person(laptop, '203.0.113.9')
  thief.cookies.set('minaret_device', owner.cookies.get('minaret_device') ?? '')
  assert.equal((await thief.signIn(user.email, PASSWORD)).location, '/sign-in/second-factor')
  await owner.submit('/account', '/sign-out', {})
  assert.equal((await owner.signIn(user.email, PASSWORD)).location, '/account')
})

test('signing out everywhere ends this session too, and forgets remembered browsers', async () => {
  const user = await makeUser(database())
  const [here, elsewhere] = [person(phone), person(phone)]
  await here.signIn(user.email, PASSWORD)
  const app = await setUpAuthenticator(here)
  await letCodesPass(database(), user.id)
  await elsewhere.signIn(user.email, PASSWORD)
  await enterCode(elsewhere, { code: app.code(), remember: 'yes' })
  const out = await here.submit('/account/sessions', '/account/sessions/end-all', {})
  assert.equal(out.location, '/sign-in?done=signed_out')
  for (const browser of [here, elsewhere]) assert.equal((await browser.get('/account')).location, '/sign-in')
  assert.equal((await elsewhere.signIn(user.email, PASSWORD)).location, '/sign-in/second-factor')
})
