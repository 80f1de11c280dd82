import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayNumberOf } from '../base/civil-date.ts'
import { monthNumber } from '../prayer/calculation/hijri.ts'
import { calendarOf, deciderOf, type HijriAuthority } from './authority.ts'

const masjid = (byAuthority: readonly [number, string][], byMasjid: readonly [number, string][]): HijriAuthority => {
  const announced = (months: readonly [number, string][]) =>
    new Map(months.map(([month, date]) => [monthNumber(1448, month), dayNumberOf(date)]))
  return {
    kind: 'announced',
    authority: undefined,
    masjid: undefined,
    hijri_adjustment: 0,
    announced: { byAuthority: announced(byAuthority), byMasjid: announced(byMasjid) },
  }
}

test('where a masjid and its authority contradict each other, the masjid stands, months stay whole, and nobody is named for a day not said', () => {
  // Thirty-one days after the masjid's Ramadan.
  const both = masjid([[10, '2027-03-10']], [[9, '2027-02-07']])
  const span = { from: dayNumberOf('2027-02-01'), to: dayNumberOf('2027-04-01') }
  const calendar = calendarOf(both, span)
  const on = (date: string): readonly unknown[] => {
    const day = dayNumberOf(date)
    const hijri = calendar(day)
    return [hijri.month, hijri.day, deciderOf(both, hijri, day - hijri.day + 1)]
  }
  assert.deepEqual(on('2027-02-07'), [9, 1, 'masjid'])
  assert.deepEqual(on('2027-03-08'), [9, 30, 'masjid'])
  assert.deepEqual(on('2027-03-09'), [10, 1, 'calculated'])
  assert.deepEqual(on('2027-03-10'), [10, 2, 'calculated'])
})

test('who announced a month is named for it', () => {
  const one = masjid([[10, '2027-03-10']], [])
  const shawwal = { year: 1448, month: 10 }
  assert.equal(deciderOf(one, shawwal, dayNumberOf('2027-03-10')), 'authority')
  assert.equal(deciderOf(one, shawwal, dayNumberOf('2027-03-09')), 'calculated')
  assert.equal(deciderOf({ kind: 'calculated', name: 'tabular' }, shawwal, dayNumberOf('2027-03-10')), 'calculated')
})
