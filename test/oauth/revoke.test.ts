import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useMinaret } from '../support/minaret.ts'
import {
  basic,
  type Flow,
  getTokens,
  makeClient,
  makeFlow,
  moveApp,
  postForm,
  postToken,
  readError,
  readTokens,
  refresh,
  revoke,
  type Tokens,
  userinfo,
  within,
} from '../support/oauth.ts'

let flow: Flow
const minaret = useMinaret({}, async running => {
  flow = await makeFlow(running)
})

const isLive = async (token: string): Promise<boolean> => (await userinfo(minaret(), token)).status === 200

test('a revoked access token is refused within a second; the refresh token stays valid', async () => {
  const tokens = await getTokens(minaret(), flow)
  assert.ok(await isLive(tokens.access_token))
  const response = await revoke(minaret(), flow.app, tokens.access_token)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(await response.text(), '{}')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  await within(1000, 'the token is refused', async () => !(await isLive(tokens.access_token)))
  const next = await readTokens(await refresh(minaret(), flow.app, tokens.refresh_token))
  assert.ok(await isLive(next.access_token))
})

test('the process that revoked a token refuses it from then on', async () => {
  for (const kind of ['access_token', 'refresh_token'] as const)
    for (let count = 0; count < 10; count += 1) {
      const tokens = await getTokens(minaret(), flow)
      assert.ok(await isLive(tokens.access_token))
      assert.equal((await revoke(minaret(), flow.app, tokens[kind])).status, 200)
      assert.equal(await isLive(tokens.access_token), false, kind)
    }
})

test('revoking a refresh token also revokes the access tokens of its authorization', async () => {
  const tokens = await getTokens(minaret(), flow)
  const next = await readTokens(await refresh(minaret(), flow.app, tokens.refresh_token))
  assert.equal((await revoke(minaret(), flow.app, next.refresh_token)).status, 200)
  assert.equal((await readError(await refresh(minaret(), flow.app, next.refresh_token))).error, 'invalid_grant')
  for (const { access_token: token } of [tokens, next])
    await within(1000, 'the access token is refused', async () => !(await isLive(token)))
})

test('many revocations at once revoke exactly the named tokens', async () => {
  const other = await makeClient(minaret().service.database)
  const families: Tokens[] = []
  for (let count = 0; count < 12; count += 1) families.push(await getTokens(minaret(), flow))
  const responses = await Promise.all(
    families.flatMap(({ refresh_token, access_token }, index) => [
      revoke(minaret(), index % 3 === 2 ? other : flow.app, refresh_token),
      revoke(minaret(), index % 3 === 0 ? flow.app : other, access_token),
    ]),
  )
  for (const { status } of responses) assert.equal(status, 200)
  for (const [index, family] of families.entries()) {
    if (index % 3 === 2) assert.ok(await isLive(family.access_token))
    else await within(1000, 'the access token is refused', async () => !(await isLive(family.access_token)))
    const { status } = await refresh(minaret(), flow.app, family.refresh_token)
    assert.equal(status, index % 3 === 2 ? 200 : 400)
  }
})

test('the token of an app that acts for itself can be revoked, with its client_id or with HTTP Basic', async () => {
  const app = await makeClient(minaret().service.database, { kind: 'confidential' })
  const introspect = async (token: string) => {
    const response = await postForm(`${minaret().baseUrl}/oauth/introspect`, { token }, basic(app))
    return ((await response.json()) as { active: boolean }).active
  }
  for (const headers of [{}, basic(app)]) {
    const { access_token: token } = await readTokens(
      await postToken(minaret(), { grant_type: 'client_credentials' }, basic(app)),
    )
    assert.equal(await introspect(token), true)
    const form = { token, client_id: app.clientId, token_type_hint: 'refresh_token' }
    assert.equal((await postForm(`${minaret().baseUrl}/oauth/revoke`, form, headers)).status, 200)
    await within(1000, 'it is not active', async () => !(await introspect(token)))
  }
})

test('200 and nothing revoked: an unknown token, one of another app, an already revoked one', async () => {
  const other = await makeClient(minaret().service.database)
  const tokens = await getTokens(minaret(), flow)
  for (const token of ['unknown', 'rt_unknown', tokens.access_token, tokens.refresh_token]) {
    const response = await revoke(minaret(), other, token)
    assert.equal(response.status, 200)
    assert.equal(await response.text(), '{}')
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  }
  assert.ok(await isLive(tokens.access_token))
  const next = await readTokens(await refresh(minaret(), flow.app, tokens.refresh_token))
  assert.equal((await revoke(minaret(), flow.app, next.refresh_token)).status, 200)
  assert.equal((await revoke(minaret(), flow.app, next.refresh_token)).status, 200)
})

test('400 without a token; 401 without a client, for an unknown one and for a wrong secret', async () => {
  const url = `${minaret().baseUrl}/oauth/revoke`
  const without = await postForm(url, { client_id: flow.app.clientId })
  assert.equal(without.status, 400)
  assert.equal((await readError(without)).error, 'invalid_request')
  const app = await makeClient(minaret().service.database, { kind: 'confidential' })
  const attempts: [Record<string, string>, Record<string, string>][] = [
    [{ token: 'x' }, {}],
    [{ token: 'x', client_id: 'nobody-here' }, {}],
    [{ token: 'x' }, basic({ ...app, secret: 'wrong' })],
  ]
  for (const [form, headers] of attempts) {
    const response = await postForm(url, form, headers)
    assert.equal(response.status, 401)
    assert.equal((await readError(response)).error, 'invalid_client')
  }
})

test('introspection: a confidential app asks about its own tokens, and learns nothing about others', async () => {
  const own = await makeFlow(minaret(), { kind: 'confidential' })
  const tokens = await getTokens(minaret(), own, { scope: 'openid masjid:read' })
  const ask = async (token: string, headers = basic(own.app)) => {
    const response = await postForm(`${minaret().baseUrl}/oauth/introspect`, { token }, headers)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const { body: access } = await ask(tokens.access_token)
  assert.equal(access.active, true)
  assert.equal(access.sub, own.user.id)
  assert.equal(access.client_id, own.app.clientId)
  assert.equal(access.scope, 'openid masjid:read')
  assert.equal(access.iss, minaret().baseUrl)
  assert.equal(access.token_type, 'bearer')
  const { body: refreshToken } = await ask(tokens.refresh_token)
  assert.equal(refreshToken.active, true)
  assert.equal(refreshToken.sub, own.user.id)
  const foreign = await getTokens(minaret(), flow)
  for (const token of [foreign.access_token, foreign.refresh_token, tokens.id_token, 'nonsense'])
    assert.deepEqual((await ask(token)).body, { active: false })
  assert.equal((await ask(tokens.access_token, {} as never)).status, 401)
  const publicApp = await postForm(`${minaret().baseUrl}/oauth/introspect`, {
    token: foreign.access_token,
    client_id: flow.app.clientId,
  })
  assert.equal((await readError(publicApp)).error, 'unauthorized_client')
})

test('a suspended app may still revoke its tokens, but not introspect them', async () => {
  const own = await makeFlow(minaret(), { kind: 'confidential' })
  const tokens = await getTokens(minaret(), own)
  await moveApp(minaret().service.database, own.app, 'suspended')
  const introspect = () =>
    postForm(`${minaret().baseUrl}/oauth/introspect`, { token: tokens.access_token }, basic(own.app))
  await within(1000, 'the app is refused', async () => (await introspect()).status === 401)
  assert.equal((await revoke(minaret(), own.app, tokens.refresh_token)).status, 200)
})
