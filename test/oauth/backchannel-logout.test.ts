// OpenID Connect Back-Channel Logout 1.0: apps are told of sign-outs. The receiver is a server of its own, and checks like an app.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, before, test } from 'node:test'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import type { User } from '../../src/accounts/users.ts'
import { setLogoutUri } from '../../src/apps/backchannel-logout.ts'
import { commandActor } from '../../src/audit/record-audit.ts'
import { sql } from '../../src/db/sql.ts'
import { claimNotices, postponeNotice } from '../../src/oauth/backchannel/logout-notices.ts'
import { askForErasure } from '../../src/own-data/erase/ask-erasure.ts'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { type Flow, getTokens, makeClient, refresh, type TestApp, within } from '../support/oauth.ts'
import { closeServer, listen } from '../support/other-provider.ts'
import { createPerson, type Person } from '../support/person.ts'

interface Told {
  readonly path: string
  readonly type: string
  readonly token: string
}

let receiver: Server
let receiverUrl = ''
const told: Told[] = []
/** By path: 200 unless it is said. */
const statuses = new Map<string, number>()

const minaret = useMinaret({}, async () => {
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', piece => {
      body += piece
    })
    request.on('end', () => {
      const path = request.url ?? ''
      const type = request.headers['content-type'] ?? ''
      told.push({ path, type, token: new URLSearchParams(body).get('logout_token') ?? '' })
      response.writeHead(statuses.get(path) ?? 200).end()
    })
  })
  receiverUrl = await listen(receiver)
})
after(() => closeServer(receiver))

const database = () => minaret().service.database

/** An app that is told of sign-outs, each at a path of its own. */
const makeTold = async (wishes = {}): Promise<TestApp & { readonly path: string }> => {
  const app = await makeClient(database(), wishes)
  const path = `/${app.clientId}`
  await setLogoutUri(database(), { appId: app.id, uri: `${receiverUrl}${path}`, loopback: true, actor: commandActor })
  return { ...app, path }
}

interface SignedIn {
  readonly user: User
  readonly browser: Person
  readonly flow: (app: TestApp) => Flow
}

const cookieOf = ({ cookies }: Person): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

const signInAs = async (user: User): Promise<SignedIn> => {
  const browser = createPerson(minaret().baseUrl)
  await browser.signIn(user.email, PASSWORD)
  return { user, browser, flow: app => ({ app, user, cookie: cookieOf(browser) }) }
}

const somebody = async (): Promise<SignedIn> => signInAs(await makeUser(database()))

const toldAt = ({ path }: { readonly path: string }): Told[] => told.filter(one => one.path === path)

const untilTold = (app: { readonly path: string }, times = 1): Promise<void> =>
  within(30_000, 'the app is told', () => toldAt(app).length >= times)

const nothingWaits = async (app: TestApp): Promise<void> =>
  within(30_000, 'nothing waits', async () => {
    const waiting = await database().query(sql`select from minaret.logout_notices where app_id = ${app.id}`)
    return waiting.length === 0
  })

const sidOf = ({ id_token }: { readonly id_token: string }): unknown => decodeJwt(id_token).sid

/** As an app must, by section 2.6. */
const verify = async ({ token }: Told, clientId: string) => {
  const keys = createRemoteJWKSet(new URL(`${minaret().baseUrl}/.well-known/jwks.json`))
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer: minaret().baseUrl,
    audience: clientId,
    typ: 'logout+jwt',
    maxTokenAge: '3 minutes',
    requiredClaims: ['iat', 'exp', 'jti', 'events'],
  })
  assert.deepEqual(payload.events, { 'http://schemas.openid.net/event/backchannel-logout': {} })
  assert.equal(payload.nonce, undefined)
  return { payload, algorithm: protectedHeader.alg }
}

const signOut = ({ browser }: SignedIn) => browser.submit('/account', '/sign-out', {})

before(() => told.splice(0))

test('discovery says that apps are told, with a session id', async () => {
  const response = await fetch(`${minaret().baseUrl}/.well-known/openid-configuration`)
  const metadata = (await response.json()) as Record<string, unknown>
  assert.equal(metadata.backchannel_logout_supported, true)
  assert.equal(metadata.backchannel_logout_session_supported, true)
})

test('ID tokens have a sid: the same in one browser, also once refreshed; another in another', async () => {
  const [app, other] = [await makeTold(), await makeTold()]
  const signedIn = await somebody()
  const tokens = await getTokens(minaret(), signedIn.flow(app))
  const sid = sidOf(tokens)
  assert.match(String(sid), /^[\da-f-]{36}$/)
  assert.equal(sidOf(await getTokens(minaret(), signedIn.flow(other))), sid)
  const refreshed = (await (await refresh(minaret(), app, tokens.refresh_token)).json()) as { id_token: string }
  assert.equal(sidOf(refreshed), sid)
  const elsewhere = await signInAs(signedIn.user)
  assert.notEqual(sidOf(await getTokens(minaret(), elsewhere.flow(app))), sid)
})

test('on sign-out every app of that browser gets a logout token, signed as it asked, and no other app or browser', async () => {
  const [first, second, stranger] = [await makeTold(), await makeTold({ idTokenAlgorithm: 'ES256' }), await makeTold()]
  const signedIn = await somebody()
  const elsewhere = await signInAs(signedIn.user)
  const sid = sidOf(await getTokens(minaret(), signedIn.flow(first)))
  await getTokens(minaret(), signedIn.flow(second))
  await getTokens(minaret(), elsewhere.flow(stranger))
  await signOut(signedIn)
  await Promise.all([untilTold(first), untilTold(second)])
  const [one] = toldAt(first)
  assert.ok(one)
  assert.equal(one.type, 'application/x-www-form-urlencoded')
  const { payload, algorithm } = await verify(one, first.clientId)
  assert.equal(payload.sub, signedIn.user.id)
  assert.equal(payload.sid, sid)
  assert.equal(algorithm, 'RS256')
  const [two] = toldAt(second)
  assert.ok(two)
  assert.equal((await verify(two, second.clientId)).algorithm, 'ES256')
  await Promise.all([nothingWaits(first), nothingWaits(second)])
  assert.equal(toldAt(stranger).length, 0, 'its session goes on')
  assert.equal(toldAt(first).length, 1, 'once')
})

test('RP-initiated logout tells the other apps', async () => {
  const [asking, other] = [await makeTold(), await makeTold()]
  const signedIn = await somebody()
  const { id_token } = await getTokens(minaret(), signedIn.flow(asking))
  await getTokens(minaret(), signedIn.flow(other))
  await signedIn.browser.get(`/oauth/logout?${new URLSearchParams({ id_token_hint: id_token })}`)
  await untilTold(other)
})

test('signing in again in the same browser is no sign-out: the sid stays', async () => {
  const app = await makeTold()
  const signedIn = await somebody()
  const sid = sidOf(await getTokens(minaret(), signedIn.flow(app)))
  await signedIn.browser.post('/sign-in', {
    anti_forgery: /name="anti_forgery" value="([^"]*)"/.exec((await signedIn.browser.get('/account')).text)?.[1] ?? '',
    email: signedIn.user.email,
    password: PASSWORD,
  })
  assert.equal(sidOf(await getTokens(minaret(), signedIn.flow(app))), sid)
  const waiting = await database().query(sql`select from minaret.logout_notices where app_id = ${app.id}`)
  assert.equal(waiting.length + toldAt(app).length, 0)
  await signOut(signedIn)
  await untilTold(app)
  assert.equal(decodeJwt(toldAt(app)[0]?.token ?? '').sid, sid)
})

test('sign out everywhere: a token for each browser', async () => {
  const app = await makeTold()
  const here = await somebody()
  const there = await signInAs(here.user)
  // One after the other: what is allowed in one browser is not asked in the other.
  const expected = new Set<unknown>()
  for (const one of [here, there]) expected.add(sidOf(await getTokens(minaret(), one.flow(app))))
  await here.browser.submit('/account/sessions', '/account/sessions/end-all', {})
  await untilTold(app, 2)
  assert.deepEqual(new Set(toldAt(app).map(({ token }) => decodeJwt(token).sid)), expected)
})

test('a disabled account, and one that is to be erased: every app is told, for all sessions of the person', async () => {
  const disable = async ({ user }: SignedIn) => {
    await database().run(sql`update minaret.users set disabled_at = now() where id = ${user.id}`)
  }
  const erase = async ({ user }: SignedIn) => {
    const services = { database: database(), baseUrl: minaret().baseUrl, erasureDays: 30 }
    await askForErasure(services, { user, actor: commandActor })
  }
  for (const end of [disable, erase]) {
    const app = await makeTold()
    const signedIn = await somebody()
    await getTokens(minaret(), signedIn.flow(app))
    await end(signedIn)
    await within(30_000, 'the app is told of all sessions', () =>
      toldAt(app).some(({ token }) => decodeJwt(token).sid === undefined),
    )
    for (const one of toldAt(app)) assert.equal((await verify(one, app.clientId)).payload.sub, signedIn.user.id)
  }
})

test('an app that cannot be reached is tried again, later; one that refuses the token is not', async () => {
  const [down, picky] = [await makeTold(), await makeTold()]
  statuses.set(down.path, 503).set(picky.path, 400)
  const signedIn = await somebody()
  await getTokens(minaret(), signedIn.flow(down))
  await getTokens(minaret(), signedIn.flow(picky))
  await signOut(signedIn)
  await Promise.all([untilTold(down), untilTold(picky)])
  await nothingWaits(picky)
  const firstToken = toldAt(down)[0]?.token
  statuses.delete(down.path)
  await database().run(sql`update minaret.logout_notices set next_attempt_at = now() where app_id = ${down.id}`)
  await untilTold(down, 2)
  await nothingWaits(down)
  assert.notEqual(decodeJwt(toldAt(down).at(-1)?.token ?? '').jti, decodeJwt(firstToken ?? '').jti, 'a new token')
})

test('attempts end, and an app that fails is left alone with everything that waits for it', async () => {
  const app = await makeTold()
  const { user } = await somebody()
  // Out of the job's reach: it sends what is due, and this is due in a year.
  for (const _ of [1, 2])
    await database().run(sql`
      insert into minaret.logout_notices (app_id, user_id, next_attempt_at) values (${app.id}, ${user.id}, now() + interval '1 year')`)
  const rows = await database().query<{ id: string }>(sql`
    select id from minaret.logout_notices where app_id = ${app.id}`)
  const notice = { id: rows[0]?.id ?? '', appId: app.id } as Parameters<typeof postponeNotice>[1]
  assert.equal(await postponeNotice(database(), { ...notice, attempts: 1 }), true)
  assert.equal(await postponeNotice(database(), { ...notice, attempts: 11 }), false)
  const left = await database().query(sql`select from minaret.logout_notices where app_id = ${app.id}`)
  assert.equal(left.length, 1)
})

test('an app that was suspended is not told', async () => {
  const app = await makeTold()
  const { user } = await somebody()
  await database().run(sql`update minaret.apps set state = 'suspended' where id = ${app.id}`)
  await database().run(sql`insert into minaret.logout_notices (app_id, user_id) values (${app.id}, ${user.id})`)
  const claimed = await claimNotices(database(), 100)
  assert.equal(claimed.filter(({ appId }) => appId === app.id).length, 0)
})

test('the owner sets the address in the console; others cannot, and only public https addresses are taken', async () => {
  const owner = await makeUser(database())
  const app = await makeClient(database(), { ownerId: owner.id })
  const [browser, stranger] = [await signInAs(owner), await somebody()]
  const settings = `/console/apps/${app.id}/settings`
  const action = `/console/apps/${app.id}/sign-outs`
  const save = (uri: string) => browser.browser.submit(settings, action, { backchannel_logout_uri: uri })
  for (const wrong of [
    'http://app.example.org/out',
    'https://app.example.org:8443/out',
    'https://127.0.0.1/out',
    'x',
  ]) {
    const refused = await save(wrong)
    assert.equal(refused.status, 422, wrong)
    assert.match(refused.text, /not a public https address/)
  }
  assert.equal((await save('https://app.example.org/out')).location, `${settings}?done=sign_outs`)
  assert.match((await browser.browser.get(settings)).text, /value="https:\/\/app\.example\.org\/out"/)
  const anti = /name="anti_forgery" value="([^"]*)"/.exec((await stranger.browser.get('/account')).text)?.[1] ?? ''
  const foreign = await stranger.browser.post(action, { anti_forgery: anti, backchannel_logout_uri: '' })
  assert.equal(foreign.status, 404)
  assert.equal((await save('')).location, `${settings}?done=sign_outs`)
})

test('a logout token passes for nothing else: not at userinfo, and not as a hint', async () => {
  const app = await makeTold()
  const signedIn = await somebody()
  await getTokens(minaret(), signedIn.flow(app))
  await signOut(signedIn)
  await untilTold(app)
  const token = toldAt(app)[0]?.token ?? ''
  const userinfo = await fetch(`${minaret().baseUrl}/api/oauth/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(userinfo.status, 401)
  const hint = await fetch(`${minaret().baseUrl}/oauth/logout?id_token_hint=${token}`, { redirect: 'manual' })
  assert.equal(hint.status, 400)
})
