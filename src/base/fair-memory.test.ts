import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairMemory } from './fair-memory.ts'

const memory = () => createFairMemory<number>({ maxBytes: 100, maxEntryBytes: 50, bytesOf: value => value })

test('one owner has all of it, and what was used least recently goes first', () => {
  const kept = memory()
  for (const key of ['a', 'b', 'c', 'd']) kept.set(key, 25, 'one')
  assert.equal(kept.get('a'), 25)
  kept.set('e', 25, 'one')
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e'].map(key => kept.has(key)),
    [true, false, true, true, true],
  )
  assert.deepEqual([kept.size, kept.bytes], [4, 100])
})

test('whoever has most gives way, not those who have little', () => {
  const kept = memory()
  for (const key of ['a', 'b']) kept.set(key, 10, 'little')
  for (let count = 0; count < 100; count += 1) kept.set(`much ${count}`, 10, 'much')
  assert.deepEqual([kept.has('a'), kept.has('b'), kept.bytes], [true, true, 100])
  for (let count = 0; count < 100; count += 1) kept.set(`other ${count}`, 10, 'other')
  assert.deepEqual([kept.has('a'), kept.has('b')], [true, true])
})

test('what replaces another takes its place, whoever owned it; what is too large removes it', () => {
  const kept = memory()
  kept.set('a', 50, 'one')
  kept.set('a', 20, 'other')
  assert.deepEqual([kept.get('a'), kept.bytes], [20, 20])
  kept.set('a', 51, 'one')
  assert.deepEqual([kept.has('a'), kept.bytes, kept.size], [false, 0, 0])
})

test('only the value that is meant is deleted', () => {
  const kept = memory()
  kept.set('a', 10, 'one')
  kept.delete('a', 20)
  assert.equal(kept.get('a'), 10)
  kept.delete('a', 10)
  assert.deepEqual([kept.get('a'), kept.bytes], [undefined, 0])
})
