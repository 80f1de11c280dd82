import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearerOf, likelyBearer } from './bearer.ts'

test('the scheme is case-insensitive, RFC 9110 section 11.1', () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    assert.equal(bearerOf(`${scheme} abc.def-_~+/==`), 'abc.def-_~+/==')
})

test('the usual spelling takes the fast path, which does not validate; anything else takes the slow one', () => {
  assert.equal(likelyBearer('Bearer abc.def'), 'abc.def')
  assert.equal(likelyBearer('Bearer a b '), 'a b ')
  for (const header of [undefined, '', 'Bearer', 'bearer abc', 'Basic abc'])
    assert.equal(likelyBearer(header), undefined)
})

test('without a credential the challenge has no error, RFC 6750 section 3', () => {
  for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', 'abc'])
    assert.throws(() => bearerOf(header), {
      code: 'missing_token',
      headers: { 'www-authenticate': 'Bearer realm="minaret"' },
    })
})
