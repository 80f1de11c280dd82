import assert from 'node:assert/strict'
import { test } from 'node:test'
import { feedTextOf } from '../feeds/feed-text.ts'
import { createKeptFeeds } from './kept-feeds.ts'

test('a text is kept until the data are renewed; one that was begun before is not found after that', () => {
  let version = 'one'
  const kept = createKeptFeeds(() => version)
  const name = `${kept.era()} prayer-times.ics`
  kept.set(name, feedTextOf('BEGIN:VCALENDAR'))
  assert.equal(kept.get(`${kept.era()} prayer-times.ics`)?.bytes.toString(), 'BEGIN:VCALENDAR')
  kept.clear()
  kept.set(name, feedTextOf('the day before'))
  assert.equal(kept.get(`${kept.era()} prayer-times.ics`), undefined)
  const before = kept.era()
  version = 'two'
  assert.notEqual(kept.era(), before)
})

test('the memory is bounded', () => {
  const kept = createKeptFeeds(() => 'one')
  const text = feedTextOf('x'.repeat(1024 * 1024))
  for (let index = 0; index < 100; index += 1) kept.set(String(index), text)
  const left = Array.from({ length: 100 }, (_, index) => kept.get(String(index))).filter(one => one !== undefined)
  assert.ok(left.length > 10 && left.length < 33, String(left.length))
})
