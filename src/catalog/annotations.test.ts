import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readComment, wordsOf } from './annotations.ts'

test('annotations are the first lines; the rest is the description', () => {
  const { annotations, description } = readComment('@scope a:read b:read\n@hidden\nWhat it is.\n@not one any more\n')
  assert.deepEqual(
    [...annotations],
    [
      ['scope', 'a:read b:read'],
      ['hidden', ''],
    ],
  )
  assert.equal(description, 'What it is.\n@not one any more')
})

test('a comment may be missing, empty, or only a description', () => {
  for (const comment of [null, '', '  \n']) assert.equal(readComment(comment).description, undefined)
  assert.equal(readComment('mail a@example.org').description, 'mail a@example.org')
  assert.equal(readComment('@Scope is no annotation').annotations.size, 0)
})

test('words are separated by commas or spaces', () => {
  assert.deepEqual(wordsOf('masjid_id, date  prayer,session'), ['masjid_id', 'date', 'prayer', 'session'])
  assert.deepEqual(wordsOf(undefined), [])
})
