import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digitsOf, parseExact, rawNumber } from './exact-json.ts'

test('numbers stay numbers, and long ones also keep their digits', () => {
  const text = '{"a":9007199254740993,"b":[1,-99999999999999999999],"c":12345678901234567890.123456789,"d":1.5}'
  const parsed = parseExact(text) as { a: number; b: number[]; c: number; d: number }
  assert.deepEqual(Object.keys(parsed), ['a', 'b', 'c', 'd'])
  assert.equal(typeof parsed.a, 'number')
  assert.equal(digitsOf(parsed, 'a'), '9007199254740993')
  assert.equal(digitsOf(parsed, 'c'), '12345678901234567890.123456789')
  assert.equal(digitsOf(parsed, 'd'), undefined)
  assert.equal(digitsOf(parsed.b, 0), undefined)
  assert.equal(digitsOf(parsed.b, 1), '-99999999999999999999')
})

test('strings of digits stay strings, and non-objects have no digits', () => {
  const parsed = parseExact('{"a":"1234567890123456789"}')
  assert.deepEqual(parsed, { a: '1234567890123456789' })
  assert.equal(digitsOf(parsed, 'a'), undefined)
  assert.equal(digitsOf(parseExact('12345678901234567890'), 'a'), undefined)
})

test('a number is written with its original digits', () => {
  assert.equal(JSON.stringify({ a: rawNumber('12345678901234567890.10') }), '{"a":12345678901234567890.10}')
})
