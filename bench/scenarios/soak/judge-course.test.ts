import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Course, judgeCourse } from './judge-course.ts'
import type { Answered } from './traffic.ts'

const MINUTE = 60_000

/** Ten requests a second for a minute, each answered within 5 ms, and a fault in the middle. */
const calm = Array.from({ length: 600 }, (_, index): Answered => ({ at: index * 100, status: 200, milliseconds: 5 }))
const course: Course = {
  answered: calm,
  faults: [{ from: 30_000, to: 33_000 }],
  memory: Array.from({ length: 60 }, () => 200),
  milliseconds: MINUTE,
  silent: 0,
}

const values = (changed: Partial<Course>): Record<string, number> =>
  Object.fromEntries(judgeCourse({ ...course, ...changed }, '10 a second').map(({ name, value }) => [name, value]))

test('a calm course has no error, no growth and the same p99', () => {
  assert.deepEqual(values({}), {
    'soak.errors': 0,
    'soak.memory': 0,
    'soak.recovery': 0,
    'soak.p99': 1,
    'soak.silent': 0,
  })
})

test('a failed request counts unless a fault was near, whether it was refused or cut off', () => {
  const failing = (at: number, status: number) => values({ answered: [...calm, { at, status, milliseconds: 5 }] })
  for (const status of [0, 429, 500, 503]) {
    assert.equal(failing(28_900, status)['soak.errors'], 1)
    assert.equal(failing(29_100, status)['soak.errors'], 0)
    assert.equal(failing(40_900, status)['soak.errors'], 0)
    assert.equal(failing(41_100, status)['soak.errors'], 1)
  }
})

test('memory that grows is seen, and the warm-up is not counted as growth', () => {
  const growing = values({ memory: Array.from({ length: 60 }, (_, second) => 200 + second) })['soak.memory'] ?? 0
  assert.ok(growing > 20, String(growing))
  const warmingUp = [...Array.from({ length: 5 }, () => 100), ...Array.from({ length: 55 }, () => 200)]
  assert.equal(values({ memory: warmingUp })['soak.memory'], 0)
})

test('a service that stays slow after the last fault is seen', () => {
  const slower = calm.map(one => (one.at > 45_000 ? { ...one, milliseconds: 20 } : one))
  assert.equal(values({ answered: slower })['soak.p99'], 4)
})

test('what had waited during a fault is worked off before the service is compared, and how long that took is told', () => {
  const waiting = (one: Answered): boolean => one.at >= 30_000 && one.at < 45_000
  const worked = values({ answered: calm.map(one => (waiting(one) ? { ...one, milliseconds: 3000 } : one)) })
  assert.deepEqual([worked['soak.recovery'], worked['soak.p99']], [12, 1])
})

test('a service that does not recover is compared with nothing', () => {
  const stuck = values({ answered: calm.map(one => (one.at >= 30_000 ? { ...one, milliseconds: 3000 } : one)) })
  assert.equal(stuck['soak.recovery'], 27)
  assert.ok(Number.isNaN(stuck['soak.p99']))
})
