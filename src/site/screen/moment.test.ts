import assert from 'node:assert/strict'
import { test } from 'node:test'
// @ts-expect-error: a script for the browser, in plain JavaScript
import { countdown, dateAt, momentOf } from './client/moment.js'

const at = (text: string): number => Date.parse(text)
const row = (name: string, adhan: string, iqamah: string | null = null, prayed = true) => ({
  names: [name],
  adhan: at(adhan),
  iqamah: iqamah === null ? null : at(iqamah),
  prayed,
})

/** In June, Isha of the first comes after midnight. */
const state = {
  timezone: 'Europe/London',
  look: { dark_minutes: 10 },
  days: [
    {
      date: '2026-06-01',
      rows: [
        row('Fajr', '2026-06-01T01:40:00Z', '2026-06-01T02:30:00Z'),
        row('Sunrise', '2026-06-01T03:50:00Z', null, false),
        row('Dhuhr', '2026-06-01T12:00:00Z', '2026-06-01T12:30:00Z'),
        row('Isha', '2026-06-01T22:50:00Z', '2026-06-01T23:10:00Z'),
      ],
    },
    { date: '2026-06-02', rows: [row('Fajr', '2026-06-02T01:39:00Z', '2026-06-02T02:30:00Z')] },
  ],
}
const moment = (text: string) => momentOf(state, at(text))

test('the next moment is the adhan, and then the iqamah; sunrise is not counted down to', () => {
  const morning = moment('2026-06-01T03:00:00Z')
  assert.deepEqual([morning.next.kind, morning.next.row.names[0]], ['adhan', 'Dhuhr'])
  assert.deepEqual(morning.rows, ['past', '', 'next', ''])
  assert.equal(moment('2026-06-01T12:00:00Z').next.kind, 'iqamah')
  assert.deepEqual(moment('2026-06-01T12:00:00Z').rows, ['past', 'past', 'next', ''])
})

test('dark from the iqamah on, for as long as is set, also after midnight', () => {
  const dark = ['2026-06-01T12:29:59Z', '2026-06-01T12:30:00Z', '2026-06-01T12:39:59Z', '2026-06-01T12:40:00Z']
  assert.deepEqual(
    dark.map(text => moment(text).isDark),
    [false, true, true, false],
  )
  const afterMidnight = moment('2026-06-01T23:12:00Z')
  assert.equal(afterMidnight.day.date, '2026-06-02')
  assert.equal(afterMidnight.isDark, true)
})

test('an Isha after midnight is counted down to, while the table has the new day', () => {
  const { day, next } = moment('2026-06-01T23:05:00Z')
  assert.equal(day.date, '2026-06-02')
  assert.deepEqual([next.kind, next.row.names[0]], ['iqamah', 'Isha'])
})

test('a day that is not known shows no other day instead', () => {
  assert.equal(moment('2026-06-03T10:00:00Z'), undefined)
  assert.equal(moment('2026-05-31T10:00:00Z'), undefined)
  assert.equal(moment('2026-06-02T20:00:00Z').day.date, '2026-06-02', 'tomorrow is not known: today stays')
})

test('the day is the masjid’s', () => {
  assert.equal(dateAt('America/Chicago', at('2026-06-02T03:00:00Z')), '2026-06-01')
  assert.equal(dateAt('Pacific/Kiritimati', at('2026-06-02T13:00:00Z')), '2026-06-03')
})

test('the countdown has hours only where there are any', () => {
  assert.deepEqual([3_909_000, 309_000, 400, -1].map(countdown), ['1:05:09', '5:09', '0:01', '0:00'])
})
