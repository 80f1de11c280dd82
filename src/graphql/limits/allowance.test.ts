import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Grant } from '../../access/grant.ts'
import type { Fault } from '../../base/fault.ts'
import { createBudget } from '../../base/limit.ts'
import { createAllowances } from './allowance.ts'

const grant = (appId: string, userId?: string): Grant => ({ appId, userId }) as Grant

const begin = () => {
  let time = 0
  const clock = { now: () => new Date(time) }
  const allowanceOf = createAllowances(100, (_name, rule) => createBudget(rule, clock))
  return {
    allowanceOf,
    wait: (seconds: number): void => {
      time += seconds * 1000
    },
  }
}

test('the remainder is reported, and a request that exceeds it is refused without being charged', () => {
  const { allowanceOf, wait } = begin()
  const allowance = allowanceOf(grant('a'))
  allowance.take(60)
  wait(18)
  assert.throws(
    () => allowance.take(41),
    (fault: Fault) =>
      fault.status === 429 &&
      fault.code === 'too_many_requests' &&
      fault.headers['retry-after'] === '42' &&
      fault.message ===
        'The operation may read 41 rows; 40 of the 100 allowed this minute are left. Try again in 42 seconds, or lower `limit`.',
  )
  assert.deepEqual(allowance.headers(), { 'ratelimit-policy': '"rows";q=100;w=60', ratelimit: '"rows";r=40;t=42' })
  allowance.take(40)
  assert.throws(() => allowance.take(1), { status: 429 })
})

test('after a minute it is full again', () => {
  const { allowanceOf, wait } = begin()
  allowanceOf(grant('a')).take(100)
  wait(60)
  allowanceOf(grant('a')).take(100)
})

test('an app, another app, and each person it acts for have their own', () => {
  const { allowanceOf } = begin()
  for (const one of [grant('a'), grant('b'), grant('a', 'first'), grant('a', 'second')]) allowanceOf(one).take(100)
  for (const one of [grant('a'), grant('a', 'first')])
    assert.throws(() => allowanceOf(one).take(1), { code: 'too_many_requests' })
})

test('a request over the whole allowance is refused as too costly', () => {
  const { allowanceOf } = begin()
  assert.throws(() => allowanceOf(grant('a')).take(101), {
    code: 'too-costly',
    status: 400,
    message: 'The operation may read 101 rows; the maximum is 100 a minute. Lower `limit`.',
  })
})
