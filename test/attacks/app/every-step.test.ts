// Every page of an authorization is opened directly, from every state of the browser: none leads past a step that is due.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { findSession, startSession } from '../../../src/accounts/sessions.ts'
import type { User } from '../../../src/accounts/users.ts'
import { sha256 } from '../../../src/base/secrets.ts'
import { sql } from '../../../src/db/sql.ts'
import type { AuthorizationRequest } from '../../../src/oauth/authorize/authorization-request.ts'
import { keepRequest } from '../../../src/oauth/authorize/stored-request.ts'
import type { Client } from '../../../src/oauth/clients/client.ts'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { letCodesPass, setUpAuthenticator } from '../../support/authenticator.ts'
import { useMinaret } from '../../support/minaret.ts'
import {
  authorizeParameters,
  get,
  makeClient,
  makePerson,
  makePkce,
  postForm,
  type TestApp,
} from '../../support/oauth.ts'
import { createPerson, hiddenFieldsOf } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const unknown = { address: undefined, userAgent: undefined }

interface Browser {
  readonly name: string
  readonly user: User
  readonly cookie: string
  readonly antiForgery: string
  readonly sessionId: string | undefined
  /** Signed in for the request that waits. */
  readonly lately: boolean
  readonly strong: boolean
  readonly hasFactor: boolean
}

interface BrowserWishes {
  readonly lately: boolean
  readonly strong: boolean
  readonly hasFactor: boolean
}

const openBrowser = async ({ lately, strong, hasFactor }: BrowserWishes): Promise<Browser> => {
  const user = await makePerson(database())
  if (hasFactor)
    await database().run(sql`
      insert into minaret.totp_factors (user_id, secret, confirmed_at) values (${user.id}, 'sealed', now())`)
  const token = await startSession(database(), user.id, unknown, strong ? ['pwd', 'otp', 'mfa'] : ['pwd'])
  // Lately is after any request that this test will make.
  await database().run(sql`
    update minaret.sessions set auth_time = now() + make_interval(hours => ${lately ? 1 : -1})
    where token_hash = ${sha256(token)}`)
  const cookie = `minaret_session=${token}`
  const page = await (await get(`${minaret().baseUrl}/account`, cookie)).text()
  const session = await findSession(database(), token, { factorRequired: false })
  return {
    name: `signed in ${lately ? 'lately' : 'an hour ago'}, ${strong ? 'with' : 'without'} a second factor${hasFactor ? '' : ' (has none)'}`,
    user,
    cookie,
    antiForgery: hiddenFieldsOf(page, '/sign-out').anti_forgery ?? '',
    sessionId: session?.id,
    lately,
    strong,
    hasFactor,
  }
}

const nobody = (user: User): Browser => ({
  name: 'signed out',
  user,
  cookie: '',
  antiForgery: '',
  sessionId: undefined,
  lately: false,
  strong: false,
  hasFactor: false,
})

type Wishes = Pick<AuthorizationRequest, 'prompts' | 'maxAge' | 'acrValues'> & { readonly hintsAtOther: boolean }

const everyPrompt = [[], ['none'], ['login'], ['consent'], ['select_account']] as const

const everyWish: readonly Wishes[] = everyPrompt.flatMap(prompts =>
  [undefined, 60].flatMap(maxAge =>
    [false, true].flatMap(hintsAtOther =>
      ([[], ['aal2']] as const).map(acrValues => ({ prompts, maxAge, hintsAtOther, acrValues })),
    ),
  ),
)

type Outcome = 'sign-in' | 'consent' | 'code' | 'denied' | 'error'

/** What OpenID Connect Core section 3.1.2.1 and RFC 9470 ask for, written apart from the code that decides it. */
const due = (wishes: Wishes, browser: Browser, consented: boolean): Outcome => {
  const silent = wishes.prompts.some(prompt => prompt === 'none')
  const asksAgain = wishes.prompts.some(prompt => prompt === 'login' || prompt === 'select_account')
  if (browser.cookie === '') return silent ? 'error' : 'sign-in'
  if (wishes.hintsAtOther) return silent || browser.lately ? 'error' : 'sign-in'
  if (!browser.lately && (asksAgain || wishes.maxAge !== undefined)) return silent ? 'error' : 'sign-in'
  if (wishes.acrValues.length > 0 && !browser.strong)
    return silent || browser.lately || !browser.hasFactor ? 'error' : 'sign-in'
  if (consented && !wishes.prompts.some(prompt => prompt === 'consent')) return 'code'
  return silent ? 'error' : 'consent'
}

const outcomeOf = async (response: Response): Promise<Outcome> => {
  const text = await response.text()
  if (response.status === 200) return text.includes('action="/oauth/consent"') ? 'consent' : assert.fail(text)
  assert.equal(response.status, 303, text)
  const to = new URL(response.headers.get('location') ?? '', minaret().baseUrl)
  if (to.pathname === '/sign-in' || to.pathname === '/consent') return to.pathname.slice(1) as Outcome
  assert.equal(to.origin, 'https://app.example.org')
  if (to.searchParams.has('code')) return 'code'
  return to.searchParams.get('error') === 'access_denied' ? 'denied' : 'error'
}

let other: User
let browsers: Browser[]
let app: TestApp
before(async () => {
  other = await makePerson(database())
  app = await makeClient(database())
  const both = [false, true]
  const signedIn = both.flatMap(lately => [
    openBrowser({ lately, strong: false, hasFactor: false }),
    openBrowser({ lately, strong: false, hasFactor: true }),
    openBrowser({ lately, strong: true, hasFactor: true }),
  ])
  browsers = [nobody(other), ...(await Promise.all(signedIn))]
})

/** A request that waits. */
const wait = async ({ hintsAtOther, ...wishes }: Wishes): Promise<string> => {
  const request: AuthorizationRequest = {
    ...wishes,
    clientId: app.clientId,
    redirectUri: app.redirectUri,
    responseMode: 'query',
    state: 'state',
    scopes: ['openid', 'masjid:read'],
    claims: [],
    codeChallenge: makePkce().challenge,
    nonce: undefined,
    hintedUserId: hintsAtOther ? other.id : undefined,
    loginHint: undefined,
    uiLocales: undefined,
  }
  return keepRequest(database(), { appId: app.id } as Client, request)
}

const pages = ['/consent', '/oauth/authorize/resume', 'allow', 'deny'] as const
type Page = (typeof pages)[number]

/** As if this browser had been shown the consent page: a form that was left open, or made up. */
const bind = (reference: string, { sessionId }: Browser): Promise<number> =>
  database().run(sql`
    update minaret.authorization_requests set session_id = ${sessionId ?? null}
    where reference_hash = ${sha256(reference)}`)

const open = async (page: Page, reference: string, browser: Browser): Promise<Outcome> => {
  const { baseUrl } = minaret()
  if (page.startsWith('/'))
    return outcomeOf(await get(`${baseUrl}${page}?${new URLSearchParams({ request: reference })}`, browser.cookie))
  await bind(reference, browser)
  const form = { request: reference, anti_forgery: browser.antiForgery, decision: page }
  return outcomeOf(await postForm(`${baseUrl}/oauth/consent`, form, { cookie: browser.cookie }))
}

const expected = (page: Page, step: Outcome): Outcome => {
  const decides = page === 'allow' || page === 'deny'
  if (!decides || (step !== 'consent' && step !== 'code')) return step
  return page === 'allow' ? 'code' : 'denied'
}

/** What this browser's person has allowed the app so far is exactly this, whatever an earlier page has added. */
const setConsent = async ({ user, sessionId }: Browser, consented: boolean): Promise<void> => {
  if (sessionId === undefined) return
  await database().run(sql`
    insert into minaret.consents (user_id, app_id, scopes, claims, withdrawn_at)
    values (${user.id}, ${app.id}, '{openid,masjid:read}', '{}', case when ${consented} then null else now() end)
    on conflict (user_id, app_id) do update set withdrawn_at = excluded.withdrawn_at`)
}

/** Both, where it makes a difference. */
const consentsFor = (wishes: Wishes, browser: Browser): readonly boolean[] =>
  due(wishes, browser, false) === due(wishes, browser, true) ? [false] : [false, true]

const walk = async (browser: Browser): Promise<string[]> => {
  const wrong: string[] = []
  for (const wishes of everyWish)
    for (const page of pages) {
      if (browser.cookie === '' && !page.startsWith('/')) continue
      for (const consented of consentsFor(wishes, browser)) {
        await setConsent(browser, consented)
        const was = await open(page, await wait(wishes), browser)
        const should = expected(page, due(wishes, browser, consented))
        const story = `${JSON.stringify(wishes)}, ${consented ? '' : 'not '}consented, ${page}`
        if (was !== should) wrong.push(`${browser.name}: ${story}: ${was} instead of ${should}`)
      }
    }
  return wrong
}

test('whatever an app asks for, and whoever is signed in, every page leads to the step that is due', async () => {
  const wrong = (await Promise.all(browsers.map(walk))).flat()
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} pages led elsewhere`)
})

/** As `due`, of a request that has just come: no sign-in can have been for it. */
const dueAtOnce = (wishes: Wishes, browser: Browser, consented: boolean): Outcome => {
  const asksAgain = wishes.prompts.some(prompt => prompt === 'login' || prompt === 'select_account')
  const isWeak = wishes.acrValues.length > 0 && !browser.strong
  if (browser.cookie !== '' && asksAgain) return 'sign-in'
  if (browser.cookie !== '' && browser.lately && isWeak && browser.hasFactor)
    return wishes.prompts.some(prompt => prompt === 'none') ? 'error' : 'sign-in'
  return due(wishes, browser, consented)
}

const parametersOf = ({ prompts, maxAge, acrValues }: Wishes): URLSearchParams =>
  authorizeParameters(app, makePkce(), {
    scope: 'openid masjid:read',
    parameters: {
      prompt: prompts.length === 0 ? undefined : prompts.join(' '),
      max_age: maxAge?.toString(),
      acr_values: acrValues.length === 0 ? undefined : 'aal2',
    },
  })

const push = async (parameters: URLSearchParams): Promise<URLSearchParams> => {
  const response = await postForm(`${minaret().baseUrl}/oauth/par`, parameters)
  const { request_uri } = (await response.json()) as { request_uri: string }
  return new URLSearchParams({ client_id: app.clientId, request_uri })
}

test('so does the request itself, sent by the browser or pushed before, and posted by another site', async () => {
  const wrong: string[] = []
  const wishesWithoutHint = everyWish.filter(({ hintsAtOther }) => !hintsAtOther)
  for (const browser of browsers)
    for (const wishes of wishesWithoutHint)
      for (const way of ['sent', 'pushed'] as const) {
        const consented = way === 'sent'
        await setConsent(browser, consented)
        const parameters = way === 'sent' ? parametersOf(wishes) : await push(parametersOf(wishes))
        const was = await outcomeOf(await get(`${minaret().baseUrl}/oauth/authorize?${parameters}`, browser.cookie))
        const should = dueAtOnce(wishes, browser, consented)
        if (was !== should)
          wrong.push(`${browser.name}: ${JSON.stringify(wishes)}, ${way}: ${was} instead of ${should}`)
      }
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} requests led elsewhere`)
  const posted = await postForm(
    `${minaret().baseUrl}/oauth/authorize`,
    parametersOf({ prompts: [], maxAge: undefined, acrValues: [], hintsAtOther: false }),
    {
      cookie: browsers.at(-1)?.cookie ?? '',
    },
  )
  assert.match(
    posted.headers.get('location') ?? '',
    /^\/oauth\/authorize\/resume\?/,
    'a post of another site brings no session',
  )
})

test('between the password and the second factor no page of the flow leads on', async () => {
  const user = await makeUser(database())
  const first = createPerson(minaret().baseUrl)
  await first.signIn(user.email, PASSWORD)
  const authenticator = await setUpAuthenticator(first)
  const reference = await wait({ prompts: [], maxAge: undefined, acrValues: [], hintsAtOther: false })
  const query = new URLSearchParams({ request: reference })
  const person = createPerson(minaret().baseUrl)
  const half = await person.submit(`/sign-in?${query}`, '/sign-in', { email: user.email, password: PASSWORD })
  assert.equal(half.location, `/sign-in/second-factor?${query}`)
  for (const page of ['/consent', '/oauth/authorize/resume'])
    assert.match((await person.get(`${page}?${query}`)).location ?? '', /^\/sign-in\?/, page)
  await letCodesPass(database(), user.id)
  const code = { kind: 'totp', code: authenticator.code() }
  const entered = await person.submit(half.location ?? '', '/sign-in/second-factor', code)
  assert.equal(entered.location, `/oauth/authorize/resume?${query}`)
  assert.match((await person.get(entered.location ?? '')).location ?? '', /^\/consent\?/)
})

test('a sign-in leads back to the same question, also as somebody else than the one who is asked for', async () => {
  const user = await makeUser(database())
  for (const prompts of [['login'], ['none'], ['select_account']] as const) {
    const reference = await wait({ prompts, maxAge: undefined, acrValues: [], hintsAtOther: true })
    const person = createPerson(minaret().baseUrl)
    const page = `/sign-in?${new URLSearchParams({ request: reference })}`
    const { location = '' } = await person.submit(page, '/sign-in', { email: user.email, password: PASSWORD })
    assert.match(location, /^\/oauth\/authorize\/resume\?/)
    const back = new URL((await person.get(location)).location ?? '')
    assert.deepEqual([back.hostname, back.searchParams.get('error')], ['app.example.org', 'login_required'])
  }
})
