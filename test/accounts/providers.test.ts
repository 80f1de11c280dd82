// Signing in with another OpenID provider: a real one, which the service discovers, redirects to and asks for tokens.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { diagnose } from '../../src/commands/doctor/diagnose.ts'
import { readConfig } from '../../src/config/config.ts'
import { sql } from '../../src/db/sql.ts'
import { givePassword, makeUser, PASSWORD } from '../support/apps.ts'
import { asksAgain } from '../support/asks-again.ts'
import { enterCode, letCodesPass, setUpAuthenticator } from '../support/authenticator.ts'
import { inPage, looks, noBrowser, useBrowser } from '../support/browser.ts'
import { lastMailTo } from '../support/mail.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import {
  authorizeParameters,
  decide,
  locationOf,
  makeClient,
  makePkce,
  postToken,
  readTokens,
} from '../support/oauth.ts'
import { type OtherAccount, type OtherProvider, startOtherProvider } from '../support/other-provider.ts'
import { createPerson, decodeHtml, hiddenFieldsOf, type Person, type Shown } from '../support/person.ts'

let minaret: TestMinaret
let example: OtherProvider
/** Answers with a form, like Apple. */
let posting: OtherProvider
/** Configured, and not there. */
let absent: OtherProvider

const settingOf = ({ issuer, clientId, clientSecret }: OtherProvider, name: string, more = {}) => ({
  name,
  label: `The ${name} provider`,
  issuer,
  clientId,
  clientSecret,
  ...more,
})

const settings = () =>
  JSON.stringify([
    settingOf(example, 'example'),
    settingOf(posting, 'posting', { responseMode: 'form_post' }),
    settingOf(absent, 'absent'),
  ])

before(async () => {
  ;[example, posting, absent] = await Promise.all([startOtherProvider(), startOtherProvider(), startOtherProvider()])
  minaret = await startTestMinaret({ PROVIDERS: settings() })
  await example.open(`${minaret.baseUrl}/sign-in/with/example/callback`)
  await posting.open(`${minaret.baseUrl}/sign-in/with/posting/callback`)
  await absent.close()
})

after(async () => {
  await minaret?.stop()
  await Promise.all([example?.close(), posting?.close()])
})

const browser = useBrowser()
const database = () => minaret.service.database
const person = () => createPerson(minaret.baseUrl)

const stranger = (more: Partial<OtherAccount> = {}): OtherAccount => {
  const sub = randomUUID()
  return { sub, email: `${sub}@example.org`, email_verified: true, name: 'Maryam Haddad', ...more }
}

/** From a button on a page to the answer of the callback. */
const travel = async (
  someone: Person,
  account: OtherAccount,
  { page = '/sign-in', action = '/sign-in/with/example' } = {},
): Promise<Shown> => {
  const begun = await someone.submit(page, action, {})
  const { url } = await example.visit(begun.location ?? '', account)
  return someone.get(url.href)
}

const linkTo = (someone: Person, account: OtherAccount): Promise<Shown> =>
  travel(someone, account, { page: '/account/security', action: '/account/security/providers/example/link' })

const isSignedIn = async (someone: Person): Promise<boolean> => (await someone.get('/account')).status === 200

const auditOf = async (userId: string): Promise<readonly string[]> => {
  const rows = await database().query<{ action: string }>(sql`
    select action from minaret.audit_log where user_id = ${userId} order by at`)
  return rows.map(({ action }) => action)
}

const userIdOf = async (email: string | undefined): Promise<string> => {
  const row = await database().first<{ id: string }>(sql`
    select id from minaret.users where lower(email) = lower(${email ?? ''})`)
  return row?.id ?? ''
}

/** As if the person had signed in an hour ago. */
const growStale = (userId: string) =>
  database().run(sql`update minaret.sessions set fresh_at = now() - interval '1 hour' where user_id = ${userId}`)

test('the sign-in page has a button for each provider, in both languages and without script', async () => {
  const english = await person().get('/sign-in')
  assert.match(
    english.text,
    /<form method="post" action="\/sign-in\/with\/example"[\s\S]*?Continue with The example provider/,
  )
  assert.match(english.text, /action="\/sign-in\/with\/posting"/)
  assert.match(english.headers.get('content-security-policy') ?? '', /form-action 'self' https: http:;/)
  const arabic = await person().get('/sign-in?ui_locales=ar')
  assert.match(decodeHtml(arabic.text), /المتابعة عبر The example provider/)
})

test('the provider is asked with PKCE, state and nonce, for a code, in the language of the page', async () => {
  const someone = person()
  const begun = await someone.submit('/sign-in', '/sign-in/with/example', {})
  const { origin, searchParams } = new URL(begun.location ?? '')
  assert.equal(origin, example.issuer)
  const asked = Object.fromEntries(searchParams)
  assert.equal(asked.redirect_uri, `${minaret.baseUrl}/sign-in/with/example/callback`)
  assert.equal(asked.response_type, 'code')
  assert.equal(asked.code_challenge_method, 'S256')
  assert.match(asked.code_challenge ?? '', /^[\w-]{43}$/)
  assert.match(asked.nonce ?? '', /^[\w-]{43}$/)
  assert.equal(asked.ui_locales, 'en')
  assert.ok((asked.state ?? '').length > 100)
})

test('somebody new with a verified address gets an account, is told by mail, and comes back to it', async () => {
  const account = stranger()
  const someone = person()
  assert.equal((await travel(someone, account)).location, '/account')
  assert.match((await someone.get('/account')).text, /Maryam Haddad/)
  const userId = await userIdOf(account.email)
  assert.deepEqual(await auditOf(userId), ['account.signed_up', 'account.provider_linked', 'account.signed_in'])
  assert.match((await lastMailTo(database(), account.email ?? '')).text, /with The example provider/)

  const again = person()
  assert.equal((await travel(again, { ...account, email: 'new-address@example.net' })).location, '/account')
  assert.match(
    (await again.get('/account')).text,
    new RegExp(account.email ?? ''),
    'known by the subject, not the address',
  )
})

test('an address that the provider has not verified makes no account, and does not tell whether there is one', async () => {
  const { email } = await makeUser(database())
  for (const account of [stranger({ email_verified: false }), stranger({ email, email_verified: false })]) {
    const someone = person()
    const answer = await travel(someone, account)
    assert.equal(answer.status, 403)
    assert.match(answer.text, /has not confirmed your email address/)
    assert.equal(await isSignedIn(someone), false)
  }
})

test('an account with the same address is not entered: the person signs in to it first, and links the two', async () => {
  const user = await makeUser(database())
  const account = stranger({ email: user.email })
  const someone = person()
  const answer = await travel(someone, account)
  assert.equal(answer.status, 409)
  assert.match(decodeHtml(answer.text), new RegExp(`There is an account with the address [\\s\\S]*${user.email}`))
  assert.equal(someone.cookies.has('minaret_session'), false)
  assert.equal((await someone.signIn(user.email, PASSWORD)).location, '/account/security', 'where the two are linked')
  assert.equal((await linkTo(someone, account)).location, '/account/security?done=provider_linked')
  assert.match((await lastMailTo(database(), user.email)).subject, /Another way to sign in/)
  const other = person()
  assert.equal((await travel(other, account)).location, '/account')
  assert.match((await other.get('/account')).text, new RegExp(user.email))
})

test('linking asks for a fresh sign-in here first', async () => {
  const user = await makeUser(database())
  const someone = person()
  await someone.signIn(user.email, PASSWORD)
  await growStale(user.id)
  const begun = await someone.submit('/account/security', '/account/security/providers/example/link', {})
  assert.ok(asksAgain(begun))
})

test('unlinking: told by mail, and never the last way in', async () => {
  const account = stranger()
  const someone = person()
  await travel(someone, account)
  const userId = await userIdOf(account.email)
  const unlink = async (): Promise<Shown> => {
    const page = await someone.get('/account/security')
    const action = /action="(\/account\/security\/providers\/[\da-f-]+\/unlink)"/.exec(page.text)?.[1] ?? ''
    return someone.submit('/account/security', action, {})
  }
  const kept = await unlink()
  assert.equal(kept.location, '/account/security?done=provider_last')
  assert.match((await someone.get(kept.location ?? '')).text, /your only way to sign in/)
  await givePassword(database(), userId)
  assert.equal((await unlink()).location, '/account/security?done=provider_unlinked')
  assert.match(
    (await lastMailTo(database(), account.email ?? '')).text,
    /no longer sign in to your account with The example provider/,
  )
  assert.equal((await travel(person(), account)).status, 409, 'the account stays, and is not entered by its address')
  assert.ok((await auditOf(userId)).includes('account.provider_unlinked'))
})

test('without a password, the provider confirms that it is the same person before something that matters', async () => {
  const account = stranger()
  const someone = person()
  await travel(someone, account)
  await growStale(await userIdOf(account.email))
  assert.equal((await someone.get('/account/security/app')).location, '/sign-in/again')
  const page = await someone.get('/sign-in/again')
  assert.doesNotMatch(page.text, /type="password"/)
  assert.doesNotMatch(page.text, /again\/with\/posting/, 'only where an account is linked')
  const journey = { page: '/sign-in/again', action: '/sign-in/again/with/example' }
  const other = await travel(someone, stranger(), journey)
  assert.equal(other.location, '/sign-in/again?done=provider_again_failed')
  assert.equal((await someone.get(other.location ?? '')).status, 422)
  assert.equal((await travel(someone, account, journey)).location, '/account/security/app')
  assert.equal((await someone.get('/account/security/app')).location, '/account/security?done=expired', 'asked no more')
})

test('without a password, the address is changed after showing again who it is', async () => {
  const account = stranger()
  const someone = person()
  await travel(someone, account)
  const userId = await userIdOf(account.email)
  const page = await someone.get('/account')
  assert.doesNotMatch(page.text, /name="email_password"|name="current_password"/)
  assert.match(page.text, /Your account has no password/)
  const newEmail = `${randomUUID()}@example.org`
  const ask = () => someone.submit('/account', '/account/email', { new_email: newEmail })
  await growStale(userId)
  const asked = await ask()
  assert.ok(asksAgain(asked), 'a stolen session is not enough')
  assert.match(
    asked.text,
    /<form method="post" action="\/sign-in\/again\/with\/example" target="_blank"/,
    'what was typed stays',
  )
  const held = { ...hiddenFieldsOf(asked.text, '/account/email'), kind: 'provider' }
  assert.equal((await someone.post('/account/email', held)).status, 422, 'not yet')
  const journey = { page: '/sign-in/again', action: '/sign-in/again/with/example' }
  const there = (await travel(someone, account, journey)).location ?? ''
  assert.match((await someone.get(there)).text, /Close this tab, and go on in the other one/)
  assert.equal((await someone.post('/account/email', held)).location, '/account?done=email_sent')
  assert.match((await lastMailTo(database(), account.email ?? '')).subject, /asked to change your email address/)
  const { link } = await lastMailTo(database(), newEmail)
  assert.equal((await person().get(link)).location, '/sign-in', 'elsewhere, the person signs in first')
  assert.equal((await someone.submit(link, '/confirm-email', {})).location, '/account?done=email_changed')
  assert.equal(await userIdOf(newEmail), userId)
})

test('the second factor is asked for after the provider, and amr says both', async () => {
  const account = stranger()
  const owner = person()
  await travel(owner, account)
  const app = await setUpAuthenticator(owner)
  const userId = await userIdOf(account.email)
  await letCodesPass(database(), userId)
  const someone = person()
  assert.equal((await travel(someone, account)).location, '/sign-in/second-factor')
  assert.equal(await isSignedIn(someone), false)
  assert.equal((await enterCode(someone, { code: app.code() })).location, '/account')
  const newest = await database().first<{ amr: string[] }>(sql`
    select amr from minaret.sessions where user_id = ${userId} order by created_at desc limit 1`)
  assert.deepEqual(newest?.amr, ['fed', 'otp', 'mfa'])
})

test('an app that waits goes on after the provider, and its ID token says how the person signed in', async () => {
  const client = await makeClient(database())
  const pkce = makePkce()
  const account = stranger()
  const someone = person()
  const asked = await someone.get(`/oauth/authorize?${authorizeParameters(client, pkce)}`)
  const arrived = await travel(someone, account, { page: asked.location ?? '' })
  assert.match(arrived.location ?? '', /^\/oauth\/authorize\/resume\?request=/)
  const consent = await someone.get(arrived.location ?? '')
  const cookie = [...someone.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const back = await decide(minaret, new URL(consent.location ?? '', minaret.baseUrl), cookie)
  const tokens = await readTokens(
    await postToken(minaret, {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: client.redirectUri,
      client_id: client.clientId,
      code_verifier: pkce.verifier,
    }),
  )
  const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString())
  assert.deepEqual(claims.amr, ['fed'])
  assert.equal(claims.acr, 'aal1')
  assert.equal(claims.sub, await userIdOf(account.email))
})

test('an answer that is posted from the provider (form_post) arrives without cookies and is read with them', async () => {
  const account = stranger()
  const someone = person()
  const begun = await someone.submit('/sign-in', '/sign-in/with/posting', {})
  assert.match(begun.location ?? '', /response_mode=form_post/)
  const { url, form } = await posting.visit(begun.location ?? '', account)
  assert.ok(form?.code)
  // As browsers do it: SameSite=Lax cookies do not go with a post from another site.
  const posted = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  assert.equal(posted.status, 303)
  assert.deepEqual(posted.headers.getSetCookie(), [])
  assert.equal((await someone.get(locationOf(posted).href)).location, '/account')
  assert.equal(await isSignedIn(someone), true)
})

test('a provider that is away, or a person who says no: the sign-in page says so, and the password works', async () => {
  const { email } = await makeUser(database())
  const someone = person()
  const away = await someone.submit('/sign-in', '/sign-in/with/absent', {})
  assert.equal(away.location, '/sign-in?done=provider_away')
  assert.match((await someone.get(away.location ?? '')).text, /does not answer at the moment/)
  const denied = await travel(someone, { sub: 'nobody' })
  assert.equal(denied.location, '/sign-in?done=provider_denied')
  assert.match((await someone.get(denied.location ?? '')).text, /You cancelled the sign-in/)
  assert.equal((await someone.signIn(email, PASSWORD)).location, '/account')
  assert.equal((await someone.post('/sign-in/with/nobody-configured', {})).status, 403)
})

test('in Chromium: from the button to the provider and back, signed in', { skip: noBrowser }, () =>
  inPage(browser(), looks.light, async page => {
    const account = stranger()
    example.know(account)
    await page.context().addCookies([{ name: 'who', value: account.sub, url: example.issuer }])
    await page.goto(`${minaret.baseUrl}/sign-in`)
    await page.getByRole('button', { name: /The example provider/ }).click()
    await page.waitForURL(/\/account$/)
    await page
      .getByText(account.email ?? '')
      .first()
      .waitFor()
  }),
)

test('a disabled account is not entered', async () => {
  const account = stranger()
  await travel(person(), account)
  const userId = await userIdOf(account.email)
  await database().run(sql`update minaret.users set disabled_at = now() where id = ${userId}`)
  const someone = person()
  assert.equal((await travel(someone, account)).location, '/sign-in?done=provider_disabled')
  assert.equal(await isSignedIn(someone), false)
})

test('minaret doctor says which providers answer', async () => {
  const config = readConfig({
    DATABASE_URL: minaret.databaseUrl,
    MINARET_SECRET: 'x'.repeat(32),
    PROVIDERS: settings(),
  })
  const findings = await diagnose(config, { say: () => undefined })
  const found = findings.filter(({ check }) => check === 'providers').map(({ status }) => status)
  assert.deepEqual(found, ['ok', 'ok', 'warning'])
})
