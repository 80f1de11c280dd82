import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeToLearn } from './learn-sizes.ts'

test('sizes are learnt with the first thousand rows, and then with four times as many each time', () => {
  const learnt = Array.from({ length: 500 }, (_, batch) => batch * 2000).filter(rows =>
    isTimeToLearn(rows, rows + 2000),
  )
  assert.deepEqual(learnt, [0, 2000, 14_000, 62_000, 254_000])
  assert.equal(isTimeToLearn(0, 999), false)
  assert.equal(isTimeToLearn(999, 1000), true)
})
