// Somebody has stolen tokens that are bound to a key, or proofs that were sent with them: neither opens anything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportJWK } from 'jose'
import { createNonces } from '../../../src/access/dpop/nonces.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { deriveSecret, randomToken } from '../../../src/base/secrets.ts'
import { sql } from '../../../src/db/sql.ts'
import { TEST_SECRET, useMinaret } from '../../support/minaret.ts'
import {
  basic,
  getCode,
  makeClient,
  makeFlow,
  postToken,
  readError,
  readTokens,
  type TestApp,
  userinfo,
} from '../../support/oauth.ts'
import {
  makeProofKey,
  type ProofKey,
  type ProofWishes,
  postProven,
  sendProven,
  signProof,
} from '../../support/proofs.ts'

let app: TestApp
let key: ProofKey
let token: string
const minaret = useMinaret({}, async ({ service: { database }, baseUrl }) => {
  app = await makeClient(database, { kind: 'confidential' })
  key = await makeProofKey()
  const form = { grant_type: 'client_credentials' }
  token = (await readTokens(await postProven(key, `${baseUrl}/api/oauth/token`, form, { headers: basic(app) })))
    .access_token
})

const url = (): string => `${minaret().baseUrl}/v1/graphql`
const tokenUrl = (): string => `${minaret().baseUrl}/api/oauth/token`
const body = JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' })
const now = (): number => Math.floor(Date.now() / 1000)
const nonceOf = (secret: string): string => createNonces(deriveSecret(secret, 'dpop nonces'), systemClock).current()

const ask = (headers: Record<string, string>): Promise<Response> =>
  fetch(url(), { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

const prove = (wishes: Partial<ProofWishes> = {}, by = key): Promise<string> =>
  signProof(by, { url: url(), token, nonce: nonceOf(TEST_SECRET), ...wishes })

const askWith = async (dpop: string, stolen = token): Promise<Response> =>
  ask({ authorization: `DPoP ${stolen}`, dpop })

const assertRefused = async (response: Response, code: string, what: string): Promise<void> => {
  const text = await response.text()
  assert.equal(response.status, 401, `${what}: ${text}`)
  assert.match(text, new RegExp(`"code":"${code}"`), what)
  assert.match(response.headers.get('www-authenticate') ?? '', /^(DPoP algs="ES256 |Bearer )/, what)
}

test('a bound token is refused as a bearer token at every endpoint, and a bearer token with a proof', async () => {
  await assertRefused(await ask({ authorization: `Bearer ${token}` }), 'invalid_token', 'as a bearer token')
  assert.equal((await userinfo(minaret(), token)).status, 401)
  for (const path of ['/v1/schema.json', `/v1/masjids/${crypto.randomUUID()}/events.ics`]) {
    const response = await fetch(minaret().baseUrl + path, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(response.status, 401, path)
  }
  const { access_token: bearer } = await readTokens(
    await postToken(minaret(), { grant_type: 'client_credentials' }, basic(app)),
  )
  await assertRefused(await askWith(await prove({ token: bearer }), bearer), 'invalid_token', 'a bearer token')
  assert.equal((await ask({ authorization: `Bearer ${bearer}` })).status, 200)
})

test('a proof is good for one request: replayed, for another method, address, token or key, it is refused', async () => {
  const used = await prove()
  assert.equal((await askWith(used)).status, 200)
  await assertRefused(await askWith(used), 'invalid_dpop_proof', 'replayed')
  const [first, second] = await Promise.all([prove({ claims: { jti: 'once' } }), prove({ claims: { jti: 'once' } })])
  const both = await Promise.all([askWith(first), askWith(second)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401], 'at the same moment')
  const other = await makeProofKey()
  const wrong: Record<string, string> = {
    'another method': await prove({ method: 'GET' }),
    'another address': await prove({ url: tokenUrl() }),
    'another host': await prove({ url: 'https://other.example.org/v1/graphql' }),
    'no hash of the token': await prove({ token: undefined }),
    'the hash of another token': await prove({ token: 'another' }),
    'another key': await prove({}, other),
    "the victim's key in the header, signed with another": await prove({ signer: other.privateKey }),
    'no jti': await prove({ claims: { jti: undefined } }),
    'an old one': await prove({ claims: { iat: now() - 600 } }),
    'one of the future': await prove({ claims: { iat: now() + 600 } }),
    'no time': await prove({ claims: { iat: undefined } }),
    'a time in words': await prove({ claims: { iat: 'now' } }),
    'no address': await prove({ claims: { htu: undefined } }),
    'a token of another kind': await prove({ header: { typ: 'JWT' } }),
    'an oversize one': await prove({ claims: { padding: 'x'.repeat(5000) } }),
    'not a JWT': 'proof',
    'two in one header': `${await prove()}, ${await prove()}`,
  }
  for (const [what, proof] of Object.entries(wrong))
    await assertRefused(await askWith(proof), 'invalid_dpop_proof', what)
  await assertRefused(await ask({ authorization: `DPoP ${token}` }), 'invalid_dpop_proof', 'no proof')
})

test('algorithms and keys: no symmetric one, none at all, no private key in the header, no RSA', async () => {
  const secret = new TextEncoder().encode(JSON.stringify(key.jwk))
  const symmetric = { alg: 'HS256', jwk: { kty: 'oct', k: Buffer.from(secret).toString('base64url') } }
  await assertRefused(await askWith(await prove({ header: symmetric, signer: secret })), 'invalid_dpop_proof', 'HS256')
  const confused = await prove({ header: { alg: 'HS256' }, signer: secret })
  await assertRefused(await askWith(confused), 'invalid_dpop_proof', 'HS256 with the public key')
  const [, claims] = (await prove()).split('.')
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'dpop+jwt', jwk: key.jwk })).toString('base64url')
  await assertRefused(await askWith(`${none}.${claims}.`), 'invalid_dpop_proof', 'none')
  const whole = await prove({ header: { jwk: await exportJWK(key.privateKey) } })
  await assertRefused(await askWith(whole), 'invalid_dpop_proof', 'a private key')
  const rsa = await makeProofKey('RS256')
  await assertRefused(await askWith(await prove({ header: { alg: 'RS256' } }, rsa)), 'invalid_dpop_proof', 'RS256')
})

test('a proof needs a nonce of this installation: without one, or with that of another, it is asked for', async () => {
  const nonces = { none: undefined, another: nonceOf(randomToken(32)), invented: 'x' }
  for (const [what, nonce] of Object.entries(nonces)) {
    const response = await askWith(await prove({ nonce }))
    assert.ok(response.headers.get('dpop-nonce'), what)
    await assertRefused(response, 'use_dpop_nonce', what)
  }
  const proof = await signProof(key, { url: tokenUrl() })
  const asked = await postToken(minaret(), { grant_type: 'client_credentials' }, { ...basic(app), dpop: proof })
  assert.deepEqual([asked.status, (await readError(asked)).error], [400, 'use_dpop_nonce'])
})

test('what is not allowed to use a token cannot fill the database with proofs', async () => {
  const count = async (): Promise<number> => {
    const row = await minaret().service.database.first<{ many: number }>(sql`
      select count(*)::int as many from minaret.used_token_ids`)
    return row?.many ?? 0
  }
  const before = await count()
  const other = await makeProofKey()
  for (const stolen of [token, 'invented']) await askWith(await prove({ token: stolen }, other), stolen)
  assert.equal(await count(), before)
})

test("a public app's refresh token is worth nothing without its key, and its family lives on", async () => {
  const flow = await makeFlow(minaret())
  const { form } = await getCode(minaret(), flow)
  const tokens = await readTokens(await postProven(key, tokenUrl(), form))
  const again = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: flow.app.clientId }
  assert.equal((await readError(await postToken(minaret(), again))).error, 'invalid_grant')
  const thief = await makeProofKey()
  assert.equal((await readError(await postProven(thief, tokenUrl(), again))).error, 'invalid_grant')
  const next = await readTokens(await postProven(key, tokenUrl(), again))
  assert.equal(next.token_type, 'DPoP')
  const later = { ...again, refresh_token: next.refresh_token }
  assert.equal(
    (await readError(await postProven(thief, tokenUrl(), later))).error,
    'invalid_grant',
    'its successor too',
  )
  const info = `${minaret().baseUrl}/api/oauth/userinfo`
  const sending = { method: 'GET', url: info, headers: { authorization: `DPoP ${next.access_token}` } }
  assert.equal((await sendProven(key, sending, { token: next.access_token })).status, 200)
  assert.equal((await sendProven(thief, sending, { token: next.access_token })).status, 401)
})

test('a bound token opens no WebSocket and no reserved stream, where nothing could be proven later', async () => {
  const response = await sendProven(
    key,
    { method: 'PUT', url: `${url()}/stream`, headers: { authorization: `DPoP ${token}` } },
    { token },
  )
  assert.equal(response.status, 401)
  const payload = { authorization: `DPoP ${token}`, dpop: await prove({ method: 'GET' }) }
  const socket = new WebSocket(url().replace('http', 'ws'), 'graphql-transport-ws')
  const closed = new Promise<number>(resolve => socket.addEventListener('close', ({ code }) => resolve(code)))
  socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })))
  assert.equal(await closed, 4403)
})
