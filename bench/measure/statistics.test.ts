import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, medianInterval, percentile, spread } from './statistics.ts'

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

test('the median is the middle value, or the mean of the two in the middle', () => {
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 3, 2]), 2.5)
})

test('a percentile is the value that so many of a hundred do not exceed', () => {
  assert.equal(percentile(upTo(200).reverse(), 99), 198)
  assert.equal(percentile([7], 95), 7)
  assert.ok(Number.isNaN(percentile([], 99)))
})

test('the spread is half the range, as a share of the median', () => {
  assert.equal(spread([90, 100, 110]), 0.1)
  assert.equal(spread([5]), 0)
})

test('the interval uses the ranks of the sign test tables', () => {
  // 20 values: the 6th and the 15th enclose the median with 95.9 %, the 7th and the 14th with 88.5 %.
  assert.deepEqual(medianInterval(upTo(20)), { low: 6, high: 15 })
  assert.deepEqual(medianInterval(upTo(10)), { low: 2, high: 9 })
  assert.deepEqual(medianInterval(upTo(30)), { low: 10, high: 21 })
  assert.deepEqual(medianInterval(upTo(6)), { low: 1, high: 6 })
})

test('fewer than six values have no interval', () => {
  for (const count of [0, 1, 5]) assert.equal(medianInterval(upTo(count)), undefined, String(count))
})

test('the order of the rounds does not matter, and one outlier does not move the interval', () => {
  const steady = [...upTo(19), 1000]
  assert.deepEqual(medianInterval(steady.toReversed()), { low: 6, high: 15 })
})

test('it covers the true median about as often as it claims', () => {
  let state = 12_345
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  let enclosed = 0
  for (let run = 0; run < 2000; run += 1) {
    // A long tail, as slow rounds have: the median of an exponential distribution is ln 2.
    const interval = medianInterval(Array.from({ length: 20 }, () => -Math.log(1 - random())))
    enclosed += Number(interval !== undefined && interval.low <= Math.LN2 && interval.high >= Math.LN2)
  }
  assert.ok(enclosed > 1860 && enclosed < 1960, `${enclosed} of 2000`)
})
