import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExact, parseWithNumbersAsText, rawNumber } from './exact-json.ts'

test('whole numbers beyond 53 bits become bigints, all others stay what they are', () => {
  assert.deepEqual(
    parseExact('{"a":9007199254740993,"b":[1,-99999999999999999999],"c":1.5,"d":"1234567890123456789"}'),
    {
      a: 9007199254740993n,
      b: [1, -99999999999999999999n],
      c: 1.5,
      d: '1234567890123456789',
    },
  )
  assert.deepEqual(parseExact('{"a":9007199254740991}'), { a: 9007199254740991 })
})

test('numbers as text, and back', () => {
  assert.deepEqual(parseWithNumbersAsText('[1.10, "x", null, 12345678901234567890]'), [
    '1.10',
    'x',
    null,
    '12345678901234567890',
  ])
  assert.equal(JSON.stringify({ a: rawNumber('12345678901234567890.10') }), '{"a":12345678901234567890.10}')
})
