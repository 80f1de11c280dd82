import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveSecret, equalBytes, randomBase62, randomToken, sha256 } from './secrets.ts'

test('random tokens carry 256 bits and never repeat', () => {
  const tokens = new Set(Array.from({ length: 1000 }, () => randomToken()))
  assert.equal(tokens.size, 1000)
  for (const token of tokens) assert.equal(Buffer.from(token, 'base64url').byteLength, 32)
})

test('base62 characters are evenly distributed over the alphabet', () => {
  const letters = randomBase62(62_000)
  assert.match(letters, /^[0-9A-Za-z]{62000}$/)
  const counts = new Map<string, number>()
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  assert.equal(counts.size, 62)
  for (const count of counts.values()) assert.ok(count > 750 && count < 1250, String(count))
})

test('secrets for different purposes differ, and for the same purpose are equal', () => {
  assert.ok(equalBytes(deriveSecret('s', 'a'), deriveSecret('s', 'a')))
  assert.ok(!equalBytes(deriveSecret('s', 'a'), deriveSecret('s', 'b')))
})

test('byte strings of different lengths are not equal', () => {
  assert.ok(!equalBytes(sha256('a'), sha256('a').subarray(1)))
})
