import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../../test/support/holds.ts'
import { Fault } from '../../base/fault.ts'
import { readClientCredentials } from './client-credentials.ts'

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`

test('HTTP Basic is form-decoded, and the secret may contain colons', () => {
  assert.deepEqual(readClientCredentials(basic('app:se:cret'), {}), {
    clientId: 'app',
    secret: 'se:cret',
    posted: false,
  })
  assert.deepEqual(readClientCredentials(basic('a%3Ab:s%2Bt+u'), {}), {
    clientId: 'a:b',
    secret: 's+t u',
    posted: false,
  })
  assert.deepEqual(readClientCredentials(`bAsIc ${basic('app:x').slice(6)}`, { client_id: 'app' }), {
    clientId: 'app',
    secret: 'x',
    posted: false,
  })
})

test('without a header, client_id alone identifies the client', () => {
  assert.deepEqual(readClientCredentials(undefined, { client_id: 'app' }), {
    clientId: 'app',
    secret: undefined,
    posted: false,
  })
  assert.throws(() => readClientCredentials(undefined, {}), { code: 'invalid_client', status: 401 })
})

test('without a header, the secret may be in the form', () => {
  assert.deepEqual(readClientCredentials(undefined, { client_id: 'app', client_secret: 'x' }), {
    clientId: 'app',
    secret: 'x',
    posted: true,
  })
})

test('refused: two methods, two client ids, an assertion, a broken encoding, a NUL', () => {
  const header = basic('app:x')
  assert.throws(() => readClientCredentials(header, { client_secret: 'x' }), { code: 'invalid_request' })
  assert.throws(() => readClientCredentials(header, { client_assertion: 'x' }), { code: 'invalid_request' })
  assert.throws(() => readClientCredentials(header, { client_id: 'other' }), { code: 'invalid_request' })
  assert.throws(() => readClientCredentials(undefined, { client_id: 'app', client_assertion: 'x' }), {
    code: 'invalid_client',
  })
  assert.throws(() => readClientCredentials(undefined, { client_secret: 'x' }), { code: 'invalid_client' })
  for (const pair of ['%zz:x', 'app', ':x', 'a\0b:x', 'a%00b:x'])
    assert.throws(() => readClientCredentials(basic(pair), {}), { code: 'invalid_client' }, pair)
})

test('any header gives credentials or a client error', async () => {
  await holds(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, encoded) => {
      try {
        readClientCredentials(encoded ? basic(text) : text, {})
      } catch (error) {
        assert.ok(error instanceof Fault && error.status < 500)
      }
    }),
  )
})
