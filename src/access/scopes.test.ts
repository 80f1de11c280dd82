import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitorGrant } from '../sandbox/sandbox-grant.ts'
import { isWriteScope, publicScopes, readingScopes, readTwinOf, writingScopes } from './scopes.ts'

test('each read scope has a write scope, and each knows its twin', () => {
  assert.deepEqual(writingScopes.map(readTwinOf), readingScopes)
  assert.equal(readTwinOf('events:read'), undefined)
  assert.equal(readTwinOf('openid'), undefined)
})

test('nobody writes without asking: the open scopes and those of the sandbox for everyone are for reading', () => {
  assert.ok(!publicScopes.some(isWriteScope))
  assert.ok(![...visitorGrant.scopes].some(isWriteScope))
})
