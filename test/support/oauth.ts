// People, approved apps and the requests of their OAuth flows, for tests over HTTP.
import assert from 'node:assert/strict'
import type { Scope } from '../../src/access/scopes.ts'
import { startSession } from '../../src/accounts/sessions.ts'
import type { User } from '../../src/accounts/users.ts'
import { randomToken, sha256Base64url } from '../../src/base/secrets.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { ANTI_FORGERY_FIELD } from '../../src/site/pieces/form.ts'
import { type AppWishes, makeApp, makeUser, REDIRECT_URI } from './apps.ts'
import type { TestMinaret } from './minaret.ts'
import { startWatch } from './waited.ts'

export interface TestApp {
  readonly id: string
  readonly clientId: string
  /** Empty for a public app. */
  readonly secret: string
  readonly redirectUri: string
}

const everyScope =
  'openid profile email offline_access masjid:read events:read prayer-times:read donations:read members:read'

export interface ClientWishes extends Omit<AppWishes, 'scopes'> {
  readonly scopes?: string
}

/** Registered and approved, with all scopes by default. */
export const makeClient = async (database: Database, wishes: ClientWishes = {}): Promise<TestApp> => {
  const scopes = (wishes.scopes ?? everyScope).split(' ') as Scope[]
  const { id, clientId, clientSecret } = await makeApp(database, { ...wishes, scopes })
  return { id, clientId, secret: clientSecret, redirectUri: wishes.redirectUris?.[0] ?? REDIRECT_URI }
}

export const makePerson = (database: Database, name = 'Amina Yusuf'): Promise<User> =>
  makeUser(database, { hashed: false, name })

export const moveApp = async (database: Database, app: TestApp, state: string): Promise<void> => {
  await database.run(sql`update minaret.apps set state = ${state} where id = ${app.id}`)
}

/** The cookie of a browser in which the user is signed in. */
export const signIn = async (database: Database, user: User): Promise<string> =>
  `minaret_session=${await startSession(database, user.id, { address: undefined, userAgent: undefined })}`

export const basic = (app: TestApp): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${app.clientId}:${app.secret}`).toString('base64')}`,
})

export type Form = Record<string, string> | URLSearchParams

export const postForm = (url: string, form: Form, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' })

export const postToken = (minaret: TestMinaret, form: Form, headers: Record<string, string> = {}): Promise<Response> =>
  postForm(`${minaret.baseUrl}/api/oauth/token`, form, headers)

export interface Tokens {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly refresh_token: string
  readonly id_token: string
  readonly scope: string
}

export const readTokens = async (response: Response): Promise<Tokens> => {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as Tokens
}

export interface OauthError {
  readonly error: string
  readonly error_description: string
}

export const readError = async (response: Response): Promise<OauthError> => (await response.json()) as OauthError

export const userinfo = (minaret: TestMinaret, token: string): Promise<Response> =>
  fetch(`${minaret.baseUrl}/api/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } })

export interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

export const makePkce = (): Pkce => {
  const verifier = randomToken(32)
  return { verifier, challenge: sha256Base64url(verifier) }
}

export interface FlowWishes {
  readonly scope?: string
  /** Additional or replaced parameters; undefined removes one. */
  readonly parameters?: Record<string, string | undefined>
}

/** The parameters of a valid authorization request. */
export const authorizeParameters = (app: TestApp, pkce: Pkce, wishes: FlowWishes = {}): URLSearchParams => {
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    scope: wishes.scope ?? 'openid profile email masjid:read',
    state: 'state of the test',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    ...wishes.parameters,
  }
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new URLSearchParams(given)
}

export const get = (url: string, cookie = ''): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })

export const getAuthorize = (minaret: TestMinaret, parameters: URLSearchParams, cookie = ''): Promise<Response> =>
  get(`${minaret.baseUrl}/oauth/authorize?${parameters}`, cookie)

export const locationOf = (response: Response): URL => {
  const location = response.headers.get('location')
  if (response.status !== 303 || location === null) throw new Error(`no redirect, but ${response.status}`)
  return new URL(location, response.url)
}

const hiddenField = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''

/** The consent form, as on the page. */
export const readConsentForm = async (page: Response): Promise<Record<string, string>> => {
  const text = await page.text()
  return { request: hiddenField(text, 'request'), [ANTI_FORGERY_FIELD]: hiddenField(text, ANTI_FORGERY_FIELD) }
}

/** From the consent page on: the person decides, and the browser is redirected to the app. */
export const decide = async (minaret: TestMinaret, asked: URL, cookie: string, decision = 'allow'): Promise<URL> => {
  const page = await get(asked.href, cookie)
  if (page.status !== 200) throw new Error(`no consent page, but ${page.status}`)
  const form = { ...(await readConsentForm(page)), decision }
  return locationOf(await postForm(`${minaret.baseUrl}/oauth/consent`, form, { cookie }))
}

/** A signed-in person allows the app; returns the URL at which the browser reaches the app. */
export const authorizeInBrowser = async (
  minaret: TestMinaret,
  parameters: URLSearchParams,
  cookie: string,
): Promise<URL> => {
  const location = locationOf(await getAuthorize(minaret, parameters, cookie))
  return location.pathname === '/consent' ? decide(minaret, location, cookie) : location
}

export interface Flow {
  readonly app: TestApp
  readonly user: User
  readonly cookie: string
}

export const makeFlow = async ({ service: { database } }: TestMinaret, wishes: ClientWishes = {}): Promise<Flow> => {
  const user = await makePerson(database)
  return { app: await makeClient(database, wishes), user, cookie: await signIn(database, user) }
}

export interface Code {
  readonly form: Record<string, string>
  readonly headers: Record<string, string>
}

/** A fresh code, and the form that redeems it. */
export const getCode = async (minaret: TestMinaret, { app, cookie }: Flow, wishes: FlowWishes = {}): Promise<Code> => {
  const pkce = makePkce()
  const arrived = await authorizeInBrowser(minaret, authorizeParameters(app, pkce, wishes), cookie)
  const code = arrived.searchParams.get('code')
  if (code === null) throw new Error(`no code, but ${arrived.search}`)
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirectUri,
    client_id: app.clientId,
    code_verifier: pkce.verifier,
  }
  return { form, headers: app.secret === '' ? {} : basic(app) }
}

export const getTokens = async (minaret: TestMinaret, flow: Flow, wishes: FlowWishes = {}): Promise<Tokens> => {
  const { form, headers } = await getCode(minaret, flow, wishes)
  return readTokens(await postToken(minaret, form, headers))
}

/** One after the other: once the first is allowed, the person is not asked any more, so that several at once do not all see the page. */
export const getSeveralTokens = async (minaret: TestMinaret, flow: Flow, count: number): Promise<Tokens[]> => {
  const all: Tokens[] = []
  while (all.length < count) all.push(await getTokens(minaret, flow))
  return all
}

export const refresh = (minaret: TestMinaret, app: TestApp, token: string, scope?: string): Promise<Response> =>
  postToken(
    minaret,
    {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: app.clientId,
      ...(scope === undefined ? {} : { scope }),
    },
    app.secret === '' ? {} : basic(app),
  )

export const revoke = (minaret: TestMinaret, app: TestApp, token: string): Promise<Response> =>
  postForm(`${minaret.baseUrl}/oauth/revoke`, { token, client_id: app.clientId })

/** As many as an idle machine makes in about a second. */
const LEAST_CHECKS = 50
const PATIENCE_MS = 60_000
const LONGEST_PAUSE_MS = 25

/**
 * Polls until the condition holds; fails when the time is over. On a busy machine checks take longer, and so does what they
 * wait for: time is counted as on an idle one, and as many checks are made as an idle one would have made.
 */
export const within = async (
  milliseconds: number,
  what: string,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> => {
  const started = performance.now()
  const watch = startWatch()
  for (let checks = 1; !(await isSo()); checks += 1) {
    const waited = Math.round(performance.now() - started)
    const hadItsTime = checks >= LEAST_CHECKS && waited > milliseconds && watch() > milliseconds
    const isOver = hadItsTime || waited > Math.max(milliseconds * 3, PATIENCE_MS)
    if (isOver) throw new Error(`not within ${milliseconds} ms: ${what} (${waited} ms, ${checks} checks)`)
    // Without a pause, a condition that never waits would keep the event loop from receiving any news. What takes longer is
    // looked at less often: every look takes time from the other tests.
    await new Promise(resolve => setTimeout(resolve, Math.min(5 + checks / 2, LONGEST_PAUSE_MS)))
  }
}

/** An error page: never a redirect, never framed, never with a referrer. */
export const assertPage = async (response: Response, what: string): Promise<void> => {
  assert.equal(response.status, 400, what)
  assert.equal(response.headers.get('location'), null, what)
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
  assert.match(await response.text(), /<h1>/)
}
