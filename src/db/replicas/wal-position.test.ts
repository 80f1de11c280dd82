import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPositionHistory, readPosition } from './wal-position.ts'

test('a position is read as PostgreSQL writes it, and nothing else is', () => {
  assert.equal(readPosition('1/A0'), 0x1_0000_00a0n)
  for (const text of ['', '1', '1/', '1/G', '1/A0 ', '123456789/0', undefined, 5, ['1/A0']])
    assert.equal(readPosition(text), undefined, String(text))
})

test('a lag is counted from when the primary was first seen ahead, also one of many minutes', () => {
  const minutes = 30
  const history = createPositionHistory(minutes * 60_000)
  for (let at = 0; at <= minutes * 60_000; at += 150) history.note(BigInt(at), at)
  const now = minutes * 60_000
  assert.equal(history.lagOf(BigInt(now), now), 0)
  const lag = history.lagOf(0n, now)
  assert.ok(lag > now * 0.95 && lag <= now, `${lag} of ${now} ms`)
})

test('a new primary may begin earlier: nothing is compared with the old one', () => {
  const history = createPositionHistory(2000)
  history.note(100n, 0)
  history.note(50n, 10)
  assert.equal(history.lagOf(60n, 5000), 0)
})
