import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayNumberOf } from '../../base/civil-date.ts'
import { createHijriCalendar, hijriDate, isRamadan } from './hijri.ts'

test('1 Ramadan 1447 is 18 February 2026, and 1 Shawwal is 20 March', () => {
  assert.deepEqual(hijriDate(dayNumberOf('2026-02-18'), 0), { year: 1447, month: 9, day: 1 })
  assert.deepEqual(hijriDate(dayNumberOf('2026-03-20'), 0), { year: 1447, month: 10, day: 1 })
})

test('a masjid that began a day later is a day behind', () => {
  const day = dayNumberOf('2026-02-18')
  assert.equal(isRamadan(hijriDate(day, 0)), true)
  assert.equal(isRamadan(hijriDate(day, -1)), false)
  assert.deepEqual(hijriDate(day + 1, -1), { year: 1447, month: 9, day: 1 })
})

test('what is remembered is the same', () => {
  const remembered = createHijriCalendar()
  for (let day = dayNumberOf('2026-01-01'); day < dayNumberOf('2027-03-01'); day += 1)
    for (const adjustment of [-1, 0, 1]) assert.deepEqual(remembered(day, adjustment), hijriDate(day, adjustment))
})
