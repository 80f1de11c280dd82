import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecondSightCache } from './second-sight-cache.ts'

const make = () => createSecondSightCache<{ readonly number: number }>({ maxBytes: 1000, bytesOf: () => 100 })

test('a key seen once is not cached, a key seen again is', () => {
  const cache = make()
  cache.set('a', { number: 1 })
  assert.equal(cache.get('a'), undefined)
  cache.set('a', { number: 2 })
  assert.deepEqual(cache.get('a'), { number: 2 })
})

test('a stream of different keys evicts nothing', () => {
  const cache = make()
  for (const number of [1, 2]) cache.set('a', { number })
  for (let number = 0; number < 50_000; number += 1) cache.set(`stranger ${number}`, { number })
  assert.deepEqual(cache.get('a'), { number: 2 })
  assert.equal(cache.bytes, 100)
})

test('the cache never exceeds its bound, and the least used are evicted first', () => {
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
