import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseApiKey } from '../access/api-key-format.ts'
import { publicTestKey } from './public-test-key.ts'

test('the public test key is a well-formed test key', () => {
  assert.equal(parseApiKey(publicTestKey), 'test')
})
