// Every day from 1900 to 2173: the calendars are those of ICU, and each hijri date leads back to its day.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DayNumber, dateOf, dayNumberOf } from '../base/civil-date.ts'
import { MOST_DAYS } from '../place-times/parameters.ts'
import type { HijriDate } from '../prayer/calculation/hijri.ts'
import { type CalculatedAuthority, calculatedAuthorities, calendarOf } from './authority.ts'
import { dayOf, lengthOfMonth } from './find-day.ts'

const first = dayNumberOf('1900-01-01')
const last = dayNumberOf('2173-12-31')

const icuNames: Readonly<Record<CalculatedAuthority, string>> = {
  umm_al_qura: 'islamic-umalqura',
  tabular: 'islamic-civil',
}

const icu = (name: string): ((day: DayNumber) => string) => {
  const calendar = new Intl.DateTimeFormat(`en-u-ca-${name}-nu-latn`, {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  return day => (/\d+\/\d+\/\d+/.exec(calendar.format(day * 86_400_000)) ?? [''])[0]
}

const american = ({ year, month, day }: HijriDate): string => `${month}/${day}/${year}`

for (const name of calculatedAuthorities)
  test(`${name}: every day is as ICU has it, and found again by its hijri date`, () => {
    const expected = icu(icuNames[name])
    let days = 0
    // As many at a time as a request may ask for.
    for (let from = first; from <= last; from += MOST_DAYS) {
      const to = Math.min(from + MOST_DAYS - 1, last)
      const calendar = calendarOf({ kind: 'calculated', name }, { from, to })
      for (let day = from; day <= to; day += 1) {
        const date = calendar(day)
        days += 1
        if (american(date) !== expected(day)) assert.fail(`${dateOf(day)}: ${american(date)}, ICU ${expected(day)}`)
        if (dayOf(calendar, date) !== day) assert.fail(`${american(date)} is not found as ${dateOf(day)}`)
      }
    }
    assert.equal(days, last - first + 1)
  })

test('a month of 29 days has no 30th, and calendars agree where both are published', () => {
  const span = { from: dayNumberOf('2026-01-01'), to: dayNumberOf('2028-01-01') }
  const ummAlQura = calendarOf({ kind: 'calculated', name: 'umm_al_qura' }, span)
  assert.equal(lengthOfMonth(ummAlQura, { year: 1448, month: 9 }), 29)
  assert.equal(dayOf(ummAlQura, { year: 1448, month: 9, day: 30 }), undefined)
  const tabular = calendarOf({ kind: 'calculated', name: 'tabular' }, span)
  // Leap years have 30 days in Dhu al-Hijjah: in their cycle, these are the 5th, the 7th and the 8th.
  assert.deepEqual(
    [1445, 1447, 1448].map(year => lengthOfMonth(tabular, { year, month: 12 })),
    [30, 30, 29],
  )
})
