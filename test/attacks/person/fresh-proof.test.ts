// A stolen session, or a browser that is remembered: neither changes how one gets into an account, nor what its apps are.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { actsThatAsk, actsThatNeverAsk, pagesThatAsk, passwordFieldOf } from '../../../src/site/frame/acts.ts'
import { makeApp, makeUser, PASSWORD } from '../../support/apps.ts'
import { asksAgain } from '../../support/asks-again.ts'
import { letCodesPass, setUpAuthenticator } from '../../support/authenticator.ts'
import { countMailTo, lastMailTo } from '../../support/mail.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { createPerson, hiddenFieldsOf, type Person } from '../../support/person.ts'
import { type ServedRoute, servedRoutes } from '../../support/served-routes.ts'

let minaret: TestMinaret
let routes: readonly ServedRoute[]
before(async () => {
  const served = await servedRoutes(() => startTestMinaret())
  minaret = served.started
  routes = served.routes
})
after(() => minaret.stop())
const database = () => minaret.service.database

/** Not forms of ours: they have no anti-forgery token, and are not answered by who is signed in. */
const notForms: Readonly<Record<string, readonly string[]>> = {
  'programs call it with a credential of their own': [
    '/api/oauth/token',
    '/api/oauth/userinfo',
    '/mcp',
    '/oauth/device_authorization',
    '/oauth/introspect',
    '/oauth/par',
    '/oauth/revoke',
    '/v1/graphql',
    '/v1/graphql/stream',
    '/v1/relay',
  ],
  'other sites post it, without our cookies: it leads to a page that is opened with GET': [
    '/oauth/authorize',
    '/oauth/logout',
    '/sign-in/with/:name/callback',
  ],
}

const path = (route: string): string => route.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')
const grow = (userId: string): Promise<number> =>
  database().run(sql`update minaret.sessions set fresh_at = now() - interval '1 hour' where user_id = ${userId}`)

const antiForgeryOf = async (person: Person): Promise<string> =>
  hiddenFieldsOf((await person.get('/account')).text, '/sign-out').anti_forgery ?? ''

/** Signed in long ago, with an authenticator app. */
const withApp = async () => {
  const user = await makeUser(database())
  const person = createPerson(minaret.baseUrl)
  await person.signIn(user.email, PASSWORD)
  const app = await setUpAuthenticator(person)
  await letCodesPass(database(), user.id)
  await grow(user.id)
  return { user, person, app, antiForgery: await antiForgeryOf(person) }
}

test('every form that can be sent is on one of the two lists, and every entry is a route', () => {
  const served = new Set(routes.filter(({ method }) => method === 'POST').map(route => route.path))
  const known = [...actsThatAsk, ...actsThatNeverAsk.keys(), ...Object.values(notForms).flat()]
  assert.deepEqual(known.toSorted(), [...served].toSorted(), 'decide about it in src/site/frame/acts.ts')
  const pages = new Set(routes.filter(({ method }) => method === 'GET').map(route => route.path))
  for (const page of pagesThatAsk) assert.ok(pages.has(page) && actsThatAsk.has(page), page)
})

test('other methods change nothing: only programs use them', () => {
  const programs = new Set(Object.values(notForms).flat())
  const others = routes.filter(({ method }) => /^(PUT|PATCH|DELETE)$/.test(method))
  assert.deepEqual(
    others.filter(route => !programs.has(route.path)),
    [],
  )
})

test('every act on the list asks, whether the account has a second factor or not; every other does not', async () => {
  const user = await makeUser(database())
  const plain = createPerson(minaret.baseUrl)
  await plain.signIn(user.email, PASSWORD)
  await grow(user.id)
  const anti_forgery = await antiForgeryOf(plain)
  const strong = await withApp()
  for (const act of actsThatAsk) {
    assert.ok(asksAgain(await plain.post(path(act), { anti_forgery })), act)
    assert.ok(asksAgain(await strong.person.post(path(act), { anti_forgery: strong.antiForgery })), act)
  }
  const ending = /^\/(sign-out|account\/sessions\/end-all|oauth\/logout\/confirm)$/
  for (const act of actsThatNeverAsk.keys())
    if (!ending.test(act) && !act.startsWith('/sign-in'))
      assert.ok(!asksAgain(await plain.post(path(act), { anti_forgery })), act)
})

test('pages that ask do so before anything is typed', async () => {
  const { person } = await withApp()
  for (const page of pagesThatAsk) assert.equal((await person.get(path(page))).location, '/sign-in/again', page)
})

test('a remembered browser changes neither password nor address; with the code, what was typed is carried out', async () => {
  const { user, person, app, antiForgery: anti_forgery } = await withApp()
  const next = 'seven quiet lanterns'
  const typed = { anti_forgery, current_password: PASSWORD, new_password: next }
  const asked = await person.post('/account/password', typed)
  assert.ok(asksAgain(asked))
  assert.ok(!asked.text.includes(next) && !asked.text.includes(PASSWORD), 'passwords are sealed')
  const held = hiddenFieldsOf(asked.text, '/account/password')
  assert.equal((await person.post('/account/password', { ...held, kind: 'password', password: PASSWORD })).status, 422)
  assert.equal((await person.post('/account/password', { ...held, kind: 'provider' })).status, 422)
  const wrong = await person.post('/account/password', { ...held, kind: 'totp', code: '000000' })
  assert.equal(wrong.status, 422)
  const again = hiddenFieldsOf(wrong.text, '/account/password')
  const done = await person.post('/account/password', { ...again, kind: 'totp', code: app.code() })
  assert.equal(done.location, '/account?done=password_changed')
  const elsewhere = createPerson(minaret.baseUrl)
  assert.equal((await elsewhere.signIn(user.email, next)).location, '/sign-in/second-factor')

  await grow(user.id)
  const email = `new-${user.email}`
  const change = { anti_forgery: await antiForgeryOf(person), new_email: email, email_password: next }
  assert.ok(asksAgain(await person.post('/account/email', change)))
  assert.equal(await countMailTo(database(), email), 0)
})

test('where there is no second factor, the password in the form itself is the proof, and a made-up one is none', async () => {
  const user = await makeUser(database())
  const person = createPerson(minaret.baseUrl)
  await person.signIn(user.email, PASSWORD)
  await grow(user.id)
  for (const act of ['/account/email', '/account/password']) {
    const field = passwordFieldOf(act) ?? ''
    const wrong = { anti_forgery: await antiForgeryOf(person), new_email: 'x@example.org', [field]: 'a guess' }
    assert.equal((await person.post(act, wrong)).status, 422, act)
  }
  const sent = await person.submit('/account', '/account/email', {
    new_email: `new-${user.email}`,
    email_password: PASSWORD,
  })
  assert.equal(sent.location, '/account?done=email_sent')
})

test('a form that waits is opened by the same session only, for the same address, and as it was', async () => {
  const [one, other] = [await withApp(), await withApp()]
  const asked = await one.person.post('/account/password', { anti_forgery: one.antiForgery, new_password: 'x' })
  const { held_form = '' } = hiddenFieldsOf(asked.text, '/account/password')
  const send = (person: Person, to: string, fields: Record<string, string>) => person.post(to, fields)
  const code = { kind: 'totp', code: one.app.code() }
  const foreign = { held_form, anti_forgery: other.antiForgery, kind: 'totp', code: other.app.code() }
  assert.equal(asksAgain(await send(other.person, '/account/password', foreign)), false, 'another session')
  const own = { anti_forgery: one.antiForgery, ...code }
  for (const [to, held] of [
    ['/account/email', held_form],
    ['/account/password', `${held_form.slice(0, -4)}AAAA`],
    ['/account/password', 'AAAA'],
  ] as const) {
    const refused = await send(one.person, to, { ...own, held_form: held })
    assert.deepEqual([refused.status, asksAgain(refused)], [403, false], to)
  }
})

test('lists and many fields are kept too, in every language of the page', async () => {
  const { user, person, app, antiForgery } = await withApp()
  const made = await makeApp(database(), { ownerId: user.id, kind: 'public' })
  const edit = `/console/apps/${made.id}/edit`
  const page = await person.get(edit)
  const [name, description] = ['Renamed “app”', 'Two\nlines & <more>']
  const body = {
    ...hiddenFieldsOf(page.text, edit),
    anti_forgery: antiForgery,
    name,
    description,
    redirect_uris: 'https://app.example.org/callback\nhttps://app.example.org/other',
  }
  const asked = await person.post(`${edit}?ui_locales=ar`, body)
  assert.ok(asksAgain(asked))
  assert.match(asked.text, /lang="ar" dir="rtl"/)
  const held = hiddenFieldsOf(asked.text, `${edit}?ui_locales=ar`)
  const answer = await person.post(`${edit}?ui_locales=ar`, { ...held, kind: 'totp', code: app.code() })
  assert.ok(answer.status === 303 || answer.status === 422, `${answer.status}`)
  if (answer.status === 422)
    for (const typed of ['Renamed', 'Two', 'other']) assert.ok(answer.text.includes(typed), typed)
})

test('a new address is not confirmed by the password alone where there is a second factor, nor by a session that is not fresh', async () => {
  const { user, person, app } = await withApp()
  await letCodesPass(database(), user.id)
  const email = `moved-${user.email}`
  const change = { anti_forgery: await antiForgeryOf(person), new_email: email, email_password: PASSWORD }
  const held = hiddenFieldsOf((await person.post('/account/email', change)).text, '/account/email')
  const sent = await person.post('/account/email', { ...held, kind: 'totp', code: app.code() })
  assert.equal(sent.location, '/account?done=email_sent')
  await grow(user.id)
  const { link } = await lastMailTo(database(), email)
  const token = new URL(link, minaret.baseUrl).searchParams.get('token') ?? ''

  const thief = createPerson(minaret.baseUrl)
  assert.equal((await thief.get(link)).location, '/sign-in')
  const { anti_forgery = '' } = hiddenFieldsOf((await thief.get('/sign-in')).text, '/sign-in')
  const tried = await thief.post('/confirm-email', { anti_forgery, token, password: PASSWORD })
  assert.equal(tried.location, '/sign-in')
  const other = await makeUser(database())
  await thief.signIn(other.email, PASSWORD)
  const asOther = { anti_forgery: await antiForgeryOf(thief), token, password: PASSWORD }
  assert.equal((await thief.post('/confirm-email', asOther)).status, 403)
  assert.ok(asksAgain(await person.post('/confirm-email', { anti_forgery: await antiForgeryOf(person), token })))
  const row = await database().first<{ email: string }>(sql`select email from minaret.users where id = ${user.id}`)
  assert.equal(row?.email, user.email)
})
