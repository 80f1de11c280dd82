import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOlderEngine, readEngineVersion } from './engine-version.ts'

test('names the library, the zone data and the calendar data', () => {
  assert.match(readEngineVersion(), /^adhan \d+\.\d+\.\d+ r\d+, tz \d{4}[a-z]+, icu \d+/)
})

test('only an older engine counts as older: two versions running side by side do not undo each other', () => {
  const current = 'adhan 4.4.6 r1, tz 2026c, icu 78.3'
  assert.equal(isOlderEngine('adhan 4.4.5 r1, tz 2026c, icu 78.3', current), true)
  assert.equal(isOlderEngine('adhan 4.4.6 r1, tz 2025b, icu 78.3', current), true)
  assert.equal(isOlderEngine(current, current), false)
  assert.equal(isOlderEngine('adhan 4.10.0 r1, tz 2026c, icu 78.3', current), false)
  assert.equal(isOlderEngine('adhan 4.4.6 r1, tz 2026d, icu 78.3', current), false)
})
