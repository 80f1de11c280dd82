import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DayNumber, dateOf, dayNumberOf } from '../../base/civil-date.ts'
import { createRandom } from '../../fixtures/random.ts'
import {
  type Announced,
  announceMonths,
  type HijriCalendar,
  isRamadan,
  monthNumber,
  rememberCalendar,
  shiftCalendar,
  ummAlQura,
} from './hijri.ts'

const span = { from: dayNumberOf('2026-01-01'), until: dayNumberOf('2027-06-01') }
const announced = (...months: readonly [year: number, month: number, date: string][]): Announced =>
  new Map(months.map(([year, month, date]) => [monthNumber(year, month), dayNumberOf(date)]))

/** The length of each month that begins and ends within the span. */
const lengthsOf = (calendar: HijriCalendar): number[] => {
  const firsts: DayNumber[] = []
  for (let day = span.from; day <= span.until; day += 1) if (calendar(day).day === 1) firsts.push(day)
  return firsts.slice(1).map((day, index) => day - (firsts[index] ?? day))
}

test('1 Ramadan 1447 is 18 February 2026, and 1 Shawwal is 20 March', () => {
  assert.deepEqual(ummAlQura(dayNumberOf('2026-02-18')), { year: 1447, month: 9, day: 1 })
  assert.deepEqual(ummAlQura(dayNumberOf('2026-03-20')), { year: 1447, month: 10, day: 1 })
})

test('a masjid that began a day late is a day behind', () => {
  const late = shiftCalendar(ummAlQura, -1)
  assert.equal(isRamadan(ummAlQura(dayNumberOf('2026-02-18'))), true)
  assert.equal(isRamadan(late(dayNumberOf('2026-02-18'))), false)
  assert.deepEqual(late(dayNumberOf('2026-02-19')), { year: 1447, month: 9, day: 1 })
})

test('cached months are the same', () => {
  const remembered = rememberCalendar(ummAlQura)
  for (let day = span.from; day < span.until; day += 1) assert.deepEqual(remembered(day), ummAlQura(day))
})

test('an announced Ramadan begins on its day; the month before gets longer, and Eid stays where it was calculated', () => {
  const calendar = announceMonths(ummAlQura, announced([1447, 9, '2026-02-19']), span)
  assert.deepEqual(calendar(dayNumberOf('2026-02-18')), { year: 1447, month: 8, day: 30 })
  assert.deepEqual(calendar(dayNumberOf('2026-02-19')), { year: 1447, month: 9, day: 1 })
  assert.deepEqual(calendar(dayNumberOf('2026-03-20')), { year: 1447, month: 10, day: 1 })
})

test('Ramadan and Eid both announced: each moves on its own, unlike with one shift for all months', () => {
  const calendar = announceMonths(ummAlQura, announced([1447, 9, '2026-02-18'], [1447, 10, '2026-03-19']), span)
  assert.deepEqual(calendar(dayNumberOf('2026-02-18')), { year: 1447, month: 9, day: 1 })
  assert.deepEqual(calendar(dayNumberOf('2026-03-19')), { year: 1447, month: 10, day: 1 })
})

test('months far from an announced one are as calculated', () => {
  const calendar = announceMonths(ummAlQura, announced([1447, 9, '2026-02-19']), span)
  for (let day = dayNumberOf('2026-06-01'); day < span.until; day += 1) assert.deepEqual(calendar(day), ummAlQura(day))
})

test('whatever is announced, every month has 29 or 30 days and follows the previous one', () => {
  const random = createRandom(9, 'announcements')
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const base = shiftCalendar(ummAlQura, random.integer(-3, 3))
    // Each follows the previous by months of 29 or 30 days, as the table requires.
    let month = monthNumber(1447, random.integer(7, 12))
    let start = span.from
    while (monthNumber(ummAlQura(start).year, ummAlQura(start).month) < month) start += 1
    start += random.integer(-2, 2)
    const months = new Map([[month, start]])
    for (let more = random.integer(0, 3); more > 0; more -= 1) {
      const apart = random.integer(1, 3)
      month += apart
      for (let one = 0; one < apart; one += 1) start += random.pick([29, 30])
      months.set(month, start)
    }
    const calendar = announceMonths(base, months, span)
    for (const length of lengthsOf(calendar)) assert.ok(length === 29 || length === 30, `${length}`)
    for (const [number, day] of months)
      assert.deepEqual(calendar(day), { year: Math.floor(number / 12), month: (number % 12) + 1, day: 1 }, dateOf(day))
  }
})
