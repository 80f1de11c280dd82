import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SilentServer } from '../reading-errors.ts'
import { type Failure, fateOf, type History } from './fate.ts'

const withCode = (code: string): Error => Object.assign(new Error(code), { code })
const CANCELLED = withCode('57014')
const LOCKED_OUT = withCode('55P03')
const UNPREPARED = withCode('26000')
const SYNTAX = withCode('42601')
const TERMINATED = withCode('57P01')

const fresh: History = { kind: 'quick', attempts: 1, preemptions: 0, wasPreempted: false, isAbandoned: false }
const fate = (history: Partial<History>, failure: Partial<Failure>): string => {
  const { kind, ...rest } = fateOf(
    { ...fresh, ...history },
    { error: SYNTAX, ranMs: 10, isLocked: false, statementTimeoutMs: 1000, ...failure },
  )
  return [
    kind,
    ...('free' in rest && rest.free ? ['free'] : []),
    ...('error' in rest ? [rest.error.message] : []),
  ].join(': ')
}

test('a fault of the statement is the answer; one of the connection is tried again, four times', () => {
  assert.equal(fate({}, {}), 'refused: 42601')
  assert.equal(fate({}, { error: TERMINATED }), 'again')
  assert.match(fate({ attempts: 4 }, { error: TERMINATED }), /^refused/)
})

test('a silent server does not use up attempts', () => {
  assert.equal(fate({ attempts: 4 }, { error: new SilentServer() }), 'again: free')
})

test('a statement that ends at the limit of its lane goes on in the next one, unless nobody waits for it', () => {
  assert.equal(fate({}, { error: CANCELLED }), 'next lane')
  assert.equal(fate({ kind: 'trial' }, { error: CANCELLED }), 'next lane')
  assert.equal(fate({ isAbandoned: true }, { error: CANCELLED }), 'refused: 57014')
})

test('in a slow lane it has timed out, was in the way of another key, or was cancelled by mistake', () => {
  const slow: Partial<History> = { kind: 'slow' }
  assert.equal(fate(slow, { error: CANCELLED, ranMs: 800 }), 'refused: 57014')
  assert.equal(fate(slow, { error: CANCELLED, ranMs: 799 }), 'again')
  assert.equal(fate({ ...slow, wasPreempted: true, preemptions: 3 }, { error: CANCELLED }), 'again')
  assert.equal(fate({ ...slow, wasPreempted: true, preemptions: 4 }, { error: CANCELLED }), 'crowded out')
  assert.equal(fate(slow, { error: CANCELLED }), 'again')
})

test('a lock is waited for, also by what was sent unprepared behind it', () => {
  assert.equal(fate({ attempts: 9, isAbandoned: true }, { error: LOCKED_OUT }), 'waits for a lock')
  assert.equal(fate({}, { error: UNPREPARED, isLocked: true }), 'waits for a lock')
  assert.equal(fate({}, { error: UNPREPARED }), 'again')
})
