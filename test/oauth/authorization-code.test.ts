import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { sql } from '../../src/db/sql.ts'
import { accessTokenHash } from '../../src/oauth/tokens/id-token.ts'
import { useMinaret } from '../support/minaret.ts'
import {
  authorizeInBrowser,
  authorizeParameters,
  type Flow,
  getAuthorize,
  getCode,
  getTokens,
  locationOf,
  makeClient,
  makeFlow,
  makePkce,
  postToken,
  readError,
  readTokens,
  userinfo,
  within,
} from '../support/oauth.ts'

let flow: Flow
const minaret = useMinaret({}, async running => {
  flow = await makeFlow(running)
})

test('a person allows a public app, and the app gets tokens for that person', async () => {
  const { app, user, cookie } = flow
  const pkce = makePkce()
  const parameters = authorizeParameters(app, pkce, { parameters: { nonce: 'n-0S6' } })
  const arrived = await authorizeInBrowser(minaret(), parameters, cookie)
  assert.equal(arrived.origin + arrived.pathname, app.redirectUri)
  assert.equal(arrived.searchParams.get('state'), 'state of the test')
  assert.equal(arrived.searchParams.get('iss'), minaret().baseUrl)
  const code = arrived.searchParams.get('code') ?? ''
  assert.match(code, /^[\w-]{43}$/)
  const response = await postToken(minaret(), {
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirectUri,
    client_id: app.clientId,
    code_verifier: pkce.verifier,
  })
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const tokens = await readTokens(response)
  assert.equal(tokens.token_type, 'bearer')
  assert.equal(tokens.expires_in, 3600)
  assert.match(tokens.refresh_token, /^rt_[\w-]{43}$/)
  assert.equal(tokens.scope, 'openid profile email masjid:read')

  const keys = createRemoteJWKSet(new URL(`${minaret().baseUrl}/.well-known/jwks.json`))
  const access = await jwtVerify(tokens.access_token, keys, { issuer: minaret().baseUrl, typ: 'at+jwt' })
  assert.equal(access.payload.sub, user.id)
  assert.match(String(access.payload.grant_id), /^[0-9a-f-]{36}$/)
  const id = await jwtVerify(tokens.id_token, keys, { issuer: minaret().baseUrl, audience: app.clientId })
  assert.equal(id.protectedHeader.alg, 'RS256')
  assert.equal(id.payload.sub, user.id)
  assert.equal(id.payload.nonce, 'n-0S6')
  assert.equal(id.payload.at_hash, accessTokenHash(tokens.access_token))
  assert.ok(Math.abs(Number(id.payload.auth_time) - Date.now() / 1000) < 60)

  const answer = await userinfo(minaret(), tokens.access_token)
  assert.equal(answer.status, 200)
  const { sub, email, name } = (await answer.json()) as Record<string, string>
  assert.deepEqual([sub, email, name], [user.id, user.email, user.name])
})

test('an app that asks for ES256 gets such ID tokens; without openid there is no ID token', async () => {
  const other = await makeFlow(minaret(), { idTokenAlgorithm: 'ES256' })
  const { id_token: idToken } = await getTokens(minaret(), other)
  assert.equal(JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString()).alg, 'ES256')
  const plain = await getTokens(minaret(), other, { scope: 'masjid:read' })
  assert.equal(plain.id_token, undefined)
  assert.match(plain.refresh_token, /^rt_/)
})

test('a confidential app authenticates with HTTP Basic; without it the code is refused and stays valid', async () => {
  const other = await makeFlow(minaret(), { kind: 'confidential' })
  const { form, headers } = await getCode(minaret(), other)
  const without = await postToken(minaret(), form)
  assert.equal(without.status, 401)
  assert.equal((await readError(without)).error, 'invalid_client')
  await readTokens(await postToken(minaret(), form, headers))
})

test('a loopback redirect URI may have another port, at authorize and token alike', async () => {
  const other = await makeFlow(minaret(), { redirectUris: ['http://127.0.0.1/callback'] })
  const moved = { ...other, app: { ...other.app, redirectUri: 'http://127.0.0.1:49152/callback' } }
  const { form } = await getCode(minaret(), moved)
  const registered = await postToken(minaret(), { ...form, redirect_uri: 'http://127.0.0.1/callback' })
  assert.equal((await readError(registered)).error, 'invalid_grant')
  await readTokens(await postToken(minaret(), form))
})

test('refused: a code of another app, with another redirect URI, with a wrong or malformed verifier, unknown', async () => {
  const { form } = await getCode(minaret(), flow)
  const other = await makeClient(minaret().service.database)
  const attempts: Record<string, Record<string, string>> = {
    'another app': { client_id: other.clientId },
    'another redirect URI': { redirect_uri: 'https://app.example.org/other' },
    'a wrong verifier': { code_verifier: makePkce().verifier },
    'a short verifier': { code_verifier: 'short' },
    'the challenge for a verifier': { code_verifier: makePkce().challenge },
    'an unknown code': { code: 'unknown' },
  }
  for (const [what, change] of Object.entries(attempts)) {
    const response = await postToken(minaret(), { ...form, ...change })
    assert.equal(response.status, 400, what)
    assert.equal((await readError(response)).error, 'invalid_grant', what)
  }
  await readTokens(await postToken(minaret(), form))
})

test('refused: a request without code, redirect_uri or code_verifier', async () => {
  const { form } = await getCode(minaret(), flow)
  for (const name of ['code', 'redirect_uri', 'code_verifier']) {
    const { [name]: _left, ...rest } = form
    assert.equal((await readError(await postToken(minaret(), rest))).error, 'invalid_request', name)
  }
})

test('refused: a NUL in a parameter', async () => {
  const { form } = await getCode(minaret(), flow)
  const response = await postToken(minaret(), { ...form, redirect_uri: `${form.redirect_uri}\0` })
  assert.equal(response.status, 400)
  assert.equal((await readError(response)).error, 'invalid_request')
})

test('refused: an expired code', async () => {
  const { form } = await getCode(minaret(), flow)
  const { database } = minaret().service
  await database.run(sql`update minaret.authorization_codes set expires_at = now() where used_at is null`)
  assert.match((await readError(await postToken(minaret(), form))).error_description, /expired/)
})

test('a code is valid for 60 seconds and is stored only as a digest', async () => {
  const { form } = await getCode(minaret(), flow)
  const { database } = minaret().service
  const [row] = await database.query<{ seconds: number; text: string }>(sql`
    select extract(epoch from expires_at - created_at)::int as seconds, authorization_codes::text as text
    from minaret.authorization_codes order by created_at desc limit 1`)
  assert.equal(row?.seconds, 60)
  assert.ok(!row?.text.includes(form.code ?? ''))
})

test('a replayed code is refused, and every token issued from it is revoked', async () => {
  const { form } = await getCode(minaret(), flow)
  const tokens = await readTokens(await postToken(minaret(), form))
  assert.equal((await userinfo(minaret(), tokens.access_token)).status, 200)
  const replay = await postToken(minaret(), form)
  assert.equal(replay.status, 400)
  assert.equal((await readError(replay)).error, 'invalid_grant')
  await within(1000, 'the access token is refused', async () => {
    return (await userinfo(minaret(), tokens.access_token)).status === 401
  })
  const refreshed = await postToken(minaret(), {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
    client_id: flow.app.clientId,
  })
  assert.equal((await readError(refreshed)).error, 'invalid_grant')
})

test('many different codes at once: each gets its own tokens, and invalid ones get none', async () => {
  const codes = []
  for (let count = 0; count < 16; count += 1)
    codes.push(await getCode(minaret(), flow, { parameters: { nonce: `nonce ${count}` } }))
  const responses = await Promise.all(
    codes.map(({ form }, index) =>
      postToken(minaret(), index % 4 === 3 ? { ...form, code_verifier: makePkce().verifier } : form),
    ),
  )
  for (const [index, response] of responses.entries())
    if (index % 4 === 3) assert.equal((await readError(response)).error, 'invalid_grant')
    else assert.equal(decodeJwt((await readTokens(response)).id_token).nonce, `nonce ${index}`)
})

test('one code redeemed 50 times at once: one set of tokens, which is then revoked', async () => {
  const { form } = await getCode(minaret(), flow)
  const responses = await Promise.all(Array.from({ length: 50 }, () => postToken(minaret(), form)))
  const good = responses.filter(({ status }) => status === 200)
  assert.equal(good.length, 1)
  for (const response of responses.filter(({ status }) => status !== 200))
    assert.equal((await readError(response)).error, 'invalid_grant')
  const [winner] = good
  assert.ok(winner)
  const tokens = await readTokens(winner)
  await within(1000, 'the one set of tokens is revoked', async () => {
    return (await userinfo(minaret(), tokens.access_token)).status === 401
  })
  const { database } = minaret().service
  const grantId = String(decodeJwt(tokens.access_token).grant_id)
  const [row] = await database.query<{ tokens: string; revoked: boolean }>(sql`
    select (select count(*) from minaret.refresh_tokens where grant_id = ${grantId}) as tokens,
      revoked_at is not null as revoked from minaret.grants where id = ${grantId}`)
  assert.deepEqual(row, { tokens: '1', revoked: true })
})

test('withdrawing a consent also ends a code that is not yet redeemed', async () => {
  const own = await makeFlow(minaret())
  const { form } = await getCode(minaret(), own)
  const { database } = minaret().service
  await database.run(sql`update minaret.consents set withdrawn_at = now() where user_id = ${own.user.id}`)
  assert.equal((await readError(await postToken(minaret(), form))).error, 'invalid_grant')
  const again = locationOf(await getAuthorize(minaret(), authorizeParameters(own.app, makePkce()), own.cookie))
  assert.equal(again.pathname, '/consent')
})

test('a withdrawn authorization is refused for the same reason alone and in a batch, and its codes stay unused', async () => {
  const own = await makeFlow(minaret())
  const codes = []
  for (let count = 0; count < 6; count += 1) codes.push(await getCode(minaret(), own))
  const { database } = minaret().service
  await database.run(sql`update minaret.consents set withdrawn_at = now() where user_id = ${own.user.id}`)
  const [first, ...others] = codes.map(({ form }) => form)
  const alone = await readError(await postToken(minaret(), first ?? {}))
  const together = await Promise.all(others.map(async form => readError(await postToken(minaret(), form))))
  for (const error of [alone, ...together])
    assert.deepEqual(error, { error: 'invalid_grant', error_description: 'The authorization was withdrawn.' })
  const used = await database.query(sql`
    select from minaret.authorization_codes where user_id = ${own.user.id} and used_at is not null`)
  assert.equal(used.length, 0)
})
