import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Figures, Result } from '../measure/rounds.ts'
import { type Findings, HAND_WRITTEN, judge, POSTGRAPHILE, type Reading } from './bars.ts'

/** With a confidence interval of a tenth to either side. */
const figures = (contender: string, ratio: number): Figures => ({
  contender,
  ratio,
  interval: { low: ratio / 1.1, high: ratio * 1.1 },
  requestsPerSecond: 1000 * ratio,
  spread: 0,
  p50: 1,
  p99: 2,
  serverCpu: 1,
  databaseCpu: 1,
  memory: 100,
  rounds: [],
})

const list = (postgraphile: Figures, handWritten: Figures): Result => ({
  name: 'graphql.list',
  title: 'List',
  figures: [figures('Minaret', 1), postgraphile, handWritten],
})

const reading = (name: string, value: number): Reading => ({ name, title: name, value, unit: 'MiB' })

const verdicts = (findings: Partial<Findings>, isAble = true) =>
  judge({ results: [], readings: [], ...findings }, { isAble }).map(({ reached, verdict }) => `${reached} ${verdict}`)

test('a ratio is met when the lower end of its interval is', () => {
  const result = list(figures(POSTGRAPHILE, 1 / 5.5), figures(HAND_WRITTEN, 1 / 0.99))
  assert.deepEqual(verdicts({ results: [result] }), ['5.50 × (5.00–6.05) met', '0.99 × (0.90–1.09) met'])
})

test('a ratio above the bar is missed if the lower end of its interval is below it', () => {
  const result = list(figures(POSTGRAPHILE, 1 / 5.4), figures(HAND_WRITTEN, 1 / 0.95))
  assert.deepEqual(verdicts({ results: [result] }), ['5.40 × (4.91–5.94) missed', '0.95 × (0.86–1.05) missed'])
})

test('too few rounds for an interval give no verdict', () => {
  const unsure = { ...figures(POSTGRAPHILE, 0.1), interval: undefined }
  assert.deepEqual(verdicts({ results: [list(unsure, { ...unsure, contender: HAND_WRITTEN })] }), [
    '10.00 × not judged',
    '10.00 × not judged',
  ])
})

test('an upper bound is met up to its value, judged by the upper end of the interval if there is one', () => {
  assert.deepEqual(verdicts({ readings: [reading('memory.load', 250)] }), ['250.00 MiB met'])
  assert.deepEqual(verdicts({ readings: [reading('memory.load', 250.1)] }), ['250.10 MiB missed'])
  const wide = { ...reading('startup.existing', 2.9), interval: { low: 2.5, high: 3.1 } }
  assert.deepEqual(verdicts({ readings: [wide] }), ['2.90 MiB (2.50–3.10) missed'])
})

test('a run that cannot judge gives no verdict, neither good nor bad', () => {
  const results = [list(figures(POSTGRAPHILE, 0.01), figures(HAND_WRITTEN, 100))]
  const readings = [reading('memory.load', 1)]
  for (const text of verdicts({ results, readings }, false)) assert.match(text, /not judged$/)
})

test('what was not measured is not judged', () => {
  assert.deepEqual(verdicts({}), [])
})
