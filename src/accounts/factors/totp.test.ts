import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTotpKey, matchTotpStep } from './totp.ts'

/** RFC 6238 appendix B, the last six of eight digits. */
const secret = Buffer.from('12345678901234567890')
const at = (seconds: number): Date => new Date(seconds * 1000)

test('the codes are those of RFC 6238, each with its time step', () => {
  assert.equal(matchTotpStep(secret, '287082', at(59)), 1)
  assert.equal(matchTotpStep(secret, '081804', at(1111111109)), 37037036)
  assert.equal(matchTotpStep(secret, '353130', at(20000000000)), 666666666)
})

test('a code is accepted one step early and one step late, and no further', () => {
  for (const [seconds, step] of [
    [0, 1],
    [29, 1],
    [60, 1],
    [89, 1],
    [90, undefined],
  ] as const)
    assert.equal(matchTotpStep(secret, '287082', at(seconds)), step, String(seconds))
})

test('spaces are allowed; anything but six digits is no code', () => {
  assert.equal(matchTotpStep(secret, '287 082', at(59)), 1)
  for (const typed of ['', '28708', '2870820', '94287082', '２８７０８２', 'abcdef'])
    assert.equal(matchTotpStep(secret, typed, at(59)), undefined, typed)
})

test('the key is shown for typing and for scanning', () => {
  const { uri, text } = describeTotpKey(secret, 'amina@example.org')
  assert.equal(text, 'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')
  assert.match(
    uri,
    /^otpauth:\/\/totp\/Minaret:amina(%40|@)example\.org\?issuer=Minaret&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ/,
  )
})
