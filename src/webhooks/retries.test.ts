import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseAfter } from './retries.ts'

const DAY_MS = 86_400_000

const allPauses = (random: () => number): number[] => {
  const pauses: number[] = []
  for (let pause = pauseAfter(1, random); pause !== undefined; pause = pauseAfter(pauses.length + 1, random))
    pauses.push(pause)
  return pauses
}

test('a message is tried over about three days, ever later, and then given up', () => {
  const pauses = allPauses(() => 0.5)
  const total = pauses.reduce((sum, pause) => sum + pause, 0)
  assert.ok(total > 2.9 * DAY_MS && total < 3.1 * DAY_MS, String(total / DAY_MS))
  assert.deepEqual(
    pauses,
    [...pauses].sort((left, right) => left - right),
  )
})

test('pauses differ by chance, by a tenth at most', () => {
  const [early, usual, late] = [() => 0, () => 0.5, () => 1].map(allPauses)
  assert.ok(early !== undefined && usual !== undefined && late !== undefined)
  for (const [index, pause] of usual.entries()) {
    assert.equal(early[index], Math.round(pause * 0.9))
    assert.equal(late[index], Math.round(pause * 1.1))
  }
})
