import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerKey, createAnswerCache } from './answer-cache.ts'

const answer = (text: string) => ({ body: Buffer.from(text), contentType: 'application/json' })

test('what was kept is given back with a tag that follows the bytes', () => {
  const cache = createAnswerCache()
  const kept = cache.set('a', answer('{"data":1}'))
  assert.equal(cache.get('a'), kept)
  assert.match(kept.etag, /^"[\w-]{27}"$/)
  assert.notEqual(cache.set('b', answer('{"data":2}')).etag, kept.etag)
  assert.equal(cache.set('c', answer('{"data":1}')).etag, kept.etag)
})

test('other scopes, another media type or another body are another answer', () => {
  const keys = [
    answerKey('masjid:read', 'json', Buffer.from('{}')),
    answerKey('masjid:read events:read', 'json', Buffer.from('{}')),
    answerKey('masjid:read', 'graphql', Buffer.from('{}')),
    answerKey('masjid:read', 'json', Buffer.from('{} ')),
  ]
  assert.equal(new Set(keys).size, keys.length)
})

test('the cache never holds more bytes than it may, and the least used go first', () => {
  const cache = createAnswerCache({ maxBytes: 64 * 1024 })
  for (let number = 0; number < 500; number += 1) {
    cache.set(`key ${number}`, answer('x'.repeat(1000)))
    cache.get('key 0')
    assert.ok(cache.bytes <= 64 * 1024)
  }
  assert.ok(cache.get('key 0') !== undefined, 'it was asked for all the time')
  assert.equal(cache.get('key 1'), undefined)
})

test('one giant answer does not push out all others', () => {
  const cache = createAnswerCache({ maxBytes: 64 * 1024 })
  cache.set('small', answer('x'))
  cache.set('giant', answer('x'.repeat(60 * 1024)))
  assert.equal(cache.get('giant'), undefined)
  assert.ok(cache.get('small') !== undefined)
})

test('after its time, and after a clearing, nothing is left', async () => {
  const cache = createAnswerCache({ maxAgeMs: 1 })
  cache.set('a', answer('x'))
  const deadline = Date.now() + 2000
  while (cache.get('a') !== undefined && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, 2))
  assert.equal(cache.get('a'), undefined)
  const lasting = createAnswerCache()
  lasting.set('a', answer('x'))
  lasting.clear()
  assert.equal(lasting.get('a'), undefined)
  assert.equal(lasting.bytes, 0)
})
