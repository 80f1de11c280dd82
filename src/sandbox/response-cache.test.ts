import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpResponse } from '../graphql/entrance/http-response.ts'
import type { IncomingRequest } from '../graphql/entrance/transport.ts'
import { createSandboxResponses, type ResponseCacheOptions } from './response-cache.ts'
import { visitorGrant, wholeSchemaGrant } from './sandbox-grant.ts'

const open = (options: Partial<ResponseCacheOptions> = {}) => createSandboxResponses({ version: () => '1', ...options })

const response = (body: string): HttpResponse => ({
  status: 200,
  headers: ['vary', 'accept'],
  body,
  bytes: Buffer.byteLength(body),
  etag: 'W/"tag"',
})

const post = (text: string, headers: Record<string, string> = {}): IncomingRequest => ({
  id: 'id',
  method: 'POST',
  url: '/v1/graphql',
  headers: { 'content-type': 'application/json', ...headers },
  body: { kind: 'bytes', bytes: Buffer.from(text) },
  clientAddress: () => '127.0.0.1',
  abandoned: { add: () => undefined, delete: () => undefined },
})

test('a cached response is returned', () => {
  const cache = open()
  const kept = response('{"data":1}')
  cache.set('a', kept)
  assert.equal(cache.get('a')?.body, kept.body)
  assert.equal(cache.get('b'), undefined)
})

test('a long body is stored as bytes', () => {
  const cache = open()
  cache.set('a', response('x'.repeat(20_000)))
  assert.ok(Buffer.isBuffer(cache.get('a')?.body))
})

test('other scopes, media types, schema versions or bytes give another key', () => {
  const cache = open()
  const keys = [
    cache.keyOf(post('{}'), visitorGrant),
    cache.keyOf(post('{}'), wholeSchemaGrant),
    cache.keyOf(post('{}', { accept: 'graphql' }), visitorGrant),
    open({ version: () => '2' }).keyOf(post('{}'), visitorGrant),
    cache.keyOf(post('{} '), visitorGrant),
  ]
  assert.equal(new Set(keys).size, keys.length)
  assert.equal(cache.keyOf(post('{}'), visitorGrant), keys[0])
})

for (const [name, request] of Object.entries({
  'that asks for its cost': post('{}', { 'x-minaret-explain': '1' }),
  'of another media type': post('{}', { 'content-type': 'text/plain' }),
  'that is compressed': post('{}', { 'content-encoding': 'gzip' }),
  'without a body': post(''),
  'with a long body': post('x'.repeat(20_000)),
}))
  test(`the response to a request ${name} is not cached`, () =>
    assert.equal(open().keyOf(request, visitorGrant), undefined))

test('the cache never exceeds its limit of bytes, and evicts the least recently used first', () => {
  const cache = open({ maxBytes: 256 * 1024 })
  for (let number = 0; number < 500; number += 1) {
    cache.set(`key ${number}`, response('x'.repeat(1000)))
    cache.get('key 0')
    assert.ok(cache.bytes <= 256 * 1024)
  }
  assert.ok(cache.get('key 0') !== undefined, 'it was read all the time')
  assert.equal(cache.get('key 1'), undefined)
})

test('one giant response does not evict all others', () => {
  const cache = open({ maxBytes: 256 * 1024 })
  cache.set('small', response('x'))
  cache.set('giant', response('x'.repeat(200 * 1024)))
  assert.equal(cache.get('giant'), undefined)
  assert.ok(cache.get('small') !== undefined)
})

test('nothing is left after the maximum age, or after clearing', async () => {
  const cache = open({ maxAgeMs: 1 })
  cache.set('a', response('x'))
  const deadline = Date.now() + 60_000
  while (cache.get('a') !== undefined && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, 2))
  assert.equal(cache.get('a'), undefined)
  const lasting = open()
  lasting.set('a', response('x'))
  lasting.clear()
  assert.equal(lasting.get('a'), undefined)
  assert.equal(lasting.bytes, 0)
})
