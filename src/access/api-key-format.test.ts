import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiKey, parseApiKey } from './api-key-format.ts'

test('a new key has its documented shape and is recognised', () => {
  for (const environment of ['live', 'test'] as const) {
    const key = createApiKey(environment)
    assert.match(key, new RegExp(`^mk_${environment}_[0-9A-Za-z]{38}$`))
    assert.equal(parseApiKey(key), environment)
  }
})

test('no two keys are the same', () => {
  const keys = new Set(Array.from({ length: 1000 }, () => createApiKey('live')))
  assert.equal(keys.size, 1000)
})

test('one changed character is noticed without the database', () => {
  const key = createApiKey('live')
  for (let place = 8; place < key.length; place += 1) {
    const other = key[place] === 'a' ? 'b' : 'a'
    assert.equal(parseApiKey(key.slice(0, place) + other + key.slice(place + 1)), undefined)
  }
})

test('anything else is not a key', () => {
  const key = createApiKey('live')
  for (const text of [
    '',
    'mk_live_',
    key.slice(1),
    `${key}a`,
    key.replace('live', 'test'),
    key.replace('live', 'prod'),
  ])
    assert.equal(parseApiKey(text), undefined, text)
})
