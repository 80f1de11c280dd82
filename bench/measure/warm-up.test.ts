import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sample } from './rounds.ts'
import { warmUp } from './warm-up.ts'

/** Reaches these rates one after the other, and stays at the last. */
const contenderWith = (rates: readonly number[]) => {
  let runs = 0
  return {
    name: 'a server',
    run: async () => {
      const requestsPerSecond = rates[Math.min(runs, rates.length - 1)]
      runs += 1
      return { requestsPerSecond } as Sample
    },
  }
}

test('a server is warm when it no longer gets faster, whatever the noise', async () => {
  assert.equal(await warmUp(contenderWith([100]), 1), 6)
  assert.equal(await warmUp(contenderWith([100, 200, 150, 400, 390, 401, 380]), 1), 9)
})

test('a server that keeps getting faster is measured all the same', async () => {
  assert.equal(await warmUp(contenderWith(Array.from({ length: 100 }, (_, index) => 1.1 ** index)), 1), 30)
})
