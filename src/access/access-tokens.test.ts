import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose'
import { createAccessTokens } from './access-tokens.ts'

const issuer = 'https://id.example.org'
const now = 1_700_000_000
const claims = {
  client_id: 'client-1',
  scope: 'masjid:read unknown:read events:read',
  grant_id: '7f3c1f0e-0000-4000-8000-000000000001',
}

let keys: GenerateKeyPairResult
let strangers: GenerateKeyPairResult
before(async () => {
  keys = await generateKeyPair('ES256')
  strangers = await generateKeyPair('ES256')
})

const clockAt = (seconds: number) => ({ now: () => new Date(seconds * 1000) })

const createTokens = (clock = clockAt(now)) =>
  createAccessTokens({ issuer, clock, verifyKeys: kid => (kid === 'k1' ? keys.publicKey : undefined) })

interface Change {
  readonly header?: Record<string, unknown>
  readonly payload?: Record<string, unknown>
  readonly key?: CryptoKey
  readonly without?: string
}

const sign = ({ header, payload, key, without }: Change = {}): Promise<string> => {
  const body: Record<string, unknown> = {
    iss: issuer,
    aud: issuer,
    sub: 'b5a7c0de-0000-4000-8000-000000000001',
    jti: 'token-1',
    iat: now - 10,
    exp: now + 3590,
    ...claims,
    ...payload,
  }
  if (without !== undefined) delete body[without]
  return new SignJWT(body)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'k1', ...header })
    .sign(key ?? keys.privateKey)
}

const refused = (token: string) =>
  assert.rejects(async () => createTokens().verify(token), { code: 'invalid_token', status: 401 })

test('a valid token gives its claims; unknown scopes are ignored', async () => {
  assert.deepEqual(await createTokens().verify(await sign()), {
    tokenId: 'token-1',
    clientId: 'client-1',
    userId: 'b5a7c0de-0000-4000-8000-000000000001',
    grantId: claims.grant_id,
    scopes: ['masjid:read', 'events:read'],
    issuedAt: now - 10,
    expiresAt: now + 3590,
    acr: undefined,
    authenticatedAt: undefined,
    thumbprint: undefined,
  })
})

test('a token of an app itself has no user', async () => {
  const token = await sign({ payload: { sub: 'client-1' }, without: 'grant_id' })
  assert.equal((await createTokens().verify(token)).userId, undefined)
})

test('issuer, audience and expiry are checked', async () => {
  for (const payload of [
    { iss: 'https://evil.example' },
    { aud: 'https://evil.example' },
    { exp: now },
    { exp: now - 1 },
  ])
    await refused(await sign({ payload }))
})

test('a missing claim is refused', async () => {
  for (const without of ['sub', 'client_id', 'jti', 'iat', 'exp', 'iss', 'aud', 'grant_id'])
    await refused(await sign({ without }))
})

test('an ID token is not an access token', async () => {
  for (const typ of ['JWT', undefined]) await refused(await sign({ header: { typ } }))
})

test('a key in the header is never used', async () => {
  const jwk = await exportJWK(strangers.publicKey)
  await refused(await sign({ key: strangers.privateKey, header: { jwk } }))
  await refused(
    await sign({
      key: strangers.privateKey,
      header: { jku: 'https://evil.example/jwks', x5u: 'https://evil.example' },
    }),
  )
  await refused(await sign({ key: strangers.privateKey, header: { kid: 'k2' } }))
  await refused(await sign({ header: { kid: undefined } }))
})

test('the algorithm is pinned', async () => {
  const [, payload] = (await sign()).split('.')
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid: 'k1' })).toString('base64url')
  await refused(`${none}.${payload}.`)
  const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(keys.publicKey)))
  const body = JSON.parse(Buffer.from(String(payload), 'base64url').toString())
  await refused(await new SignJWT(body).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'k1' }).sign(secret))
})

test('a modified token and garbage are refused', async () => {
  const token = await sign()
  const [header, , signature] = token.split('.')
  const payload = Buffer.from(JSON.stringify({ ...claims, sub: 'somebody else' })).toString('base64url')
  for (const text of [`${header}.${payload}.${signature}`, token.slice(0, -4), 'nonsense', 'a.b.c', ''])
    await refused(text)
})

test('a cached token is refused once it has expired', async () => {
  let seconds = now
  const tokens = createTokens({ now: () => new Date(seconds * 1000) })
  const token = await sign()
  await tokens.verify(token)
  assert.ok(!(tokens.verify(token) instanceof Promise), 'the second time it comes from the cache')
  seconds = now + 3590
  await assert.rejects(async () => tokens.verify(token), { code: 'invalid_token' })
})
