import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { looksLikeRefreshToken, newRefreshToken, successorOf } from './refresh-token.ts'

test('a refresh token has its prefix and 256 bits, and so does its successor', () => {
  const secret = randomBytes(32)
  const token = newRefreshToken()
  assert.ok(looksLikeRefreshToken(token))
  const successor = successorOf(token, secret)
  assert.ok(looksLikeRefreshToken(successor))
  assert.equal(successorOf(token, secret), successor)
  assert.notEqual(successorOf(token, randomBytes(32)), successor)
})

test('other strings are not refresh tokens', () => {
  for (const text of ['', 'rt_', 'mk_live_abc', `rt_${'a'.repeat(42)}`, `rt_${'a'.repeat(44)}`, `rt_${'.'.repeat(43)}`])
    assert.equal(looksLikeRefreshToken(text), false, text)
})
