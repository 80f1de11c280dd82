import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectEarlier } from '../../src/accounts/factors/new-device.ts'
import { selectUnusual } from '../../src/accounts/factors/unusual.ts'
import { sql } from '../../src/db/sql.ts'
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
const person = (agent: string, address = '198.51.100.7', languages = '') =>
  createPerson(minaret().baseUrl, {
    'user-agent': agent,
    'x-forwarded-for': address,
    ...(languages === '' ? {} : { 'accept-language': languages }),
  })

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

test('what a sign-in is compared with is found by index, however many others signed in', async () => {
  const [user, other] = [await makeUser(database()), await makeUser(database())]
  await database().run(sql`
    insert into minaret.sessions (token_hash, user_id, expires_at, ended_at)
    select sha256(gen_random_uuid()::text::bytea), ${other.id}, now() + interval '1 hour', now() from generate_series(1, 3000)`)
  await database().run(sql`analyze minaret.sessions`)
  const visit = { address: '198.51.100.7', userAgent: phone, languages: 'en-GB' }
  for (const statement of [selectEarlier(user.id), selectUnusual(user.id, visit)]) {
    const lines = await database().query<Record<string, string>>(sql`explain (costs off) ${statement}`)
    const plan = lines.map(line => line['QUERY PLAN']).join('\n')
    assert.match(plan, /sessions_person/)
    assert.doesNotMatch(plan, /Seq Scan/)
  }
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
  assert.equal(out.location, '/sign-in?done=signed_out_everywhere')
  for (const browser of [here, elsewhere]) assert.equal((await browser.get('/account')).location, '/sign-in')
  assert.equal((await elsewhere.signIn(user.email, PASSWORD)).location, '/sign-in/second-factor')
})

/** Signed out, in a browser that is remembered. */
const remembered = async (address: string, languages = 'en-GB') => {
  const user = await makeUser(database())
  const owner = person(phone, address, languages)
  await owner.signIn(user.email, PASSWORD)
  const app = await setUpAuthenticator(owner)
  await letCodesPass(database(), user.id)
  await owner.submit('/account', '/sign-out', {})
  await owner.signIn(user.email, PASSWORD)
  await enterCode(owner, { code: app.code(), remember: 'yes' })
  await owner.submit('/account', '/sign-out', {})
  const elsewhere = (place: string, spoken = languages) => {
    const browser = person(phone, place, spoken)
    browser.cookies.set('minaret_device', owner.cookies.get('minaret_device') ?? '')
    return browser
  }
  return { user, elsewhere }
}

test('a remembered browser is asked again on the network of another provider, and not with another address of the same', async () => {
  const { user, elsewhere } = await remembered('9.9.9.9')
  assert.equal((await elsewhere('8.8.8.8').signIn(user.email, PASSWORD)).location, '/sign-in/second-factor')
  assert.equal((await elsewhere('9.9.7.1').signIn(user.email, PASSWORD)).location, '/account')
})

test('a browser set to a country that was never seen asks for the second factor, remembered or not', async () => {
  const { user, elsewhere } = await remembered('9.9.9.9')
  assert.equal((await elsewhere('9.9.9.9', 'ru-RU').signIn(user.email, PASSWORD)).location, '/sign-in/second-factor')
  assert.equal((await elsewhere('9.9.9.9', 'en').signIn(user.email, PASSWORD)).location, '/account')
})

test('without a second factor, an unusual country is told by mail, once', async () => {
  const { email } = await makeUser(database())
  await person(phone, '9.9.9.9', 'ar-EG,ar').signIn(email, PASSWORD)
  await person(phone, '9.9.9.9', 'ar-EG,en-US').signIn(email, PASSWORD)
  assert.equal(await countMailTo(database(), email), 0)
  await person(phone, '9.9.9.9', 'de-DE').signIn(email, PASSWORD)
  assert.match((await lastMailTo(database(), email)).subject, /unusual sign-in/)
  await person(phone, '9.9.9.9', 'de-DE').signIn(email, PASSWORD)
  assert.equal(await countMailTo(database(), email), 1)
})

test('many accounts from one network: those with a second factor are asked for it, the others are told', async () => {
  const { user, elsewhere } = await remembered('1.1.1.1')
  await database().run(sql`
    with others as (
      insert into minaret.users (email, name) select 'other' || n || '@example.org', 'Other' from generate_series(1, 10) n returning id)
    insert into minaret.sessions (token_hash, user_id, expires_at, network)
    select sha256(id::text::bytea), id, now() + interval '1 day', '1.1.1.1' from others`)
  assert.equal((await elsewhere('1.1.1.1').signIn(user.email, PASSWORD)).location, '/sign-in/second-factor')
  const { email } = await makeUser(database())
  await person(phone, '1.1.1.1').signIn(email, PASSWORD)
  assert.match((await lastMailTo(database(), email)).subject, /unusual sign-in/)
  assert.equal((await elsewhere('1.1.2.2').signIn(user.email, PASSWORD)).location, '/account', 'from the next street')
})
