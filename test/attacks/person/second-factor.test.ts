// Somebody knows the password, holds a stolen session, or sees a code: none of it is enough by itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { asksAgain } from '../../support/asks-again.ts'
import { enterCode, letCodesPass, setUpAuthenticator } from '../../support/authenticator.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson, hiddenFieldsOf, type Person } from '../../support/person.ts'

const minaret = useMinaret({ RATE_LIMITS: 'on', TRUST_PROXY: 'on' })
const database = () => minaret().service.database

let places = 0
/** Each from an address of their own. */
const person = () => {
  places += 1
  return createPerson(minaret().baseUrl, { 'x-forwarded-for': `198.51.${places >> 8}.${places & 255}` })
}

const withApp = async () => {
  const user = await makeUser(database())
  const owner = person()
  await owner.signIn(user.email, PASSWORD)
  const app = await setUpAuthenticator(owner)
  await letCodesPass(database(), user.id)
  return { user, owner, app }
}

const challenged = async (email: string): Promise<Person> => {
  const someone = person()
  assert.equal((await someone.signIn(email, PASSWORD)).location, '/sign-in/second-factor')
  return someone
}

const isSignedIn = async (someone: Person): Promise<boolean> => (await someone.get('/account')).status === 200

/** The cookie of a session, in another browser. */
const stolenFrom = (owner: Person): Person => {
  const thief = person()
  thief.cookies.set('minaret_session', owner.cookies.get('minaret_session') ?? '')
  return thief
}

test('a code that was used in one session is worth nothing in another', async () => {
  const { user, app } = await withApp()
  const [owner, phisher] = [await challenged(user.email), await challenged(user.email)]
  const code = app.code()
  assert.equal((await enterCode(owner, { code })).location, '/account')
  assert.equal((await enterCode(phisher, { code })).status, 422)
  assert.equal(await isSignedIn(phisher), false)
})

test('of many browsers that send the same code at once, one is signed in', async () => {
  const { user, app } = await withApp()
  const browsers = await Promise.all([1, 2, 3, 4].map(() => challenged(user.email)))
  const code = app.code()
  const answers = await Promise.all(browsers.map(browser => enterCode(browser, { code })))
  assert.equal(answers.filter(({ location }) => location === '/account').length, 1)
})

test('a recovery code works once, also in parallel', async () => {
  const { user, app } = await withApp()
  const browsers = await Promise.all([1, 2, 3, 4].map(() => challenged(user.email)))
  const fields = { kind: 'recovery', recovery_code: app.recoveryCodes[0] ?? '' }
  const answers = await Promise.all(browsers.map(browser => enterCode(browser, fields)))
  assert.equal(answers.filter(({ location }) => location === '/account').length, 1)
  await assert.rejects(
    database().run(sql`
      update minaret.recovery_codes set used_at = null where user_id = ${user.id} and used_at is not null`),
    /works once/,
  )
})

test('a code without the password of the same browser opens nothing', async () => {
  const { user, app } = await withApp()
  const other = await withApp()
  const stranger = person()
  const page = await stranger.get('/sign-in')
  const { anti_forgery = '' } = hiddenFieldsOf(page.text, '/sign-in')
  const answer = await stranger.post('/sign-in/second-factor', { anti_forgery, kind: 'totp', code: app.code() })
  assert.match(answer.location ?? '', /done=challenge_expired$/)
  const mistaken = await challenged(user.email)
  assert.equal((await enterCode(mistaken, { code: other.app.code() })).status, 422, "another person's code")
  const recovery = { kind: 'recovery', recovery_code: other.app.recoveryCodes[0] ?? '' }
  assert.equal((await enterCode(mistaken, recovery)).status, 422, "another person's recovery code")
})

test('guesses from many addresses are counted together, and the owner still has ways in', async () => {
  const { user, owner, app } = await withApp()
  const thieves = await Promise.all([1, 2, 3].map(() => challenged(user.email)))
  const statuses: number[] = []
  for (let guess = 0; guess < 9; guess++) {
    const thief = thieves[guess % 3] ?? person()
    const { text, status } = await thief.get('/sign-in/second-factor')
    assert.equal(status, 200)
    const fields = { ...hiddenFieldsOf(text, '/sign-in/second-factor'), code: '000000' }
    statuses.push((await thief.post('/sign-in/second-factor', fields)).status)
  }
  assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429, 429, 429, 429])
  const late = await enterCode(await challenged(user.email), { code: app.code() })
  assert.equal(late.status, 429)
  assert.ok(Number(late.headers.get('retry-after')) <= 24 * 60 * 60, 'it ends by itself')

  const recovered = await challenged(user.email)
  const fields = { kind: 'recovery', recovery_code: app.recoveryCodes[0] ?? '' }
  assert.equal((await enterCode(recovered, fields)).location, '/account')

  const password = 'a lantern and two doves'
  await owner.submit('/account', '/account/password', { current_password: PASSWORD, new_password: password })
  const renewed = person()
  await renewed.signIn(user.email, password)
  assert.equal((await enterCode(renewed, { code: app.code() })).location, '/account', 'a new password, a new count')
})

test('a stolen session cannot add, replace or remove factors, nor make recovery codes, once it is not fresh', async () => {
  const { user, owner } = await withApp()
  await database().run(
    sql`update minaret.sessions set fresh_at = now() - interval '16 minutes' where user_id = ${user.id}`,
  )
  const thief = stolenFrom(owner)
  const page = await thief.get('/account/security')
  const { anti_forgery = '' } = hiddenFieldsOf(page.text, '/account/security/codes')
  for (const path of [
    '/account/security/app/begin',
    '/account/security/app',
    '/account/security/app/remove',
    '/account/security/codes',
  ])
    assert.ok(asksAgain(await thief.post(path, { anti_forgery, code: '000000' })), path)
  assert.equal((await thief.get('/account/security/app')).location, '/sign-in/again')
  assert.equal((await challenged(user.email)).cookies.has('minaret_challenge'), true)
})

test('a session from before the second factor is not fresh any more', async () => {
  const user = await makeUser(database())
  const thief = person()
  await thief.signIn(user.email, PASSWORD)
  const owner = person()
  await owner.signIn(user.email, PASSWORD)
  await setUpAuthenticator(owner)
  assert.equal((await thief.get('/account/security/app/remove')).location, '/sign-in/again')
})

test('a remembered browser changes nothing that matters without the code', async () => {
  const { user, app } = await withApp()
  const someone = await challenged(user.email)
  await enterCode(someone, { code: app.code(), remember: 'yes' })
  await someone.submit('/account', '/sign-out', {})
  await someone.signIn(user.email, PASSWORD)
  assert.equal((await someone.get('/account/security/app/remove')).location, '/sign-in/again')
})

test('a device cookie that was planted before is not the one that is remembered', async () => {
  const { user, app } = await withApp()
  const victim = await challenged(user.email)
  victim.cookies.set('minaret_device', 'planted')
  await enterCode(victim, { code: app.code(), remember: 'yes' })
  assert.notEqual(victim.cookies.get('minaret_device'), 'planted')
  const thief = person()
  thief.cookies.set('minaret_device', 'planted')
  assert.equal((await thief.signIn(user.email, PASSWORD)).location, '/sign-in/second-factor')
  const other = await withApp()
  thief.cookies.set('minaret_device', victim.cookies.get('minaret_device') ?? '')
  assert.equal((await thief.signIn(other.user.email, PASSWORD)).location, '/sign-in/second-factor', "another's browser")
})

test('posts from another site are refused everywhere', async () => {
  const { owner } = await withApp()
  const { text } = await owner.get('/account/security')
  const fields = hiddenFieldsOf(text, '/account/security/codes')
  const foreign = { 'sec-fetch-site': 'cross-site' }
  for (const path of ['/app/begin', '/app', '/app/remove', '/codes'])
    assert.equal((await owner.post(`/account/security${path}`, fields, foreign)).status, 403, path)
  for (const path of ['/sign-in/second-factor', '/sign-in/again']) {
    assert.equal((await owner.post(path, fields, foreign)).status, 403, path)
    assert.equal((await owner.post(path, { code: '000000' })).status, 403, `${path} without its token`)
  }
})

test('nobody resets their own factor, not even an administrator', async () => {
  const admin = person()
  const user = await makeUser(database(), { isAdmin: true })
  await admin.signIn(user.email, PASSWORD)
  await setUpAuthenticator(admin)
  const path = `/admin/users/${user.id}/reset-factors`
  assert.equal((await admin.submit(path, path, {})).status, 403)
})

test('the key in the database is sealed, and for this account alone', async () => {
  const [one, other] = [await withApp(), await withApp()]
  await database().run(sql`
    update minaret.totp_factors set secret = (select secret from minaret.totp_factors where user_id = ${other.user.id})
    where user_id = ${one.user.id}`)
  const someone = await challenged(one.user.email)
  assert.equal((await enterCode(someone, { code: other.app.code() })).status, 503)
  assert.equal(await isSignedIn(someone), false)
})
