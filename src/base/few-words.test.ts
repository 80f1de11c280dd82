import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fewWords } from './few-words.ts'

test('each word counts once, single letters only if there is nothing else, and no more than twelve', () => {
  assert.deepEqual(fewWords(['a', 'prayer', 'time', 'prayer', '']), ['prayer', 'time'])
  assert.deepEqual(fewWords(['s']), ['s'])
  assert.deepEqual(fewWords([...'abcdefghijklmnopqrstuvwxyz']), ['a'])
  assert.deepEqual(fewWords([]), [])
  assert.equal(fewWords(Array.from({ length: 100 }, (_, index) => `word${index}`)).length, 12)
})
