import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createTogether } from './together.ts'

interface Doubled {
  readonly value: number
}

interface Seen {
  readonly alone: number[]
  readonly batches: number[][]
  mostAtOnce: number
}

/** Doubles numbers; odd ones only when alone in a batch. */
const makeDoubler = (most = 100) => {
  const seen: Seen = { alone: [], batches: [], mostAtOnce: 0 }
  let underWay = 0
  const working = async <T>(answer: () => T): Promise<T> => {
    underWay += 1
    seen.mostAtOnce = Math.max(seen.mostAtOnce, underWay)
    await delay(2)
    underWay -= 1
    return answer()
  }
  const ask = createTogether<number, Doubled>({
    alone: question =>
      working(() => {
        seen.alone.push(question)
        return { value: question * 2 }
      }),
    together: questions =>
      working(() => {
        seen.batches.push([...questions])
        if (questions.includes(666)) throw new Error('refused')
        const placed = questions.map((question, index) => ({ value: question * 2, place: index + 1 }))
        return placed.filter(({ value }) => value % 4 === 0).reverse()
      }),
    atOnce: 1,
    most,
  })
  return { ask: async (question: number) => (await ask(question))?.value, seen }
}

test('a single request is sent alone, concurrent ones in a batch', async () => {
  const { ask, seen } = makeDoubler()
  assert.equal(await ask(4), 8)
  assert.deepEqual(seen, { alone: [4], batches: [], mostAtOnce: 1 })
  assert.deepEqual(await Promise.all([2, 4, 6].map(ask)), [4, 8, 12])
  assert.deepEqual(seen.batches, [[2, 4, 6]])
})

test('requests in the meantime wait for the next batch, which has a maximum size', async () => {
  const { ask, seen } = makeDoubler(3)
  const first = ask(2)
  await delay(1)
  const rest = [4, 6, 8, 10].map(ask)
  assert.deepEqual(await Promise.all([first, ...rest]), [4, 8, 12, 16, 20])
  assert.deepEqual(seen, { alone: [2, 10], batches: [[4, 6, 8]], mostAtOnce: 1 })
})

test('a request without a result is retried alone', async () => {
  const { ask, seen } = makeDoubler()
  assert.deepEqual(await Promise.all([2, 3, 4].map(ask)), [4, 6, 8])
  assert.deepEqual(seen.alone, [3])
})

test('a failure affects the requests of its batch, and none after them', async () => {
  const { ask } = makeDoubler()
  const outcomes = await Promise.allSettled([2, 666].map(ask))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(await Promise.all([2, 4].map(ask)), [4, 8])
})
