import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unstoredIn } from './unstored-days.ts'

const cases: readonly [string, string, string, readonly string[], readonly [string, string] | undefined][] = [
  ['nothing is stored', '2027-01-01', '2027-01-03', [], ['2027-01-01', '2027-01-03']],
  ['all is stored', '2027-01-01', '2027-01-02', ['2027-01-01', '2027-01-02'], undefined],
  ['the end is missing', '2027-01-01', '2027-01-04', ['2027-01-01', '2027-01-02'], ['2027-01-03', '2027-01-04']],
  ['days between are stored', '2027-01-01', '2027-01-03', ['2027-01-02'], ['2027-01-01', '2027-01-03']],
  ['it begins too early', '1899-12-30', '1900-01-01', [], ['1900-01-01', '1900-01-01']],
  ['it is too early', '1899-12-30', '1899-12-31', [], undefined],
  ['it ends too late', '2173-12-31', '2174-01-31', [], ['2173-12-31', '2173-12-31']],
  ['it is too late', '2174-01-01', '2174-01-31', [], undefined],
]

for (const [what, from, until, stored, expected] of cases)
  test(`the days that are not stored, where ${what}`, () => {
    const unstored = unstoredIn({ from, until }, new Set(stored))
    assert.deepEqual(unstored && [unstored.from, unstored.until], expected)
  })
