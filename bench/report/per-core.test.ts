import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Figures, Result } from '../measure/rounds.ts'
import { BY_KEY, judge } from './bars.ts'
import { withPart } from './part-of-page.ts'
import { PER_CORE, perCoreTable } from './per-core.ts'

const figures = (contender: string, ratio: number): Figures => ({
  contender,
  ratio,
  interval: { low: ratio / 1.1, high: ratio * 1.1 },
  requestsPerSecond: 1000,
  spread: 0,
  p50: 1,
  p99: 2,
  serverCpu: 0.1,
  databaseCpu: 0.3,
  memory: 100,
  rounds: [],
})

const day: Result = {
  name: 'times.day',
  title: 'Times of a day',
  figures: [figures('Minaret', 1), figures(BY_KEY, 1 / 0.8)],
}
const list: Result = { name: 'graphql.list', title: 'List', figures: [figures('Minaret', 1)] }

test('times come first, with what a core does and whether the bar is met', () => {
  const results = [list, day]
  const lines = perCoreTable(results, judge({ results, readings: [] }, { isAble: true }))?.split('\n') ?? []
  assert.match(
    lines[2] ?? '',
    /^\| Times of a day +\| +2,500 \| +0\.100 \| +0\.300 \| one masjid by its key \| +0\.80 × .*at least 0\.70 × \|/,
  )
  assert.match(lines[2] ?? '', /\| met \|$|\| +met \|$/)
  assert.match(lines[3] ?? '', /^\| List +\| +2,500 \|/)
})

test('a run that measured none of it has no such table', () => {
  assert.equal(perCoreTable([{ ...day, name: 'credential.key' }], []), undefined)
})

test('the results have a place for the table near their top, and keep everything around it', () => {
  const page = readFileSync(new URL('../results.md', import.meta.url), 'utf8')
  const filled = withPart(page, PER_CORE, 'FIGURES')
  assert.match(filled.slice(0, 3000), /per core[\s\S]*\nFIGURES\n<!-- end -->/)
  assert.equal(filled.slice(-500), page.slice(-500))
})
