// What authorities published (test/support/published-times.ts) → the same from us, to the minute or two that each table explains.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testParameters } from '../../../test/support/masjid-parameters.ts'
import { type PublishedTable, publishedTables } from '../../../test/support/published-times.ts'
import { dayNumberOf } from '../../base/civil-date.ts'
import { calculateDays, type Minute } from './calculate-days.ts'

const prayers = ['fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha'] as const

const ofClock = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

const onClock = (minute: Minute, timeZone: string): number =>
  ofClock(new Date((minute ?? Number.NaN) * 60_000).toLocaleTimeString('sv', { timeZone }))

for (const { city, authority, found, masjid, apart, days } of publishedTables)
  test(`${city}: ${authority}, as found in ${found}`, () => {
    for (const line of days) {
      const [date = '', ...times] = line.split(' ')
      const [day] = calculateDays(testParameters(masjid), { first: dayNumberOf(date), days: 1 })
      assert.ok(day)
      assert.equal(times.length, prayers.length, line)
      for (const [index, time] of times.entries()) {
        const prayer = prayers[index] as (typeof prayers)[number]
        if (time === '-') continue
        const off: number = onClock(day[prayer], masjid.timezone) - ofClock(time)
        assert.ok(Math.abs(off) <= apart, `${prayer} on ${date}: ${off} minutes from ${time}`)
      }
    }
  })

test('at least ten cities on four days each, of at least eight authorities', () => {
  const full = publishedTables.filter(({ days }) => days.length >= 4)
  const countOf = (key: keyof PublishedTable): number =>
    new Set(full.map(table => String(table[key]).split(',')[0])).size
  assert.ok(countOf('city') >= 10 && countOf('authority') >= 8, `${countOf('city')}, ${countOf('authority')}`)
})
