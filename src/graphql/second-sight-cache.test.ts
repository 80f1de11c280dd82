import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecondSightCache } from './second-sight-cache.ts'

const make = () => createSecondSightCache<{ readonly number: number }>({ maxBytes: 1000, bytesOf: () => 100 })

test('what comes once is not kept, what comes again is', () => {
  const cache = make()
  cache.set('a', { number: 1 })
  assert.equal(cache.get('a'), undefined)
  cache.set('a', { number: 2 })
  assert.deepEqual(cache.get('a'), { number: 2 })
})

test('a stream of different keys pushes nothing out', () => {
  const cache = make()
  for (const number of [1, 2]) cache.set('a', { number })
  for (let number = 0; number < 50_000; number += 1) cache.set(`stranger ${number}`, { number })
  assert.deepEqual(cache.get('a'), { number: 2 })
  assert.equal(cache.bytes, 100)
})

test('what is kept never grows beyond its bound, and the least used go first', () => {
  const cache = make()
  for (let number = 0; number < 100; number += 1)
    for (const _time of [1, 2]) {
      cache.set(`key ${number}`, { number })
      cache.get('key 0')
    }
  assert.equal(cache.bytes, 1000)
  assert.ok(cache.get('key 0') !== undefined)
  assert.equal(cache.get('key 1'), undefined)
})
