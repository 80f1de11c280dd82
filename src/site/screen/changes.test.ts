import assert from 'node:assert/strict'
import { test } from 'node:test'
// @ts-expect-error: a script for the browser, in plain JavaScript
import { reconnectAfter, splitEvents } from './client/changes.js'

const SCREENS = 1000

const inOrder = (failures: number): number[] =>
  Array.from({ length: SCREENS }, () => reconnectAfter(failures) as number).sort((left, right) => left - right)

/** The most that come within any one second. */
const busiestSecond = (moments: readonly number[]): number =>
  Math.max(...moments.map((moment, index) => moments.slice(index).filter(later => later < moment + 1000).length))

test('a thousand screens that are cut off at once come back over a quarter of a minute, and over minutes if that fails', () => {
  const first = inOrder(0)
  assert.ok((first[0] ?? 0) >= 1000 && (first.at(-1) ?? 0) <= 15_000)
  assert.ok(busiestSecond(first) < 150, String(busiestSecond(first)))
  assert.ok(busiestSecond(inOrder(4)) < 30)
  assert.ok(Math.max(...inOrder(50)) <= 300_000)
})

test('an event counts once all of it has arrived; comments are none', () => {
  const half = splitEvents(':\n\nevent: change\ndata: {"with')
  assert.deepEqual(half, { events: [], rest: 'event: change\ndata: {"with' })
  assert.deepEqual(splitEvents(`${half.rest}in":20}\n\n:\n\n`), { events: [{ name: 'change', within: 20 }], rest: '' })
})
