import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importJWK, jwtVerify } from 'jose'
import { generateKey } from '../signing-keys/generate-key.ts'
import { makeSigningKey, signingAlgorithms } from '../signing-keys/signing-key.ts'
import { signJwt } from './sign-jwt.ts'

for (const algorithm of signingAlgorithms)
  test(`${algorithm}: jose verifies what we sign, and rejects modified tokens`, async () => {
    const pair = await generateKey(algorithm)
    const key = makeSigningKey({ ...pair, state: 'active' })
    const publicKey = await importJWK(pair.publicJwk, algorithm)
    const token = await signJwt(key, 'at+jwt', { sub: 'somebody' })
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, { typ: 'at+jwt', algorithms: [algorithm] })
    assert.equal(payload.sub, 'somebody')
    assert.deepEqual(protectedHeader, { alg: algorithm, kid: pair.kid, typ: 'at+jwt' })
    const [header, , signature] = token.split('.')
    const forged = Buffer.from('{"sub":"somebody else"}').toString('base64url')
    await assert.rejects(jwtVerify(`${header}.${forged}.${signature}`, publicKey))
  })

test('of many signed at once, each gets its own, and one with a broken key fails alone', async () => {
  const pair = await generateKey('ES256')
  const key = makeSigningKey({ ...pair, state: 'active' })
  const broken = { ...key, signer: {} as typeof key.signer }
  const publicKey = await importJWK(pair.publicJwk, 'ES256')
  const wanted = Array.from({ length: 21 }, (_, number) =>
    signJwt(number === 10 ? broken : key, 'at+jwt', { sub: String(number) }),
  )
  const results = await Promise.allSettled(wanted)
  for (const [number, result] of results.entries()) {
    assert.equal(result.status, number === 10 ? 'rejected' : 'fulfilled')
    if (result.status === 'fulfilled')
      assert.equal((await jwtVerify(result.value, publicKey)).payload.sub, String(number))
  }
})
