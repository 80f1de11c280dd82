import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearerOf, likelyBearer } from './bearer.ts'

test('the scheme is read whatever its case, RFC 9110 section 11.1', () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    assert.equal(bearerOf(`${scheme} abc.def-_~+/==`), 'abc.def-_~+/==')
})

test('as it is usually written, it is found without a look at its letters; anything else is for the slower reading', () => {
  assert.equal(likelyBearer('Bearer abc.def'), 'abc.def')
  assert.equal(likelyBearer('Bearer a b '), 'a b ')
  for (const header of [undefined, '', 'Bearer', 'bearer abc', 'Basic abc'])
    assert.equal(likelyBearer(header), undefined)
})

test('without a credential there is a bare challenge, RFC 6750 section 3', () => {
  for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', 'abc'])
    assert.throws(() => bearerOf(header), {
      code: 'missing_token',
      headers: { 'www-authenticate': 'Bearer realm="minaret"' },
    })
})
