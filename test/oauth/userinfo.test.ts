import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { decodeJwt, decodeProtectedHeader, exportJWK, SignJWT } from 'jose'
import { makeKey } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { type Flow, getTokens, makeFlow, readError, userinfo } from '../support/oauth.ts'

let flow: Flow
const minaret = useMinaret({}, async running => {
  flow = await makeFlow(running)
})

const read = async (token: string): Promise<Record<string, unknown>> => {
  const response = await userinfo(minaret(), token)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  return (await response.json()) as Record<string, unknown>
}

test('claims follow the scopes', async () => {
  const { id, email, name } = flow.user
  const claims = async (scope: string) => read((await getTokens(minaret(), flow, { scope })).access_token)
  assert.deepEqual(await claims('openid'), { sub: id })
  assert.deepEqual(await claims('openid email'), { sub: id, email, email_verified: true })
  const profile = await claims('openid profile')
  assert.equal(profile.name, name)
  assert.equal(profile.email, undefined)
  const all = await claims('openid profile email')
  assert.deepEqual([all.sub, all.email, all.name], [id, email, name])
})

test('concurrent requests for different people are not mixed up', async () => {
  const flows = [flow, await makeFlow(minaret()), await makeFlow(minaret())]
  const tokens = await Promise.all(flows.map(one => getTokens(minaret(), one)))
  const asked = Array.from({ length: 30 }, (_, index) => index % flows.length)
  const records = await Promise.all(asked.map(which => read(tokens[which]?.access_token ?? '')))
  assert.deepEqual(
    records.map(({ sub, email }) => [sub, email]),
    asked.map(which => [flows[which]?.user.id, flows[which]?.user.email]),
  )
})

test('without openid the whole record is returned', async () => {
  const record = await read((await getTokens(minaret(), flow, { scope: 'masjid:read' })).access_token)
  assert.equal(record.sub, flow.user.id)
  assert.equal(record.email, flow.user.email)
  assert.equal(record.name, flow.user.name)
  const picture = await fetch(String(record.picture))
  assert.equal(picture.status, 200)
  assert.equal(picture.headers.get('content-type'), 'image/svg+xml')
  assert.match(await picture.text(), /^<svg /)
  assert.equal((await fetch(`${minaret().baseUrl}/pictures/somebody.svg`)).status, 400)
})

test('GET and POST with the header give the same', async () => {
  const { access_token: token } = await getTokens(minaret(), flow)
  const posted = await fetch(`${minaret().baseUrl}/api/oauth/userinfo`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(posted.status, 200)
  assert.deepEqual(await posted.json(), await read(token))
})

test('a request without a token gets a challenge without an error', async () => {
  const response = await fetch(`${minaret().baseUrl}/api/oauth/userinfo`)
  assert.equal(response.status, 401)
  const challenge = response.headers.get('www-authenticate') ?? ''
  assert.match(challenge, /^Bearer /)
  assert.doesNotMatch(challenge, /error/)
  const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
  assert.equal(((await (await fetch(metadata)).json()) as { resource: string }).resource, minaret().baseUrl)
})

const refused = async (token: string, what: string): Promise<void> => {
  const response = await userinfo(minaret(), token)
  assert.equal(response.status, 401, what)
  assert.match(response.headers.get('www-authenticate') ?? '', /error="invalid_token"/, what)
  assert.equal((await readError(response)).error, 'invalid_token', what)
}

test('refused: garbage, an ID token, a refresh token, an API key', async () => {
  const tokens = await getTokens(minaret(), flow)
  await refused('nonsense', 'nonsense')
  await refused(tokens.id_token, 'an ID token')
  await refused(tokens.refresh_token, 'a refresh token')
  const { key } = await makeKey(minaret().service.database, { appId: flow.app.id, scopes: ['masjid:read'] })
  await refused(key, 'an API key')
})

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

test('refused: another algorithm, type, key, issuer, audience or time, whatever the header says', async () => {
  const { access_token: good } = await getTokens(minaret(), flow)
  const [, payload = '', signature = ''] = good.split('.')
  const header = decodeProtectedHeader(good)
  const claims = decodeJwt(good)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = await exportJWK(publicKey)
  const forge = (changes: object, body: object = {}) =>
    new SignJWT({ ...claims, ...body }).setProtectedHeader({ ...header, alg: 'ES256', ...changes }).sign(privateKey)
  await refused(`${encode({ ...header, alg: 'none' })}.${payload}.`, 'alg none')
  await refused(`${encode({ ...header, typ: 'JWT' })}.${payload}.${signature}`, 'another type')
  await refused(await forge({}), 'another key under our name')
  await refused(await forge({ jwk }), 'a key in the header')
  await refused(await forge({ jku: 'https://evil.example/jwks' }), 'keys elsewhere')
  await refused(await forge({ x5u: 'https://evil.example/cert' }), 'a certificate elsewhere')
  await refused(await forge({ kid: 'unknown' }), 'an unknown kid')
  await refused(await forge({ kid: undefined }), 'no kid')
  await refused(`${encode(header)}.${encode({ ...claims, sub: 'x' })}.${signature}`, 'modified claims')
  const secret = Buffer.from(JSON.stringify(jwk))
  const hmac = await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' }).sign(secret)
  await refused(hmac, 'the public key as an HMAC secret')
  const der = sign('sha256', Buffer.from(`${encode(header)}.${payload}`), privateKey).toString('base64url')
  await refused(`${encode(header)}.${payload}.${der}`, 'a DER signature')
})
