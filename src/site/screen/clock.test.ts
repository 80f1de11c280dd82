import assert from 'node:assert/strict'
import { test } from 'node:test'
// @ts-expect-error: a script for the browser, in plain JavaScript
import { createClock } from './client/clock.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const YEAR = 365 * 24 * HOUR
const TRUE_TIME = Date.parse('2026-06-01T12:00:00Z')

/** A device whose clock is off by so much. */
const deviceWith = (off: number) => {
  const clocks = { device: TRUE_TIME + off, steady: 1000 }
  return {
    clock: createClock({ device: () => clocks.device, steady: () => clocks.steady }),
    /** Time passes. */
    pass: (milliseconds: number) => {
      clocks.device += milliseconds
      clocks.steady += milliseconds
    },
    /** Somebody sets the clock, or power was lost. */
    move: (milliseconds: number) => {
      clocks.device += milliseconds
    },
  }
}

for (const [what, off] of Object.entries({ minutes: 7 * MINUTE, hours: -5 * HOUR, years: -56 * YEAR }))
  test(`a clock that is off by ${what} does not matter once the service has said the time`, () => {
    const { clock, pass } = deviceWith(off)
    assert.equal(clock.now().trust, 'unchecked')
    clock.set(TRUE_TIME, 200)
    pass(3 * HOUR)
    assert.deepEqual(clock.now(), { at: TRUE_TIME + 200 + 3 * HOUR, jumped: false, trust: 'checked' })
  })

test('a clock that is set back while the screen runs changes nothing', () => {
  const { clock, pass, move } = deviceWith(0)
  clock.set(TRUE_TIME)
  pass(HOUR)
  move(-3 * HOUR)
  assert.deepEqual(clock.now(), { at: TRUE_TIME + HOUR, jumped: false, trust: 'checked' })
})

test('a device that slept is as late as its clock says, until the service says the time', () => {
  const { clock, pass, move } = deviceWith(0)
  clock.set(TRUE_TIME)
  pass(HOUR)
  move(9 * HOUR)
  assert.deepEqual(clock.now(), { at: TRUE_TIME + 10 * HOUR, jumped: true, trust: 'unchecked' })
  clock.set(TRUE_TIME + 10 * HOUR)
  assert.equal(clock.now().trust, 'checked')
})

test('after a restart, a clock that was known to be off still is', () => {
  const before = deviceWith(5 * HOUR)
  before.clock.set(TRUE_TIME)
  const { clock, pass } = deviceWith(5 * HOUR)
  clock.restore(before.clock.keep())
  pass(MINUTE)
  assert.deepEqual(clock.now(), { at: TRUE_TIME + MINUTE, jumped: false, trust: 'unchecked' })
})

test('after a power cut that the clock did not survive, the time is not known; it is again once somebody says it', () => {
  const before = deviceWith(0)
  before.clock.set(TRUE_TIME)
  const { clock, move } = deviceWith(-56 * YEAR)
  clock.restore(before.clock.keep())
  assert.equal(clock.now().trust, 'unknown')
  assert.equal(clock.keep(), undefined, 'a wrong time is never kept')
  move(56 * YEAR + HOUR)
  assert.deepEqual(clock.now(), { at: TRUE_TIME + HOUR, jumped: true, trust: 'unchecked' }, 'the device found its time')
  clock.set(TRUE_TIME + HOUR)
  assert.equal(clock.now().trust, 'checked')
})
