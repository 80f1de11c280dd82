import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from './fault.ts'
import { createBudget, createLimit, createLimits } from './limit.ts'

const clockAt = (start: number) => {
  let time = start
  return {
    now: () => new Date(time),
    advance: (seconds: number): void => {
      time += seconds * 1000
    },
  }
}

test('the attempt after the last allowed one is refused, with the time to wait', () => {
  const clock = clockAt(0)
  const limit = createLimit(createBudget({ tries: 2, seconds: 60 }, clock))
  limit.take('a')
  clock.advance(10)
  limit.take('a')
  assert.throws(
    () => limit.take('a'),
    (fault: Fault) => fault.status === 429 && fault.headers['retry-after'] === '50',
  )
  limit.take('b')
})

test('after the period, and after success, counting starts over', () => {
  const clock = clockAt(0)
  const limit = createLimit(createBudget({ tries: 1, seconds: 60 }, clock))
  limit.take('a')
  clock.advance(60)
  limit.take('a')
  limit.forget('a')
  limit.take('a')
  assert.throws(() => limit.take('a'), Fault)
})

test('switched off, nothing is refused', () => {
  const limits = createLimits({ signIn: { tries: 1, seconds: 60 } }, undefined)
  for (let count = 0; count < 500; count++) limits.signIn.take('a')
})

test('a clock that is set back locks nobody out for as long as it was ahead', () => {
  const clock = clockAt(86_400_000)
  const limit = createLimit(createBudget({ tries: 1, seconds: 60 }, clock))
  limit.take('a')
  clock.advance(-86_400)
  limit.take('a')
  assert.throws(
    () => limit.take('a'),
    (fault: Fault) => Number(fault.headers['retry-after']) <= 60,
  )
})
