import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { startTestMinaret, useMinaret } from '../support/minaret.ts'
import { createPerson, hiddenFieldsOf } from '../support/person.ts'

const minaret = useMinaret()
const person = (headers = {}) => createPerson(minaret().baseUrl, headers)
const database = () => minaret().service.database

const withoutTokens = (text: string): string => text.replaceAll(/(value|data-options)="[^"]*"/g, '')

test('a wrong password and an unknown address get the same response', async () => {
  const user = await makeUser(database())
  const wrong = await person().signIn(user.email, 'not the right one')
  const unknown = await person().signIn('nobody-at-all@example.org', 'not the right one')
  assert.equal(wrong.status, 422)
  assert.equal(unknown.status, 422)
  assert.equal(withoutTokens(wrong.text), withoutTokens(unknown.text))
  assert.match(wrong.text, /do not match an account/)
  assert.ok(wrong.text.includes(`value="${user.email}"`))
})

test('a wrong password and an unknown address take the same time', async () => {
  const user = await makeUser(database())
  const trier = async (email: string): Promise<() => Promise<number>> => {
    const someone = person()
    const { text } = await someone.get('/sign-in')
    const fields = { ...hiddenFieldsOf(text, '/sign-in'), email, password: 'not the right one' }
    return async () => {
      const start = performance.now()
      await someone.post('/sign-in', fields)
      return performance.now() - start
    }
  }
  const [tryKnown, tryUnknown] = [await trier(user.email), await trier('nobody@example.org')]
  let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // In turn, and the least of each: other processes slow down some attempts and spare others.
  for (let round = 0; round < 7; round += 1) {
    known = Math.min(known, await tryKnown())
    unknown = Math.min(unknown, await tryUnknown())
  }
  // Without the dummy hash, the response for an unknown address is about ten times faster.
  assert.ok(unknown > known / 3, `known ${known} ms, unknown ${unknown} ms`)
})

test('a disabled account is refused like a wrong password, and its sessions have ended', async () => {
  const user = await makeUser(database())
  const someone = person()
  await someone.signIn(user.email, PASSWORD)
  await database().run(sql`update minaret.users set disabled_at = now() where id = ${user.id}`)
  assert.equal((await someone.get('/account')).location, '/sign-in')
  assert.equal((await person().signIn(user.email, PASSWORD)).status, 422)
})

test('sign-in gives a new session id; one that was known before is useless', async () => {
  const [victim, attacker] = [await makeUser(database()), await makeUser(database())]
  const someone = person()
  await someone.signIn(attacker.email, PASSWORD)
  const planted = someone.cookies.get('minaret_session')
  await someone.submit('/sign-in?request=x', '/sign-in', { email: victim.email, password: PASSWORD })
  assert.notEqual(someone.cookies.get('minaret_session'), planted)
  const other = person()
  other.cookies.set('minaret_session', planted ?? '')
  assert.equal((await other.get('/account')).location, '/sign-in')
  other.cookies.set('minaret_session', 'chosen-by-an-attacker')
  assert.equal((await other.get('/account')).status, 303)
})

test('the database has a digest of the session, never the cookie', async () => {
  const user = await makeUser(database())
  const someone = person()
  await someone.signIn(user.email, PASSWORD)
  const cookie = someone.cookies.get('minaret_session') ?? ''
  assert.ok(Buffer.from(cookie, 'base64url').length >= 32)
  const rows = await database().query(sql`select row_to_json(s)::text as row from minaret.sessions s`)
  assert.ok(!JSON.stringify(rows).includes(cookie))
})

test('signing out ends the session on the server', async () => {
  const user = await makeUser(database())
  const someone = person()
  await someone.signIn(user.email, PASSWORD)
  const cookie = someone.cookies.get('minaret_session') ?? ''
  const out = await someone.submit('/account', '/sign-out', {})
  assert.equal(out.location, '/sign-in?done=signed_out')
  assert.equal(someone.cookies.has('minaret_session'), false)
  const other = person()
  other.cookies.set('minaret_session', cookie)
  assert.equal((await other.get('/account')).location, '/sign-in')
})

test('after sign-in people return to the page they wanted, and never to another site', async () => {
  const user = await makeUser(database())
  const someone = person()
  assert.equal((await someone.get('/account/sessions')).location, '/sign-in')
  assert.equal((await someone.signIn(user.email, PASSWORD)).location, '/account/sessions')

  const forged = person()
  forged.cookies.set('minaret_return', `${Buffer.from('https://evil.example').toString('base64url')}~x.y`)
  assert.equal((await forged.signIn(user.email, PASSWORD)).location, '/account')
})

test('a reference leads back to the authorization request and nowhere else', async () => {
  const user = await makeUser(database())
  const answer = await person().submit('/sign-in?request=x', '/sign-in', {
    email: user.email,
    password: PASSWORD,
    request: 'https://evil.example/?a=b',
  })
  assert.equal(answer.location, `/oauth/authorize/resume?request=${encodeURIComponent('https://evil.example/?a=b')}`)
})

test('the page has the expected labels and button, and no script but those for passkeys and for showing the password', async () => {
  const { text, headers } = await person().get('/sign-in')
  assert.match(text, /<label for="email">Email<\/label>/)
  assert.match(text, /<label for="password">Password<\/label>/)
  assert.match(text, />Sign in<\/button>/)
  const known = String.raw`src="/assets/(passkey|passwords)\.\w+\.js" defer( data-(show|hide)="[\w ]+")*><`
  assert.doesNotMatch(text, new RegExp(String.raw`<script(?! ${known})|\son\w+=|style="`))
  const policy = headers.get('content-security-policy') ?? ''
  for (const part of [
    "default-src 'none'",
    "style-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ])
    assert.ok(policy.includes(part), part)
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

test('the language follows ui_locales, then the cookie, then the browser', async () => {
  const someone = person({ 'accept-language': 'ar-EG, en;q=0.5' })
  assert.match((await someone.get('/sign-in')).text, /<html lang="ar" dir="rtl">/)
  assert.match((await someone.get('/sign-in?ui_locales=fr%20en')).text, /<html lang="en" dir="ltr">/)
  assert.match((await someone.get('/sign-in')).text, /<html lang="en" dir="ltr">/)
})

test('in production the cookies are __Host-, Secure, HttpOnly and SameSite=Lax, and there is no outbox', async () => {
  const production = await startTestMinaret({
    NODE_ENV: 'production',
    BASE_URL: 'https://id.example.org',
    HOST: '127.0.0.1',
  })
  try {
    const user = await makeUser(production.service.database)
    const someone = createPerson(`http://127.0.0.1:${production.service.port}`)
    const page = await someone.get('/sign-in')
    assert.match(page.headers.get('strict-transport-security') ?? '', /max-age=\d{8}/)
    const answer = await someone.signIn(user.email, PASSWORD)
    const [cookie = ''] = answer.headers.getSetCookie()
    assert.match(cookie, /^__Host-minaret_session=[\w-]{43}; /)
    for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) assert.ok(cookie.includes(flag), flag)
    assert.doesNotMatch(cookie, /Domain=/i)
    assert.equal((await someone.get('/outbox')).status, 404)
  } finally {
    await production.stop()
  }
})

test('too many attempts: 429 with Retry-After and a page, for known and unknown alike', async () => {
  const limited = await startTestMinaret({ RATE_LIMITS: 'on' })
  try {
    const user = await makeUser(limited.service.database)
    for (const email of [user.email, 'nobody@example.org']) {
      const someone = createPerson(limited.baseUrl)
      const { text } = await someone.get('/sign-in')
      const fields = { ...hiddenFieldsOf(text, '/sign-in'), email, password: 'wrong' }
      for (let attempt = 0; attempt < 10; attempt++) assert.equal((await someone.post('/sign-in', fields)).status, 422)
      const refused = await someone.post('/sign-in', { ...fields, password: PASSWORD })
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      assert.match(refused.text, /Too many attempts/)
    }
  } finally {
    await limited.stop()
  }
})

test('links by mail and guesses of the current password are limited too', async () => {
  const limited = await startTestMinaret({ RATE_LIMITS: 'on' })
  try {
    const user = await makeUser(limited.service.database)
    const someone = createPerson(limited.baseUrl)
    for (const email of [user.email, 'nobody@example.org']) {
      for (let count = 0; count < 5; count++)
        assert.equal((await someone.submit('/forgot-password', '/forgot-password', { email })).status, 200)
      assert.equal((await someone.submit('/forgot-password', '/forgot-password', { email })).status, 429, email)
    }
    await someone.signIn(user.email, PASSWORD)
    const guess = { current_password: 'a guess at it', new_password: 'a lantern and two doves' }
    for (let count = 0; count < 10; count++)
      assert.equal((await someone.submit('/account', '/account/password', guess)).status, 422)
    const right = { ...guess, current_password: PASSWORD }
    assert.equal((await someone.submit('/account', '/account/password', right)).status, 429)
  } finally {
    await limited.stop()
  }
})
