import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Figures, Result } from '../measure/rounds.ts'
import { type Findings, HAND_WRITTEN, judge, POSTGRAPHILE, type Reading } from './bars.ts'

const figures = (contender: string, ratio: number): Figures => ({
  contender,
  ratio,
  requestsPerSecond: 1000 * ratio,
  spread: 0,
  p50: 1,
  p99: 2,
  serverCpu: 1,
  databaseCpu: 1,
  memory: 100,
  rounds: [],
})

const list = (postgraphile: number, handWritten: number): Result => ({
  name: 'graphql.list',
  title: 'List',
  figures: [figures('Minaret', 1), figures(POSTGRAPHILE, postgraphile), figures(HAND_WRITTEN, handWritten)],
})

const reading = (name: string, value: number): Reading => ({ name, title: name, value, unit: 'MiB' })

const verdicts = (findings: Partial<Findings>) =>
  judge({ results: [], readings: [], ...findings }).map(({ reached, met }) => `${reached} ${met}`)

test('a ratio is met when Minaret is so many times as fast as the other', () => {
  assert.deepEqual(verdicts({ results: [list(0.2, 1.1)] }), ['5.00 × true', '0.91 × true'])
  assert.deepEqual(verdicts({ results: [list(0.21, 1.2)] }), ['4.76 × false', '0.83 × false'])
})

test('a bound is met up to its value', () => {
  assert.deepEqual(verdicts({ readings: [reading('memory.load', 250)] }), ['250.00 MiB true'])
  assert.deepEqual(verdicts({ readings: [reading('memory.load', 250.1)] }), ['250.10 MiB false'])
})

test('what was not measured is not judged', () => {
  assert.deepEqual(verdicts({}), [])
})
