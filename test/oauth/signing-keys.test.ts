import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose'
import { createLogger } from '../../src/base/log.ts'
import { deriveSecret } from '../../src/base/secrets.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { ACCESS_TOKEN_SECONDS, JWKS_MAX_AGE_SECONDS, KEY_ROTATION_SECONDS } from '../../src/oauth/lifetimes.ts'
import { loadKeyRing } from '../../src/oauth/signing-keys/load-keys.ts'
import { maintainKeys } from '../../src/oauth/signing-keys/maintain-keys.ts'
import { rotateKeys } from '../../src/oauth/signing-keys/rotate-keys.ts'
import { SIGNING_KEYS_PURPOSE } from '../../src/oauth/signing-keys/seal.ts'
import { mintAccessToken } from '../../src/oauth/tokens/access-token.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestMinaret, TEST_SECRET } from '../support/minaret.ts'
import { basic, makeClient, postToken, readTokens, within } from '../support/oauth.ts'

let owned: TestDatabase
let database: Database
before(async () => {
  owned = await createTestDatabase()
  database = openDatabase(owned.connection, { poolSize: 4, log: createLogger('silent') })
})
after(async () => {
  await database.close()
  await owned.drop()
})

const secret = randomBytes(32)
const reset = (): Promise<number> => database.run(sql`delete from minaret.signing_keys`)

/** A client that caches the JWKS for exactly as long as Cache-Control allows. */
const cachingClient = () => {
  let keys: JSONWebKeySet = { keys: [] }
  let freshUntil = Number.NEGATIVE_INFINITY
  return async (token: string, now: Date, fetchKeys: () => Promise<JSONWebKeySet>): Promise<void> => {
    if (now.getTime() >= freshUntil) {
      keys = await fetchKeys()
      freshUntil = now.getTime() + JWKS_MAX_AGE_SECONDS * 1000
    }
    await jwtVerify(token, createLocalJWKSet(keys), { currentDate: now, typ: 'at+jwt' })
  }
}

test('a client that honours caching never sees an unknown key, in automatic and forced rotations', async () => {
  await reset()
  const keeper = { database, secret }
  const verify = cachingClient()
  const kids = new Set<string>()
  const issued: { token: string; until: number }[] = []
  let now = new Date('2026-01-01T00:00:00Z')
  const step = async (seconds: number, rotate = false): Promise<void> => {
    now = new Date(now.getTime() + seconds * 1000)
    if (rotate) await rotateKeys(keeper, now)
    else await maintainKeys(keeper, now)
    const ring = await loadKeyRing(database, secret)
    kids.add(ring.active.ES256.kid)
    const fetchKeys = async () => JSON.parse(ring.jwks) as JSONWebKeySet
    const issuedAt = Math.floor(now.getTime() / 1000)
    const shared = { issuer: 'x', subject: 'x', clientId: 'x', scope: '', grantId: undefined }
    const claims = { ...shared, issuedAt, seconds: ACCESS_TOKEN_SECONDS }
    const token = await mintAccessToken(ring.active.ES256, claims)
    issued.push({ token, until: issuedAt + ACCESS_TOKEN_SECONDS })
    for (const { token, until } of issued) if (until > issuedAt) await verify(token, now, fetchKeys)
  }
  for (let minute = 0; minute < 30; minute += 1) await step(60, minute % 4 === 0)
  assert.ok(kids.size > 1, 'forced rotations took place')
  const forced = kids.size
  await step(KEY_ROTATION_SECONDS - 120)
  for (let minute = 0; minute < 30; minute += 1) await step(60)
  assert.ok(kids.size > forced, 'the automatic rotation took place')
})

test('a next key does not sign before every cache can have it; a retired one is deleted when its tokens have expired', async () => {
  await reset()
  const keeper = { database, secret }
  const start = new Date('2026-01-01T00:00:00Z')
  const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)
  await maintainKeys(keeper, start)
  const first = await loadKeyRing(database, secret)
  const { takesEffectAt } = await rotateKeys(keeper, later(10))
  assert.ok(takesEffectAt.getTime() - start.getTime() >= JWKS_MAX_AGE_SECONDS * 1000)
  assert.equal((await loadKeyRing(database, secret)).active.ES256.kid, first.active.ES256.kid)
  await maintainKeys(keeper, new Date(takesEffectAt.getTime() + 1000))
  const second = await loadKeyRing(database, secret)
  assert.notEqual(second.active.ES256.kid, first.active.ES256.kid)
  assert.ok(
    first.keys.some(({ kid }) => kid === second.active.ES256.kid),
    'it was published before',
  )
  assert.ok(
    second.keys.some(({ kid }) => kid === first.active.ES256.kid),
    'the old one is still published',
  )
  await maintainKeys(keeper, new Date(takesEffectAt.getTime() + (ACCESS_TOKEN_SECONDS + 7200) * 1000))
  const third = await loadKeyRing(database, secret)
  assert.ok(!third.keys.some(({ kid }) => kid === first.active.ES256.kid))
})

test('processes that start at the same time create one set of keys; private keys are sealed', async () => {
  await reset()
  await Promise.all(Array.from({ length: 4 }, () => maintainKeys({ database, secret }, new Date())))
  const rows = await database.query<{ state: string; text: string }>(
    sql`select state, signing_keys::text || encode(private_key_sealed, 'escape') as text from minaret.signing_keys`,
  )
  assert.deepEqual(rows.map(({ state }) => state).sort(), ['active', 'active', 'next', 'next'])
  for (const { text } of rows) assert.doesNotMatch(text, /"d"|PRIVATE KEY/)
  await assert.rejects(loadKeyRing(database, randomBytes(32)), /MINARET_SECRET/)
})

test('a running service follows a rotation without a restart, and old tokens stay valid', async () => {
  const minaret = await startTestMinaret()
  try {
    const app = await makeClient(minaret.service.database, { kind: 'confidential' })
    const issue = async () =>
      (await readTokens(await postToken(minaret, { grant_type: 'client_credentials' }, basic(app)))).access_token
    const fetchKeys = async () =>
      createLocalJWKSet((await (await fetch(`${minaret.baseUrl}/.well-known/jwks.json`)).json()) as JSONWebKeySet)
    const before = await issue()
    const cached = await fetchKeys()
    await minaret.service.database.run(
      sql`update minaret.signing_keys set created_at = now() - interval '1 hour' where state = 'next'`,
    )
    const sealing = deriveSecret(TEST_SECRET, SIGNING_KEYS_PURPOSE)
    await rotateKeys({ database: minaret.service.database, secret: sealing }, new Date())
    const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
    await within(1000, 'the next key signs', async () => kidOf(await issue()) !== kidOf(before))
    const after = await issue()
    await jwtVerify(after, cached, { typ: 'at+jwt' })
    await jwtVerify(before, await fetchKeys(), { typ: 'at+jwt' })
    const introspect = await fetch(`${minaret.baseUrl}/oauth/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ token: before }),
      headers: basic(app),
    })
    assert.equal(((await introspect.json()) as { active: boolean }).active, true)
    await assert.rejects(jwtVerify(after, createLocalJWKSet({ keys: [] })), errors.JWKSNoMatchingKey)
  } finally {
    await minaret.stop()
  }
})
