import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTurns } from './take-turns.ts'

test('never more than so many at once, all in the end, also after a failure', async () => {
  const turns = createTurns(2)
  let [now, most, done] = [0, 0, 0]
  const work = (index: number) => async (): Promise<void> => {
    now += 1
    most = Math.max(most, now)
    await nextTurn()
    now -= 1
    done += 1
    if (index % 3 === 0) throw new Error('failed')
  }
  const outcomes = await Promise.allSettled(Array.from({ length: 9 }, (_, index) => turns(work(index))))
  assert.deepEqual([most, done, now], [2, 9, 0])
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 3)
})
