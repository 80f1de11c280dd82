import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createFairTurns, type FairTurns } from './fair-turns.ts'

const open = (atOnce = 2, mostMs = 5000): FairTurns => createFairTurns({ atOnce, mostMs })

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
    assert.throws(() => turns.take('a'), { code: 'too-many-waiting', status: 429 })
    assert.equal(turns.take('b'), undefined, 'another key')
    const ended = await Promise.allSettled(waiting)
    assert.ok(ended.every(one => one.status === 'rejected' && one.reason.code === 'too-many-waiting'))
    turns.release('a')
    assert.equal(turns.take('a'), undefined, 'nothing is left of them')
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
    for (const listener of listeners) listener()
    await assert.rejects(left as Promise<void>)
    assert.equal(listeners.size, 0)
    turns.release('a')
    await stays
  })
})
