import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chart, niceCeiling } from './chart.ts'

const bars = (text: string): number => text.match(/<rect/g)?.length ?? 0

test('the axis ends at a round number that is not below the highest value', () => {
  for (const [highest, ceiling] of [
    [0, 1],
    [1, 1],
    [3, 5],
    [10, 10],
    [11, 20],
    [51, 100],
    [1234, 2000],
  ] as const)
    assert.equal(niceCeiling(highest), ceiling)
})

test('a point without requests has no bar, one with errors has two', () => {
  const points = [
    { label: '10:00', value: 0 },
    { label: '10:02', value: 4 },
    { label: '10:04', value: 4, bad: 1 },
  ]
  assert.equal(bars(chart({ title: 'Requests', summary: '8 in all', points }).text), 3)
})

test('the chart has an accessible name, and its contents are escaped', () => {
  const { text } = chart({ title: '<Requests>', summary: '8 & more', points: [] })
  assert.match(text, /role="img" aria-label="&#60;Requests&#62;. 8 &#38; more"/)
})

test('the same points give the same chart', () => {
  const points = [{ label: 'a', value: 1 / 3 }]
  assert.equal(chart({ title: 't', summary: 's', points }).text, chart({ title: 't', summary: 's', points }).text)
})
