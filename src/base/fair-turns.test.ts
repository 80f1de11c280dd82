import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createFairTurns, type FairTurns } from './fair-turns.ts'

const open = (atOnceEach = 2, mostMs = 5000): FairTurns =>
  createFairTurns({ atOnce: atOnceEach * 4, atOnceEach, mostWaiting: 4000, mostWaitingEach: 1000, mostMs })

/** Takes turns in this order, and says in which order they came. */
const takeAll = (turns: FairTurns, keys: readonly string[]): string[] => {
  const came: string[] = []
  for (const key of keys) {
    const waiting = turns.take(key)
    if (waiting === undefined) came.push(key)
    else void waiting.then(() => came.push(key))
  }
  return came
}

describe('turns', () => {
  test('at most so many of one key are in progress; others are not held up by its queue', async () => {
    const turns = open()
    const came = takeAll(turns, ['a', 'a', 'a', 'b'])
    assert.deepEqual(came, ['a', 'a', 'b'])
    turns.release('a')
    await turn()
    assert.deepEqual(came, ['a', 'a', 'b', 'a'])
  })

  test('when everything is in use, keys take turns however many each has waiting', async () => {
    const turns = open()
    const filling = ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']
    const came = takeAll(turns, [...filling, 'e', 'e', 'e', 'f', 'g'])
    assert.deepEqual(came, filling)
    for (const key of ['a', 'a', 'b', 'b', 'c']) turns.release(key)
    await turn()
    assert.deepEqual(came.slice(filling.length), ['e', 'f', 'g', 'e'], 'the third of e has two before it in progress')
    turns.release('e')
    await turn()
    assert.deepEqual(came.slice(filling.length), ['e', 'f', 'g', 'e', 'e'])
  })

  test('a newcomer does not go ahead of those of its key who wait', async () => {
    const turns = open(1)
    const came: number[] = []
    for (const index of [0, 1, 2]) void (turns.take('a') ?? Promise.resolve()).then(() => came.push(index))
    turns.release('a')
    void turns.take('a')?.then(() => came.push(3))
    turns.release('a')
    await turn()
    turns.release('a')
    await turn()
    assert.deepEqual(came, [0, 1, 2, 3])
  })

  test('a wait that is too long is refused, and so is a queue', async () => {
    const turns = open(1, 30)
    assert.equal(turns.take('a'), undefined)
    const waiting = Array.from({ length: 1000 }, () => turns.take('a'))
    const headers = { 'retry-after': '1' }
    assert.throws(() => turns.take('a'), { code: 'too-many-waiting', status: 429, headers })
    assert.equal(turns.take('b'), undefined, 'another key')
    const ended = await Promise.allSettled(waiting)
    assert.ok(ended.every(one => one.status === 'rejected' && one.reason.code === 'too-many-waiting'))
    turns.release('a')
    assert.deepEqual(turns.figures(), { running: 1, waiting: 0, keys: 1 }, 'of b')
    assert.equal(turns.take('a'), undefined, 'nothing is left of them')
  })

  test('a hundred requests of one key do not push others out, however long each takes', async () => {
    const turns = createFairTurns({ atOnce: 2, atOnceEach: 1, mostWaiting: 50, mostWaitingEach: 20, mostMs: 10_000 })
    const served: string[] = []
    const work = (key: string) => async (): Promise<void> => {
      await turn()
      served.push(key)
    }
    const greedy = Promise.allSettled(Array.from({ length: 100 }, () => turns.run('greedy', work('greedy'))))
    const others = Array.from({ length: 20 }, (_, index) => turns.run(String(index), work(String(index))))
    await Promise.all(others)
    const outcomes = await greedy
    const refused = outcomes.filter(outcome => outcome.status === 'rejected')
    assert.equal(refused.length, 100 - 21, 'one in progress, twenty waiting')
    assert.ok(refused.every(({ reason }) => reason.code === 'too-many-waiting'))
    assert.equal(served.length, 41)
    assert.ok(served.filter(key => key === 'greedy').length === 21 && served.slice(-15).every(key => key === 'greedy'))
    assert.deepEqual(turns.figures(), { running: 0, waiting: 0, keys: 0 })
  })

  test('where everybody waits, whoever has nothing in progress gets 503 with Retry-After', async () => {
    const turns = createFairTurns({ atOnce: 1, atOnceEach: 1, mostWaiting: 3, mostWaitingEach: 2, mostMs: 10_000 })
    assert.deepEqual(takeAll(turns, ['a', 'b', 'b', 'c']), ['a'])
    assert.throws(() => turns.take('d'), { code: 'unavailable', status: 503, headers: { 'retry-after': '5' } })
    assert.throws(() => turns.take('c'), { code: 'too-many-waiting', status: 429 })
    assert.deepEqual(turns.figures(), { running: 1, waiting: 3, keys: 3 })
    for (const key of ['a', 'b', 'c', 'b']) {
      turns.release(key)
      await turn()
    }
    assert.deepEqual(turns.figures(), { running: 0, waiting: 0, keys: 0 })
  })

  test('one who waited too long behind others is told that everybody waits', async () => {
    const turns = open(1, 30)
    for (const key of ['a', 'b', 'c', 'd']) turns.take(key)
    await assert.rejects(turns.take('e') as Promise<void>, { code: 'unavailable', status: 503 })
    assert.deepEqual(turns.figures(), { running: 4, waiting: 0, keys: 4 })
  })

  test('a turn ends with its work, also with one that fails', async () => {
    const turns = open(1)
    let [now, most] = [0, 0]
    const work = (index: number) => async (): Promise<void> => {
      most = Math.max(most, ++now)
      await turn()
      now -= 1
      if (index % 3 === 0) throw new Error('failed')
    }
    const outcomes = await Promise.allSettled(Array.from({ length: 9 }, (_, index) => turns.run('a', work(index))))
    assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 3)
    assert.deepEqual([now, most, turns.figures()], [0, 1, { running: 0, waiting: 0, keys: 0 }])
  })

  test('whoever leaves while waiting makes room, and takes no turn', async () => {
    const turns = open(1)
    const listeners = new Set<() => void>()
    const leaving = {
      add: (one: () => void) => void listeners.add(one),
      delete: (one: () => void) => void listeners.delete(one),
    }
    assert.equal(turns.take('a'), undefined)
    const left = turns.take('a', leaving)
    const stays = turns.take('a')
    assert.equal(listeners.size, 1)
    for (const listener of listeners) listener()
    await assert.rejects(left as Promise<void>)
    assert.equal(listeners.size, 0)
    const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
    const waiting = timers()
    turns.release('a')
    await stays
    assert.equal(timers(), waiting - 1, 'nothing goes on counting for one who has had a turn')
  })
})
