import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, spread } from './statistics.ts'

test('the median is the middle value, or the mean of the two in the middle', () => {
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 3, 2]), 2.5)
})

test('the spread is half the distance between the outermost, as a share of the median', () => {
  assert.equal(spread([90, 100, 110]), 0.1)
  assert.equal(spread([5]), 0)
})
