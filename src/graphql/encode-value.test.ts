import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bigintType, textType } from '../catalog/aggregates.ts'
import type { ValueType } from '../catalog/value-type.ts'
import { encodeValue } from './encode-value.ts'
import type { Source } from './plan/input.ts'

const jsonb: ValueType = { ...textType, graphql: 'jsonb', family: 'jsonb' }
const listOf = (element: ValueType): ValueType => ({ ...element, element })
const variable = (...path: (string | number)[]): Source => ({ kind: 'variable', path })
const encode = (type: ValueType, value: unknown): string | null =>
  encodeValue({ source: variable('v'), type }, { v: value })

test('plain values are sent as text; numbers keep all their digits', () => {
  assert.equal(encode(textType, `it's "so" \\`), `it's "so" \\`)
  assert.equal(encode(bigintType, 9007199254740993n), '9007199254740993')
  assert.equal(encodeValue({ source: { kind: 'number', text: '1.10' }, type: bigintType }, {}), '1.10')
  assert.equal(encode(textType, true), 'true')
  assert.equal(encode(textType, null), null)
  assert.equal(encodeValue({ source: variable('none', 0, 'x'), type: textType }, {}), null)
})

test('lists are array literals with every element quoted', () => {
  assert.equal(
    encode(listOf(textType), ['a', 'b,c', '{}', '"', '\\', '', 'NULL']),
    '{"a","b,c","{}","\\"","\\\\","","NULL"}',
  )
  assert.equal(encode(listOf(textType), ['a', null]), '{"a",NULL}')
  assert.equal(encode(listOf(textType), []), '{}')
  assert.equal(encode(listOf(textType), 'one'), '{"one"}')
  assert.equal(
    encode(listOf(bigintType), [
      [1, 2],
      [3, 4],
    ]),
    '{{"1","2"},{"3","4"}}',
  )
  assert.equal(encode(listOf(jsonb), [{ a: 'x"y' }, [1]]), '{"{\\"a\\":\\"x\\\\\\"y\\"}","[1]"}')
})

test('JSON stays JSON, with numbers as written', () => {
  assert.equal(encode(jsonb, { a: [1, null, 'x'], b: 9007199254740993n }), '{"a":[1,null,"x"],"b":9007199254740993}')
  const source: Source = {
    kind: 'object',
    fields: [
      ['n', { kind: 'number', text: '1e400' }],
      ['v', variable('v')],
    ],
  }
  assert.equal(encodeValue({ source, type: jsonb }, { v: 'x' }), '{"n":1e400,"v":"x"}')
})

test('paths are lists of their steps', () => {
  const path = (text: string) => encodeValue({ source: variable('v'), type: textType, encoding: 'path' }, { v: text })
  assert.equal(path('$.a.b[0]'), '{"a","b","0"}')
  assert.equal(path('a["b.c"]'), '{"a","b.c"}')
  assert.equal(path('$'), '{}')
  assert.throws(() => path('a['), /cannot be read/)
})

test('a single value stands for a list of one, however deep', () => {
  assert.equal(encodeValue({ source: variable('v', 0, 'a'), type: textType }, { v: { a: 'x' } }), 'x')
})
