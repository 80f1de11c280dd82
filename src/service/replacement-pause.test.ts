import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReplacementPause } from './replacement-pause.ts'

const open = () => {
  let now = 0
  const pauseAfter = createReplacementPause(() => now)
  return (afterMs: number, ended: { livedMs?: number; wasStuck?: boolean } = {}): number => {
    now += afterMs
    return pauseAfter({ livedMs: 60_000, wasStuck: false, ...ended })
  }
}

test('a worker is replaced at once, unless it failed at its start', () => {
  const ended = open()
  assert.equal(ended(0), 0)
  assert.equal(ended(10, { livedMs: 999 }), 1000)
  assert.equal(ended(10, { livedMs: 1000 }), 0)
})

test('one that was stuck is replaced at once, one after the other ever later', () => {
  const ended = open()
  const stuck = { wasStuck: true }
  assert.equal(ended(0, stuck), 0)
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map(() => ended(10_000, stuck)),
    [1000, 2000, 4000, 8000, 8000, 8000],
  )
  assert.equal(ended(60_000, stuck), 0, 'that was long ago')
})

test('those that ended otherwise do not wait for it', () => {
  const ended = open()
  ended(0, { wasStuck: true })
  ended(1000, { wasStuck: true })
  assert.equal(ended(1000), 0)
})
