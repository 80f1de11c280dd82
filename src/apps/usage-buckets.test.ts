import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketBounds, bucketOf, emptyBuckets, percentile } from './usage-buckets.ts'

test('each duration has its bucket, and the slowest are in the last', () => {
  assert.equal(bucketOf(0), 0)
  assert.equal(bucketOf(1), 0)
  assert.equal(bucketOf(1.1), 1)
  assert.equal(bucketOf(5000), bucketBounds.length - 1)
  assert.equal(bucketOf(60_000), bucketBounds.length)
  assert.equal(emptyBuckets().length, bucketBounds.length + 1)
})

test('a percentile is the upper bound of its bucket', () => {
  const buckets = emptyBuckets()
  assert.equal(percentile(buckets, 0.5), undefined)
  buckets[0] = 90
  buckets[5] = 9
  buckets[12] = 1
  assert.equal(percentile(buckets, 0.5), 1)
  assert.equal(percentile(buckets, 0.95), 50)
  assert.equal(percentile(buckets, 1), 5000)
})
