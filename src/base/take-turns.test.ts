import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Fault } from './fault.ts'
import { createTurns } from './take-turns.ts'

test('never more than the limit at once, all in the end, even after a failure', async () => {
  const turns = createTurns({ atOnce: 2, mostWaiting: 7 })
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

test('first come, first served; a full queue gets 503 with Retry-After, and those in the queue are still served', async () => {
  const turns = createTurns({ atOnce: 1, mostWaiting: 2 })
  const served: number[] = []
  const outcomes = await Promise.allSettled(
    [1, 2, 3, 4].map(place =>
      turns(async () => {
        await nextTurn()
        served.push(place)
      }),
    ),
  )
  assert.deepEqual(served, [1, 2, 3])
  const [refused] = outcomes.slice(3)
  const fault: unknown = refused?.status === 'rejected' ? refused.reason : undefined
  assert.ok(fault instanceof Fault)
  assert.deepEqual([fault.status, fault.code, Number(fault.headers['retry-after']) > 0], [503, 'unavailable', true])
  await turns(async () => void served.push(5))
  assert.deepEqual(served, [1, 2, 3, 5])
})
