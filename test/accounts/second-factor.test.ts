import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { asksAgain } from '../support/asks-again.ts'
import { codesOn, enterCode, keyOn, letCodesPass, setUpAuthenticator } from '../support/authenticator.ts'
import { lastMailTo } from '../support/mail.ts'
import { startTestMinaret, useMinaret } from '../support/minaret.ts'
import { authorizeParameters, makeClient, makePkce } from '../support/oauth.ts'
import { createPerson, type Person } from '../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const person = () => createPerson(minaret().baseUrl)

/** Signed in, with an authenticator app set up a while ago. */
const withApp = async (wishes = {}) => {
  const user = await makeUser(database(), wishes)
  const owner = person()
  await owner.signIn(user.email, PASSWORD)
  const app = await setUpAuthenticator(owner)
  await letCodesPass(database(), user.id)
  return { user, owner, app }
}

const isSignedIn = async (someone: Person): Promise<boolean> => (await someone.get('/account')).status === 200

/** As if the person had signed in an hour ago. */
const growStale = (userId: string) =>
  database().run(sql`update minaret.sessions set fresh_at = now() - interval '1 hour' where user_id = ${userId}`)

test('nothing counts before the app has shown a right code', async () => {
  const { email } = await makeUser(database())
  const owner = person()
  await owner.signIn(email, PASSWORD)
  await owner.submit('/account/security', '/account/security/app/begin', {})
  const page = await owner.get('/account/security/app')
  assert.match(page.text, /<img class="qr" alt="QR code/)
  assert.match(keyOn(page), /^[A-Z2-7]{32}$/)
  const wrong = await owner.submit('/account/security/app', '/account/security/app', { code: '000000' })
  assert.equal(wrong.status, 422)
  assert.equal(keyOn(wrong), keyOn(page), 'the same key is shown again')
  assert.equal((await person().signIn(email, PASSWORD)).location, '/account')
})

test('after the password the code is asked for, and only then is somebody signed in', async () => {
  const { user, app } = await withApp()
  const someone = person()
  assert.equal((await someone.signIn(user.email, PASSWORD)).location, '/sign-in/second-factor')
  assert.equal(await isSignedIn(someone), false)
  const page = await someone.get('/sign-in/second-factor')
  assert.match(page.text, /autocomplete="one-time-code"/)
  assert.doesNotMatch(page.text, /<script/)
  const wrong = await enterCode(someone, { code: '12345' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /not right, or was used before/)
  assert.equal((await enterCode(someone, { code: app.code() })).location, '/account')
  assert.equal(await isSignedIn(someone), true)
})

test('codes of the neighbouring steps are accepted, and never an earlier one after a later one', async () => {
  const { user, app } = await withApp()
  const first = person()
  await first.signIn(user.email, PASSWORD)
  assert.equal((await enterCode(first, { code: app.code(1) })).location, '/account')
  const second = person()
  await second.signIn(user.email, PASSWORD)
  assert.equal((await enterCode(second, { code: app.code() })).status, 422)
})

test('the page that was wanted, and the app that asked, wait for the second factor', async () => {
  const { user, app } = await withApp()
  const someone = person()
  await someone.get('/account/sessions')
  await someone.signIn(user.email, PASSWORD)
  assert.equal((await enterCode(someone, { code: app.code() })).location, '/account/sessions')
  await letCodesPass(database(), user.id)

  const client = await makeClient(database())
  const other = person()
  const asked = await other.get(`/oauth/authorize?${authorizeParameters(client, makePkce())}`)
  const signIn = await other.submit(asked.location ?? '', '/sign-in', { email: user.email, password: PASSWORD })
  assert.match(signIn.location ?? '', /^\/sign-in\/second-factor\?request=/)
  const entered = await other.submit(signIn.location ?? '', '/sign-in/second-factor', { code: app.code() })
  assert.match(entered.location ?? '', /^\/oauth\/authorize\/resume\?request=/)
  assert.match((await other.get(entered.location ?? '')).location ?? '', /^\/consent\?/)
})

test('a challenge ends with its time, and with a new password', async () => {
  const { user, owner, app } = await withApp()
  const late = person()
  await late.signIn(user.email, PASSWORD)
  await database().run(sql`update minaret.sign_in_challenges set expires_at = now() where user_id = ${user.id}`)
  assert.match((await late.get('/sign-in/second-factor')).location ?? '', /done=challenge_expired$/)

  const overtaken = person()
  await overtaken.signIn(user.email, PASSWORD)
  const page = await overtaken.get('/sign-in/second-factor')
  const passwords = { current_password: PASSWORD, new_password: 'a lantern and two doves' }
  await owner.submit('/account', '/account/password', passwords)
  const anti = /name="anti_forgery" value="([^"]*)"/.exec(page.text)?.[1] ?? ''
  const answer = await overtaken.post('/sign-in/second-factor', { anti_forgery: anti, kind: 'totp', code: app.code() })
  assert.match(answer.location ?? '', /done=challenge_expired$/)
  assert.equal(await isSignedIn(overtaken), false)
})

test('ten recovery codes: shown once, each works once, however it is typed, and the owner is told', async () => {
  const { user, app } = await withApp()
  assert.equal(app.recoveryCodes.length, 10)
  const [code = ''] = app.recoveryCodes
  const someone = person()
  await someone.signIn(user.email, PASSWORD)
  const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `
  assert.equal((await enterCode(someone, { kind: 'recovery', recovery_code: typed })).location, '/account')
  assert.match((await lastMailTo(database(), user.email)).subject, /recovery code was used/)
  assert.match((await someone.get('/account/security')).text, /<bdi>9<\/bdi> codes are left/)
  const again = person()
  await again.signIn(user.email, PASSWORD)
  assert.equal((await enterCode(again, { kind: 'recovery', recovery_code: code })).status, 422)
  const stored = await database().query(sql`select code_hash from minaret.recovery_codes where user_id = ${user.id}`)
  assert.ok(!JSON.stringify(stored).includes(code))
})

test('new recovery codes end the old ones', async () => {
  const { user, owner, app } = await withApp()
  const page = await owner.submit('/account/security', '/account/security/codes', {})
  const renewed = [...new Set(codesOn(page))]
  assert.equal(renewed.length, 10)
  assert.match(page.text, /download="minaret-recovery-codes.txt" href="data:text\/plain/)
  const someone = person()
  await someone.signIn(user.email, PASSWORD)
  const enter = (code = '') => enterCode(someone, { kind: 'recovery', recovery_code: code })
  assert.equal((await enter(app.recoveryCodes[1])).status, 422)
  assert.equal((await enter(renewed[0])).location, '/account')
})

test('a remembered browser is asked for the password only, until it is forgotten', async () => {
  const { user, owner, app } = await withApp()
  const someone = person()
  await someone.signIn(user.email, PASSWORD)
  await enterCode(someone, { code: app.code(), remember: 'yes' })
  assert.ok(someone.cookies.has('minaret_device'))
  await someone.submit('/account', '/sign-out', {})
  assert.equal((await someone.signIn(user.email, PASSWORD)).location, '/account')

  const page = await owner.get('/account/security')
  const [, path = ''] = /action="(\/account\/security\/devices\/[^"]*\/forget)"/.exec(page.text) ?? []
  assert.equal((await owner.submit('/account/security', path, {})).location, '/account/security?done=forgotten')
  await someone.submit('/account', '/sign-out', {})
  assert.equal((await someone.signIn(user.email, PASSWORD)).location, '/sign-in/second-factor')
})

test('remembering ends after 30 days, and with a new password', async () => {
  const { user, app, owner } = await withApp()
  const someone = person()
  await someone.signIn(user.email, PASSWORD)
  await enterCode(someone, { code: app.code(), remember: 'yes' })
  const left = await database().first<{ days: number }>(sql`
    select round(extract(epoch from remembered_until - now()) / 86400)::int as days from minaret.devices where user_id = ${user.id}`)
  assert.equal(left?.days, 30)
  const password = 'a lantern and two doves'
  await owner.submit('/account', '/account/password', { current_password: PASSWORD, new_password: password })
  assert.equal((await someone.signIn(user.email, password)).location, '/sign-in/second-factor')
})

test('moving to another phone: the old app works until the new one has shown a code', async () => {
  const { user, owner, app } = await withApp()
  await owner.submit('/account/security', '/account/security/app/begin', {})
  const someone = person()
  await someone.signIn(user.email, PASSWORD)
  assert.equal((await enterCode(someone, { code: app.code() })).location, '/account')
  const key = keyOn(await owner.get('/account/security/app'))
  assert.notEqual(key, '')
})

test('removing the app: the password is enough again, and the owner is told', async () => {
  const { user, owner } = await withApp()
  const removed = await owner.submit('/account/security/app/remove', '/account/security/app/remove', {})
  assert.equal(removed.location, '/account/security?done=app_removed')
  assert.match((await lastMailTo(database(), user.email)).subject, /second factor was removed/)
  assert.equal((await person().signIn(user.email, PASSWORD)).location, '/account')
  const rows = await database().query(sql`select from minaret.recovery_codes where user_id = ${user.id}`)
  assert.equal(rows.length, 0)
})

test('changes to factors ask again who it is: for the code, or without a factor for the password', async () => {
  const user = await makeUser(database())
  const owner = person()
  await owner.signIn(user.email, PASSWORD)
  await growStale(user.id)
  const begun = await owner.submit('/account/security', '/account/security/app/begin', {})
  assert.ok(asksAgain(begun))
  assert.equal((await owner.submit('/sign-in/again', '/sign-in/again', { password: 'a guess at it' })).status, 422)
  const proven = await owner.submit('/sign-in/again', '/sign-in/again', { password: PASSWORD })
  assert.equal(proven.location, '/account/security')

  const app = await setUpAuthenticator(owner)
  await letCodesPass(database(), user.id)
  await growStale(user.id)
  assert.equal((await owner.get('/account/security/app/remove')).location, '/sign-in/again')
  assert.equal((await owner.submit('/sign-in/again', '/sign-in/again', { password: PASSWORD })).status, 422)
  const again = await owner.submit('/sign-in/again', '/sign-in/again', { kind: 'totp', code: app.code() })
  assert.equal(again.location, '/account/security/app/remove')
})

test('an administrator resets the factor of somebody else: audited, and the person is told', async () => {
  const { user, owner } = await withApp()
  const admin = person()
  const administrator = await makeUser(database(), { isAdmin: true })
  await admin.signIn(administrator.email, PASSWORD)
  const path = `/admin/users/${user.id}/reset-factors`
  assert.equal((await admin.submit(path, path, {})).location, `/admin/users/${user.id}?done=yes`)
  assert.match((await lastMailTo(database(), user.email)).subject, /second factor was reset/)
  assert.equal(await isSignedIn(owner), false)
  assert.equal((await person().signIn(user.email, PASSWORD)).location, '/account')
  const entry = await database().first<{ actor_id: string }>(sql`
    select actor_id from minaret.audit_log where action = 'user.factors_reset' and user_id = ${user.id}`)
  assert.equal(entry?.actor_id, administrator.id)
})

test('in production reviewers and administrators set up a second factor before anything else', async () => {
  const production = await startTestMinaret({
    NODE_ENV: 'production',
    BASE_URL: 'https://id.example.org',
    HOST: '127.0.0.1',
  })
  try {
    const { database: live, port } = production.service
    const someone = createPerson(`http://127.0.0.1:${port}`)
    const { email } = await makeUser(live, { isReviewer: true })
    await someone.get('/review')
    assert.equal((await someone.signIn(email, PASSWORD)).location, '/review')
    for (const path of ['/review', '/account', '/console', '/staff'])
      assert.equal((await someone.get(path)).location, '/account/security', path)
    assert.match((await someone.get('/account/security')).text, /Your role needs a second factor/)

    const client = await makeClient(live)
    const asked = await someone.get(`/oauth/authorize?${authorizeParameters(client, makePkce())}`)
    const signIn = asked.location?.replace('https://id.example.org', '') ?? ''
    assert.match(signIn, /^\/sign-in\?request=/)
    assert.equal((await someone.get(signIn)).location, '/account/security')

    await setUpAuthenticator(someone)
    assert.match((await someone.get('/account/security/done')).location ?? '', /^\/oauth\/authorize\/resume\?request=/)
    assert.equal((await someone.get('/review')).status, 200)

    const ordinary = createPerson(`http://127.0.0.1:${port}`)
    await ordinary.signIn((await makeUser(live)).email, PASSWORD)
    assert.equal((await ordinary.get('/account')).status, 200)
  } finally {
    await production.stop()
  }
})
