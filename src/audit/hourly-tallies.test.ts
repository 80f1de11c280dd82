import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHourlyTallies } from './hourly-tallies.ts'

const MINUTE_MS = 60_000

const useTallies = () => {
  let minutes = 0
  const tallies = createHourlyTallies<string>(() => minutes * MINUTE_MS)
  const read = (all: readonly { event: string; count: number; since: Date }[]): string[] =>
    all.map(({ event, count, since }) => `${event} × ${count} since ${since.getTime() / MINUTE_MS}`)
  return {
    add: (key: string, times = 1): void => {
      for (let time = 0; time < times; time += 1) tallies.add(key, () => key)
    },
    wait: (more: number): void => {
      minutes += more
    },
    take: (): string[] => read(tallies.take()),
    takeAll: (): string[] => read(tallies.takeAll()),
  }
}

test('the first of an hour is an entry at once, and those that follow are one when it is over', () => {
  const { add, wait, take } = useTallies()
  add('a', 5)
  assert.deepEqual(take(), ['a × 1 since 0'])
  wait(59)
  add('a', 3)
  assert.deepEqual(take(), [])
  wait(1)
  assert.deepEqual(take(), ['a × 7 since 0'])
  assert.deepEqual(take(), [])
})

test('what goes on has one entry an hour; what has ended begins anew', () => {
  const { add, wait, take } = useTallies()
  add('a', 2)
  wait(60)
  assert.deepEqual(take(), ['a × 1 since 0', 'a × 1 since 0'])
  add('a', 2)
  wait(60)
  assert.deepEqual(take(), ['a × 2 since 60'])
  wait(60)
  assert.deepEqual(take(), [])
  add('a')
  assert.deepEqual(take(), ['a × 1 since 180'])
})

test('keys are counted apart, and an end leaves nothing out', () => {
  const { add, wait, takeAll } = useTallies()
  add('a', 2)
  wait(1)
  add('b', 3)
  assert.deepEqual(takeAll(), ['a × 1 since 0', 'b × 1 since 1', 'a × 1 since 0', 'b × 2 since 1'])
  assert.deepEqual(takeAll(), [])
})

test('more keys than memory is meant for get their entries early, and none is lost', () => {
  const { add, takeAll } = useTallies()
  for (let key = 0; key < 10_500; key += 1) add(String(key), 2)
  const entries = takeAll()
  assert.equal(entries.length, 21_000)
  assert.ok(entries.every(entry => entry.includes('× 1 ')))
})
