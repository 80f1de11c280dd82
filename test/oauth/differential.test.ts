// The same requests to this service and to oidc-provider: equal where both follow the RFCs, every difference with its reason.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { makeUser } from '../support/apps.ts'
import { decideDevice, personWith } from '../support/device.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { makeClient, signIn, type TestApp } from '../support/oauth.ts'
import { type Peer, startPeer } from '../support/peer.ts'
import { describeAnswer, type Side } from './differential/asking.ts'
import { cases } from './differential/cases.ts'
import { type CodeForm, ourCode, theirCode } from './differential/code-flow.ts'
import { differences } from './differential/differences.ts'

let minaret: TestMinaret
let peer: Peer
let ours: Side
let theirs: Side

const discover = async (baseUrl: string): Promise<Record<string, unknown>> =>
  (await (await fetch(`${baseUrl}/.well-known/openid-configuration`)).json()) as Record<string, unknown>

const sideOf = async (baseUrl: string, publicClient: TestApp, serverClient: TestApp): Promise<Side> => {
  const document = await discover(baseUrl)
  const at = (name: string): string => String(document[`${name}_endpoint`])
  const paths = {
    authorize: at('authorization'),
    token: at('token'),
    revoke: at('revocation'),
    introspect: at('introspection'),
    userinfo: at('userinfo'),
    push: at('pushed_authorization_request'),
    device: at('device_authorization'),
  }
  return { paths, publicClient, serverClient }
}

before(async () => {
  minaret = await startTestMinaret()
  peer = await startPeer()
  const { database } = minaret.service
  const serverClient = await makeClient(database, { kind: 'confidential', deviceFlow: 'on' })
  ours = await sideOf(minaret.baseUrl, await makeClient(database, { deviceFlow: 'on' }), serverClient)
  const app = { id: '' }
  theirs = await sideOf(peer.baseUrl, { ...app, ...peer.publicClient }, { ...app, ...peer.serverClient })
})
after(async () => {
  await peer.close()
  await minaret.stop()
})

for (const { name, ask } of cases) {
  const difference = differences[name]
  test(difference === undefined ? `the same: ${name}` : `differs: ${name}, because ${difference.because}`, async () => {
    const [mine, other] = [await ask(ours), await ask(theirs)]
    if (difference === undefined) return assert.deepEqual(mine, other)
    assert.deepEqual({ ours: mine, theirs: other }, { ours: difference.ours, theirs: difference.theirs })
  })
}

test('every difference belongs to a case', () => {
  const names = cases.map(({ name }) => name)
  for (const name of Object.keys(differences)) assert.ok(names.includes(name), name)
})

test('userinfo: both refuse a missing and an invalid token with a Bearer challenge', async () => {
  for (const { paths } of [ours, theirs])
    for (const headers of [{}, { authorization: 'Bearer false' }]) {
      const response = await fetch(paths.userinfo, { headers })
      assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer /)
      // oidc-provider responds to a missing token with 400; RFC 6750 section 3.1 keeps 401 for a challenge without an error.
      assert.ok(response.status === 401 || paths === theirs.paths)
    }
})

test('discovery: both have what OpenID Connect Discovery section 3 requires, with values of the same type', async () => {
  const [mine, other] = [await discover(minaret.baseUrl), await discover(peer.baseUrl)]
  const required = [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'jwks_uri',
    'response_types_supported',
    'subject_types_supported',
    'id_token_signing_alg_values_supported',
    'code_challenge_methods_supported',
    'authorization_response_iss_parameter_supported',
  ]
  for (const name of required) {
    assert.equal(typeof mine[name], typeof other[name], name)
    assert.equal(Array.isArray(mine[name]), Array.isArray(other[name]), name)
  }
  for (const name of ['response_types_supported', 'subject_types_supported', 'code_challenge_methods_supported'])
    assert.deepEqual(mine[name], other[name], name)
})

test('code, replay, wrong verifier, refresh: both respond with the same status, error and fields', async () => {
  const walk = async (side: Side, getCode: () => Promise<CodeForm>) => {
    const post = async (form: CodeForm): Promise<Response> =>
      fetch(side.paths.token, { method: 'POST', body: new URLSearchParams(form) })
    const wrong = { ...(await getCode()), code_verifier: 'v'.repeat(43) }
    const good = await getCode()
    const first = await post(good)
    const tokens = (await first.clone().json()) as Record<string, string>
    const refresh = {
      grant_type: 'refresh_token',
      client_id: good.client_id ?? '',
      refresh_token: tokens.refresh_token ?? '',
    }
    return {
      wrongVerifier: await describeAnswer(await post(wrong)),
      code: await describeAnswer(first),
      refresh: await describeAnswer(await post(refresh)),
      replay: await describeAnswer(await post(good)),
      afterReplay: await describeAnswer(await post(refresh)),
    }
  }
  const mine = await walk(ours, () => ourCode(minaret, ours))
  assert.deepEqual(mine, await walk(theirs, () => theirCode(peer.baseUrl, theirs)))
  assert.equal(mine.code.status, 200)
  assert.equal(mine.replay.error, 'invalid_grant')
})

interface DeviceSide {
  readonly side: Side
  readonly decide: (userCode: string, decision: 'allow' | 'deny') => Promise<unknown>
  readonly expire: (userCode: string) => Promise<unknown>
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** Each device polls once before the decision and once after, so that nobody is told to slow down. */
const deviceStory = async ({ side, decide, expire }: DeviceSide) => {
  const { clientId } = side.publicClient
  const ask = (url: string, form: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ client_id: clientId, ...form }) })
  const start = () => ask(side.paths.device, { scope: 'openid offline_access' })
  const poll = async (code: string) =>
    describeAnswer(await ask(side.paths.token, { grant_type: DEVICE_GRANT, device_code: code }))
  const codes = async () => (await (await start()).json()) as Record<'device_code' | 'user_code', string>
  const [allowed, denied, expired] = [await codes(), await codes(), await codes()]
  const waiting = await poll(allowed.device_code)
  await decide(allowed.user_code, 'allow')
  await decide(denied.user_code, 'deny')
  await expire(expired.user_code)
  return {
    waiting,
    allowed: await poll(allowed.device_code),
    replayed: await poll(allowed.device_code),
    denied: await poll(denied.device_code),
    expired: await poll(expired.device_code),
  }
}

test('a device that waits, is allowed, denied, too late, or asks again: both respond alike', async () => {
  const { database } = minaret.service
  const user = await makeUser(database, { hashed: false })
  const person = personWith(minaret, await signIn(database, user))
  const expire = (userCode: string) =>
    database.run(sql`
      update minaret.device_codes set expires_at = now() - interval '1 second'
      where user_code = ${userCode.replace('-', '')}`)
  const decide = (userCode: string, decision: 'allow' | 'deny') => decideDevice(person, userCode, decision)
  const mine = await deviceStory({ side: ours, decide, expire })
  assert.deepEqual(mine, await deviceStory({ side: theirs, decide: peer.decideDevice, expire: peer.expireDevice }))
  assert.equal(mine.waiting.error, 'authorization_pending')
  assert.equal(mine.allowed.status, 200)
})
