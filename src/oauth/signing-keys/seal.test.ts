import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { generateKey } from './generate-key.ts'
import { openPrivateKey, sealPrivateKey } from './seal.ts'

test('a sealed key opens only with the same secret and name', async () => {
  const secret = randomBytes(32)
  const { privateKey, kid } = await generateKey('ES256')
  const sealed = sealPrivateKey(privateKey, kid, secret)
  assert.ok(openPrivateKey(sealed, kid, secret).equals(privateKey))
  assert.throws(() => openPrivateKey(sealed, kid, randomBytes(32)))
  assert.throws(() => openPrivateKey(sealed, 'another', secret))
  const bent = Buffer.from(sealed)
  bent[40] = (bent[40] ?? 0) ^ 1
  assert.throws(() => openPrivateKey(bent, kid, secret))
})
