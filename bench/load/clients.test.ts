import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asClientWrites, clientHeaders } from './clients.ts'

const numbers = Array.from({ length: 2000 }, (_, number) => number)

test('headers differ as they would between clients, and are the same in every run', () => {
  const heads = numbers.map(number => JSON.stringify(clientHeaders(number)))
  assert.ok(new Set(heads).size > 500, `${new Set(heads).size} different heads`)
  assert.deepEqual(clientHeaders(17), clientHeaders(17))
})

test('a quarter of the requests have a unique id', () => {
  const ids = numbers.map(number => clientHeaders(number)['x-request-id']).filter(id => id !== undefined)
  assert.equal(ids.length, 500)
  assert.equal(new Set(ids).size, 500)
})

test('bodies express the same request in different ways', () => {
  const body = { query: 'query List($city: String!) { up_masjids { id } }', variables: { city: 'A' } }
  const texts = [0, 1, 2].map(number => JSON.stringify(asClientWrites(body, number)))
  assert.equal(new Set(texts).size, 3)
  for (const text of texts) assert.equal(JSON.parse(text).query, body.query)
  assert.equal(JSON.parse(texts[0] ?? '').operationName, 'List')
  assert.equal(JSON.stringify(asClientWrites({ query: '' }, 0)), '{"query":""}')
})
