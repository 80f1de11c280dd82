// The device authorization grant (RFC 8628): what devices are told, what people see, and who may use it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as client from 'openid-client'
import { sql } from '../../src/db/sql.ts'
import {
  askDevice,
  type DeviceCodes,
  decideDevice,
  personWith,
  pollDevice,
  pollError,
  startDevice,
  typeCode,
  waitInterval,
} from '../support/device.ts'
import { useMinaret } from '../support/minaret.ts'
import {
  type Flow,
  makeClient,
  makePerson,
  readError,
  readTokens,
  refresh,
  signIn,
  type TestApp,
  userinfo,
} from '../support/oauth.ts'

let tv: TestApp
let server: TestApp
let flow: Flow
const minaret = useMinaret({}, async ({ service: { database } }) => {
  tv = await makeClient(database, { name: 'Television', deviceFlow: 'on', redirectUris: [] })
  server = await makeClient(database, { kind: 'confidential', deviceFlow: 'on' })
  const user = await makePerson(database)
  flow = { app: tv, user, cookie: await signIn(database, user) }
})

const person = () => personWith(minaret(), flow.cookie)

const expire = ({ user_code }: DeviceCodes) =>
  minaret().service.database.run(sql`
    update minaret.device_codes set expires_at = now() - interval '1 second'
    where user_code = ${user_code.replace('-', '')}`)

test('a device asks, a person types the code and allows it, and the next poll has tokens for that person', async () => {
  const codes = await startDevice(minaret(), tv, 'openid email masjid:read')
  assert.match(codes.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  assert.equal(codes.verification_uri, `${minaret().baseUrl}/device`)
  assert.equal(codes.verification_uri_complete, `${minaret().baseUrl}/device?user_code=${codes.user_code}`)
  assert.deepEqual([codes.expires_in, codes.interval], [600, 5])
  assert.equal(await pollError(minaret(), tv, codes.device_code), 'authorization_pending')
  const shown = await decideDevice(person(), codes.user_code.toLowerCase().replace('-', ' '))
  assert.match(shown.text, /The device is connected/)
  const response = await pollDevice(minaret(), tv, codes.device_code)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const tokens = await readTokens(response)
  assert.equal(tokens.scope, 'openid email masjid:read')
  assert.ok(tokens.id_token.length > 0)
  const info = (await (await userinfo(minaret(), tokens.access_token)).json()) as Record<string, string>
  assert.equal(info.email, flow.user.email)
  assert.equal((await readTokens(await refresh(minaret(), tv, tokens.refresh_token))).scope, tokens.scope)
})

test('what the person was shown is kept, word for word, once the device is allowed', async () => {
  const { database } = minaret().service
  const user = await makePerson(database)
  const someone = personWith(minaret(), await signIn(database, user))
  const kept = () =>
    database.query<{ scopes: string[]; language: string; shown: object }>(sql`
      select scopes, language, shown from minaret.consent_texts where user_id = ${user.id} and app_id = ${tv.id}`)
  const denied = await startDevice(minaret(), tv, 'openid email masjid:read')
  await decideDevice(someone, denied.user_code, 'deny')
  assert.equal((await kept()).length, 0)
  const codes = await startDevice(minaret(), tv, 'openid email masjid:read')
  await decideDevice(someone, codes.user_code)
  const [text, ...others] = await kept()
  assert.equal(others.length, 0)
  assert.deepEqual([...(text?.scopes ?? [])].sort(), ['email', 'masjid:read', 'openid'])
  assert.equal(text?.language, 'en')
  assert.match(JSON.stringify(text?.shown), /Television/)
})

test('a denied device gets access_denied, one that waited too long expired_token', async () => {
  const denied = await startDevice(minaret(), tv)
  assert.match((await decideDevice(person(), denied.user_code, 'deny')).text, /The device was not connected/)
  assert.equal(await pollError(minaret(), tv, denied.device_code), 'access_denied')
  const late = await startDevice(minaret(), tv)
  await expire(late)
  assert.equal(await pollError(minaret(), tv, late.device_code), 'expired_token')
  assert.equal((await typeCode(person(), late.user_code)).status, 422)
})

test('an approved code that is not fetched in time expires too', async () => {
  const codes = await startDevice(minaret(), tv)
  await decideDevice(person(), codes.user_code)
  await expire(codes)
  assert.equal(await pollError(minaret(), tv, codes.device_code), 'expired_token')
})

test('a device that polls too fast is slowed down by five seconds each time, and served once it waits', async () => {
  const codes = await startDevice(minaret(), tv)
  const poll = () => pollError(minaret(), tv, codes.device_code)
  const interval = async () =>
    (
      await minaret().service.database.first<{ seconds: number }>(sql`
      select interval_seconds as seconds from minaret.device_codes where user_code = ${codes.user_code.replace('-', '')}`)
    )?.seconds
  assert.deepEqual([await poll(), await poll(), await poll()], ['authorization_pending', 'slow_down', 'slow_down'])
  assert.equal(await interval(), 15)
  await waitInterval(minaret(), codes)
  assert.equal(await poll(), 'authorization_pending')
  assert.equal(await interval(), 15)
  await decideDevice(person(), codes.user_code)
  assert.equal((await pollDevice(minaret(), tv, codes.device_code)).status, 200, 'an answer is never held back')
})

test('of many concurrent polls exactly one gets tokens', async () => {
  const codes = await startDevice(minaret(), tv)
  await decideDevice(person(), codes.user_code)
  const answers = await Promise.all(Array.from({ length: 30 }, () => pollDevice(minaret(), tv, codes.device_code)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200))
    assert.equal((await readError(answer)).error, 'invalid_grant')
})

test('of an allowing and a denying browser at the same moment one decides', async () => {
  const codes = await startDevice(minaret(), tv)
  const browser = person()
  const asked = await typeCode(browser, codes.user_code)
  const answers = await Promise.all(
    (['allow', 'deny', 'allow', 'deny'] as const).map(decision =>
      browser.submit(asked.location ?? '', '/device/decide', { decision }).catch(() => undefined),
    ),
  )
  const taken = new Set(answers.map(answer => answer?.location).filter(location => location !== undefined))
  assert.equal(taken.size, 1)
  const outcome = (await pollDevice(minaret(), tv, codes.device_code)).status
  assert.equal(outcome, [...taken][0]?.endsWith('allow') ? 200 : 400)
})

test('a confidential app authenticates at both endpoints', async () => {
  const wrong = { ...server, secret: 'wrong' }
  assert.equal((await askDevice(minaret(), wrong)).status, 401)
  const codes = await startDevice(minaret(), server)
  await decideDevice(person(), codes.user_code)
  assert.equal((await pollDevice(minaret(), wrong, codes.device_code)).status, 401)
  assert.equal((await pollDevice(minaret(), server, codes.device_code)).status, 200)
})

test('off unless switched on: other apps get unauthorized_client at both endpoints', async () => {
  const other = await makeClient(minaret().service.database)
  assert.equal((await readError(await askDevice(minaret(), other))).error, 'unauthorized_client')
  assert.equal(await pollError(minaret(), other, 'x'), 'unauthorized_client')
})

test('scopes are checked as at the authorization endpoint', async () => {
  for (const scope of ['', 'nothing', 'masjid:write']) {
    const response = await askDevice(minaret(), tv, { scope })
    assert.deepEqual([response.status, (await readError(response)).error], [400, 'invalid_scope'], scope)
  }
  assert.equal(
    (await readError(await askDevice(minaret(), tv, { scope: 'openid', resource: 'https://else.example' }))).error,
    'invalid_target',
  )
})

test('without a device_code, or with an unknown one', async () => {
  assert.equal(await pollError(minaret(), tv, ''), 'invalid_request')
  assert.equal(await pollError(minaret(), tv, 'x'), 'invalid_grant')
})

test('codes are stored hashed, except the one that people type', async () => {
  const codes = await startDevice(minaret(), tv)
  const rows = await minaret().service.database.query(
    sql`select row_to_json(code)::text as text from minaret.device_codes code`,
  )
  const text = JSON.stringify(rows)
  assert.ok(!text.includes(codes.device_code))
  assert.ok(text.includes(codes.user_code.replace('-', '')))
})

test('the page shows the app, the code, the scopes, where the device asked from, and a warning', async () => {
  const response = await askDevice(minaret(), tv, { scope: 'openid email events:read' }, { 'user-agent': 'Tizen TV/7' })
  const codes = (await response.json()) as DeviceCodes
  const browser = person()
  const asked = await typeCode(browser, codes.user_code)
  const { text, headers } = await browser.get(asked.location ?? '')
  for (const expected of [
    codes.user_code,
    'Television',
    'Read community events',
    flow.user.email,
    'Tizen TV/7',
    'the same network as yours',
    'ago',
    'Did you start this yourself?',
  ])
    assert.ok(text.includes(expected), expected)
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
})

test('a link fills the code in and does nothing else; it never shows words of its own', async () => {
  const codes = await startDevice(minaret(), tv)
  const link = new URL(codes.verification_uri_complete)
  const { status, text } = await person().get(link.pathname + link.search)
  assert.equal(status, 200)
  assert.ok(text.includes(`value="${codes.user_code}"`))
  assert.equal(await pollError(minaret(), tv, codes.device_code), 'authorization_pending')
  assert.match((await person().get('/device?user_code=Call%20this%20number')).text, /name="user_code"[^>]* value=""/)
})

test('who is not signed in signs in first, and comes back to the code', async () => {
  const codes = await startDevice(minaret(), tv)
  const link = new URL(codes.verification_uri_complete)
  const stranger = personWith(minaret(), 'nothing=x')
  assert.equal((await stranger.get(link.pathname + link.search)).location, '/sign-in')
})

test('a wrong code is refused in words, and what was typed stays', async () => {
  const shown = await typeCode(person(), 'BCDF-GHJK')
  assert.equal(shown.status, 422)
  assert.match(shown.text, /This code is not valid/)
  assert.ok(shown.text.includes('value="BCDF-GHJK"'))
})

test('an app that lost a scope, or its device flow, is refused on the page', async () => {
  const { database } = minaret().service
  const app = await makeClient(database, { deviceFlow: 'on' })
  const codes = await startDevice(minaret(), app, 'openid events:read')
  const browser = person()
  const asked = await typeCode(browser, codes.user_code)
  await database.run(sql`update minaret.apps set device_flow = 'off' where id = ${app.id}`)
  const refused = async () => (await browser.get(asked.location ?? '')).status
  let status = await refused()
  for (let count = 0; count < 100 && status === 200; count += 1) status = await refused()
  assert.equal(status, 400)
})

test('openid-client: the device functions, unmodified', async () => {
  for (const app of [tv, server]) {
    const configuration = await client.discovery(
      new URL(minaret().baseUrl),
      app.clientId,
      app.secret === '' ? undefined : app.secret,
      app.secret === '' ? client.None() : client.ClientSecretBasic(app.secret),
      { execute: [client.allowInsecureRequests] },
    )
    const codes = await client.initiateDeviceAuthorization(configuration, {
      scope: 'openid offline_access masjid:read',
    })
    await decideDevice(person(), codes.user_code)
    // Its first question comes after the interval; nobody waits five seconds here.
    const tokens = await client.pollDeviceAuthorizationGrant(configuration, { ...codes, interval: 0.01 })
    assert.equal(tokens.claims()?.sub, flow.user.id)
    const denied = await client.initiateDeviceAuthorization(configuration, { scope: 'openid' })
    await decideDevice(person(), denied.user_code, 'deny')
    await assert.rejects(client.pollDeviceAuthorizationGrant(configuration, { ...denied, interval: 0.01 }), {
      error: 'access_denied',
    })
  }
})
