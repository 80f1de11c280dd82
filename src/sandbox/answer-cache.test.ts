import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerKey, createAnswerCache, knownAnswer } from './answer-cache.ts'

const answer = (text: string) => knownAnswer(text, 'W/"tag"', ['vary', 'accept'])
const asked = { version: '1', scopeKey: 'masjid:read', accept: 'json', request: Buffer.from('{}') }

test('what was kept is given back', () => {
  const cache = createAnswerCache()
  const kept = answer('{"data":1}')
  cache.set('a', kept)
  assert.equal(cache.get('a'), kept)
  assert.equal(cache.get('b'), undefined)
})

test('headers are ready to be written, bytes are counted as such, and a long body is kept as bytes', () => {
  assert.deepEqual(answer('é'), { body: 'é', bytes: 2, etag: 'W/"tag"', headers: ['vary', 'accept'] })
  assert.ok(Buffer.isBuffer(answer('x'.repeat(20_000)).body))
})

test('other scopes, media types, structures or bytes are another question', () => {
  const keys = [
    asked,
    { ...asked, scopeKey: 'masjid:read events:read' },
    { ...asked, accept: 'graphql' },
    { ...asked, version: '2' },
    { ...asked, request: Buffer.from('{} ') },
  ].map(answerKey)
  assert.equal(new Set(keys).size, keys.length)
  assert.equal(answerKey(asked), answerKey({ ...asked, request: Buffer.from('{}') }))
})

test('the cache never holds more bytes than it may, and the least used go first', () => {
  const cache = createAnswerCache({ maxBytes: 256 * 1024 })
  for (let number = 0; number < 500; number += 1) {
    cache.set(`key ${number}`, answer('x'.repeat(1000)))
    cache.get('key 0')
    assert.ok(cache.bytes <= 256 * 1024)
  }
  assert.ok(cache.get('key 0') !== undefined, 'it was asked for all the time')
  assert.equal(cache.get('key 1'), undefined)
})

test('one giant answer does not push out all others', () => {
  const cache = createAnswerCache({ maxBytes: 256 * 1024 })
  cache.set('small', answer('x'))
  cache.set('giant', answer('x'.repeat(200 * 1024)))
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
