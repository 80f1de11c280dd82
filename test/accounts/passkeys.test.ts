import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/db/sql.ts'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { asksAgain } from '../support/asks-again.ts'
import { codesOn, enterCode } from '../support/authenticator.ts'
import { accessibilityFaults, inPage, looks, noBrowser, takeScreenshot, useBrowser } from '../support/browser.ts'
import { lastMailTo } from '../support/mail.ts'
import { useMinaret } from '../support/minaret.ts'
import { createPerson, hiddenFieldsOf } from '../support/person.ts'
import { addPasskey, createAuthenticator, optionsOn, signInWithPasskey } from '../support/software-authenticator.ts'

const minaret = useMinaret()
const browser = useBrowser()
const database = () => minaret().service.database
const person = () => createPerson(minaret().baseUrl)
const url = (path: string): string => minaret().baseUrl + path

const withPasskey = async () => {
  const user = await makeUser(database())
  const owner = person()
  await owner.signIn(user.email, PASSWORD)
  const phone = createAuthenticator(minaret().baseUrl)
  const added = await addPasskey(owner, phone)
  assert.equal(added.status, 200, added.text)
  return { user, owner, phone, codes: [...new Set(codesOn(added))] }
}

const signedInAnew = async () => {
  const { email } = await makeUser(database())
  const someone = person()
  await someone.signIn(email, PASSWORD)
  return someone
}

test('a passkey signs in without the password, and counts as both factors', async () => {
  const { user, phone, codes } = await withPasskey()
  assert.equal(codes.length, 10, 'recovery codes come with the first factor')
  assert.match((await lastMailTo(database(), user.email)).subject, /second factor was added/)
  const someone = person()
  assert.equal((await signInWithPasskey(someone, phone)).location, '/account')
  assert.match((await someone.get('/account')).text, new RegExp(user.email))
  const session = await database().first<{ amr: string[]; fresh: boolean }>(sql`
    select amr, fresh_at is not null as fresh from minaret.sessions where user_id = ${user.id} order by created_at desc limit 1`)
  assert.deepEqual(session, { amr: ['hwk', 'user', 'mfa'], fresh: true })
})

test('the password alone is not enough any more: a passkey or a recovery code is asked for', async () => {
  const { user, phone, codes } = await withPasskey()
  const someone = person()
  assert.equal((await someone.signIn(user.email, PASSWORD)).location, '/sign-in/second-factor')
  const page = await someone.get('/sign-in/second-factor')
  assert.doesNotMatch(page.text, /one-time-code/)
  assert.equal(optionsOn(page, '/sign-in/passkey').challenge.length > 40, true)
  assert.equal((await signInWithPasskey(someone, phone)).location, '/account')
  const other = person()
  await other.signIn(user.email, PASSWORD)
  assert.equal((await enterCode(other, { kind: 'recovery', recovery_code: codes[0] ?? '' })).location, '/account')
})

test('several passkeys: named, removed one by one, and a removed one opens nothing', async () => {
  const { owner, phone } = await withPasskey()
  const laptop = createAuthenticator(minaret().baseUrl)
  assert.equal((await addPasskey(owner, laptop)).location, '/account/security?done=passkey_added')
  const page = await owner.get('/account/security')
  const [first = ''] = page.text.match(/\/account\/security\/passkeys\/[\da-f-]{36}/g) ?? []
  assert.equal(
    (await owner.submit(first, `${first}/name`, { name: 'Old phone' })).location,
    '/account/security?done=passkey_named',
  )
  assert.match((await owner.get('/account/security')).text, /Old phone/)
  assert.equal((await owner.submit(first, `${first}/remove`, {})).location, '/account/security?done=passkey_removed')
  assert.match((await signInWithPasskey(person(), phone)).location ?? '', /done=passkey_refused$/)
  assert.equal((await signInWithPasskey(person(), laptop)).location, '/account')
})

test('only passkeys: the password is off until a new one is set by mail', async () => {
  const { user, owner, phone } = await withPasskey()
  const off = '/account/security/password/off'
  assert.equal((await owner.submit(off, off, {})).location, '/account/security?done=password_off')
  assert.equal((await person().signIn(user.email, PASSWORD)).status, 422)
  const page = await owner.get('/account/security')
  const [only = ''] = page.text.match(/\/account\/security\/passkeys\/[\da-f-]{36}/g) ?? []
  assert.equal((await owner.submit(only, `${only}/remove`, {})).location, '/account/security?done=passkey_last')
  assert.equal((await signInWithPasskey(person(), phone)).location, '/account')

  await person().submit('/forgot-password', '/forgot-password', { email: user.email })
  const { link } = await lastMailTo(database(), user.email)
  await person().submit(link, '/reset-password', { password: 'a lantern and two doves' })
  assert.equal((await person().signIn(user.email, 'a lantern and two doves')).location, '/sign-in/second-factor')
})

test('a passkey confirms that it is you', async () => {
  const { user, owner, phone } = await withPasskey()
  await database().run(sql`update minaret.sessions set fresh_at = null where user_id = ${user.id}`)
  assert.equal((await owner.get('/account/security/passkeys/new')).location, '/sign-in/again')
  const page = await owner.get('/sign-in/again')
  const response = phone.get(optionsOn(page, '/sign-in/again'))
  const answer = await owner.submit('/sign-in/again', '/sign-in/again', { kind: 'passkey', response })
  assert.equal(answer.location, '/account/security/passkeys/new')
  assert.equal((await owner.get('/account/security/passkeys/new')).status, 200)
})

test('a form that was sent too late is carried out once the passkey has confirmed', async () => {
  const { user, owner, phone } = await withPasskey()
  await database().run(sql`update minaret.sessions set fresh_at = null where user_id = ${user.id}`)
  const action = '/account/security/codes'
  const asked = await owner.submit('/account/security', action, {})
  assert.ok(asksAgain(asked))
  const held = hiddenFieldsOf(asked.text, action)
  const foreign = createAuthenticator(minaret().baseUrl)
  await addPasskey(await signedInAnew(), foreign)
  const stolen = await owner.post(action, { ...held, kind: 'passkey', response: foreign.get(optionsOn(asked, action)) })
  assert.equal(stolen.status, 422, 'the passkey of somebody else')
  const again = { ...hiddenFieldsOf(stolen.text, action), kind: 'passkey' }
  const done = await owner.post(action, { ...again, response: phone.get(optionsOn(stolen, action)) })
  assert.equal(codesOn(done).length > 0, true, done.text)
})

const addVirtualAuthenticator = async (page: Page): Promise<void> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
}

/** `autofill: false` leaves only the button. */
const signInHere = async (page: Page, autofill: boolean): Promise<void> => {
  await page.evaluate('document.cookie = ""')
  await page.context().clearCookies()
  if (!autofill) await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  await page.goto(url('/sign-in'))
  if (!autofill) await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL(/\/account$/)
}

test('in Chromium: added by button, offered by autofill, used by button', { skip: noBrowser }, () =>
  inPage(browser(), looks.light, async page => {
    const { email } = await makeUser(database())
    await addVirtualAuthenticator(page)
    await page.goto(url('/sign-in'))
    await page.locator('#email').fill(email)
    await page.locator('#password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(/\/account$/)
    await page.goto(url('/account/security'))
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name').fill('Virtual phone')
    await takeScreenshot(page, 'accounts-passkey-new')
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    await page.goto(url('/account/security'))
    await page.getByRole('heading', { name: 'Virtual phone' }).waitFor()
    await takeScreenshot(page, 'accounts-passkeys')
    assert.deepEqual(await accessibilityFaults(page), [])
    await signInHere(page, true)
    await signInHere(page, false)
  }),
)

const OFFER = /Sign in without a password next time\?/

test('after a sign-in a passkey is offered: not later, not with one, and never again once declined', async () => {
  const user = await makeUser(database())
  const owner = person()
  await owner.signIn(user.email, PASSWORD)
  assert.match((await owner.get('/account')).text, OFFER)
  await database().run(sql`
    update minaret.sessions set fresh_at = now() - interval '1 hour' where user_id = ${user.id}`)
  assert.doesNotMatch((await owner.get('/account')).text, OFFER, 'an hour later')
  await owner.submit('/account', '/sign-out', {})
  await owner.signIn(user.email, PASSWORD)
  await owner.submit('/account', '/account/security/passkeys/offer/decline', {})
  const elsewhere = person()
  await elsewhere.signIn(user.email, PASSWORD)
  assert.doesNotMatch((await elsewhere.get('/account')).text, OFFER, 'declined')
  const { owner: other } = await withPasskey()
  assert.doesNotMatch((await other.get('/account')).text, OFFER, 'with a passkey')
})

test('a stranger cannot decline for somebody: the form is checked, and needs a session', async () => {
  const user = await makeUser(database())
  const owner = person()
  await owner.signIn(user.email, PASSWORD)
  const path = '/account/security/passkeys/offer/decline'
  const forged = await fetch(url(path), {
    method: 'POST',
    headers: { cookie: `minaret_session=${owner.cookies.get('minaret_session')}`, origin: 'https://evil.example' },
    redirect: 'manual',
  })
  assert.equal(forged.status, 403)
  assert.equal((await fetch(url(path), { method: 'POST', redirect: 'manual' })).headers.get('location'), '/sign-in')
  assert.match((await owner.get('/account')).text, OFFER)
})

test('in Chromium: the offer after sign-in leads straight to a passkey', { skip: noBrowser }, () =>
  inPage(browser(), looks.light, async page => {
    const { email } = await makeUser(database())
    await addVirtualAuthenticator(page)
    await page.goto(url('/sign-in'))
    await page.locator('#email').fill(email)
    await page.locator('#password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: OFFER }).waitFor()
    await takeScreenshot(page, 'accounts-passkey-offer')
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    await page.goto(url('/account'))
    assert.equal(await page.getByRole('heading', { name: OFFER }).count(), 0)
  }),
)
