import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted, durationInWords, pluralForm } from './in-words.ts'

test('one second is not "1 seconds", in either language', () => {
  assert.equal(durationInWords(1, 'second'), '1 second')
  assert.equal(durationInWords(2, 'minute'), '2 minutes')
  assert.equal(durationInWords(1, 'day', 'en'), '1 day')
  assert.equal(durationInWords(2, 'minute', 'ar'), 'دقيقتان')
  assert.equal(durationInWords(11, 'day', 'ar'), '11 يومًا')
})

test('a plural form missing from a text falls back to the general one', () => {
  assert.equal(pluralForm(1, { other: 'people' }), 'people')
  assert.equal(pluralForm(3, { one: 'one', few: 'few', other: 'other' }, 'ar'), 'few')
})

test('counts in messages', () => {
  assert.equal(counted(1, 'row'), '1 row')
  assert.equal(counted(0, 'row'), '0 rows')
  assert.equal(counted(2, 'person', 'people'), '2 people')
})
