import assert from 'node:assert/strict'
import { test } from 'node:test'
// @ts-expect-error: an example for the browser, in plain JavaScript
import { dayIn, hijriOf, nameOf, nextPrayer, rowsOfToday, untilText } from '../../examples/hall-screen/times.js'

const row = (date: string, prayer: string, adhan_at: string, iqamah_at: string | null = null) => ({
  date,
  prayer,
  session: 1,
  label: null,
  adhan_at,
  iqamah_at,
})
const isha = row('2026-06-01', 'isha', '2026-06-02T02:50:00Z', '2026-06-02T03:05:00Z')
const fajr = row('2026-06-02', 'fajr', '2026-06-02T08:40:00Z')
const zone = 'America/Chicago'

test('after Isha the next prayer is tomorrow’s Fajr, by its adhan where there is no iqamah', () => {
  const now = new Date('2026-06-02T03:05:00Z')
  assert.equal(nextPrayer([isha, fajr], now), fajr)
  assert.equal(untilText(fajr, now), 'in 5 h 35 min')
  assert.equal(nextPrayer([isha, fajr], new Date('2026-06-02T03:04:59Z')), isha, 'it is Isha until the iqamah')
  assert.equal(nextPrayer([isha, fajr], new Date('2026-06-03T00:00:00Z')), undefined, 'the cached times have run out')
})

test('today is the day at the masjid, wherever the screen is', () => {
  const evening = new Date('2026-06-02T03:00:00Z')
  assert.equal(dayIn(evening, zone), '2026-06-01')
  assert.deepEqual(
    rowsOfToday([fajr, isha], evening, zone).map(({ prayer }: { prayer: string }) => prayer),
    ['isha'],
  )
})

test('names of sessions and hijri dates', () => {
  assert.equal(nameOf({ ...fajr, prayer: 'jumuah', session: 2 }), 'Jumu’ah 2')
  assert.equal(nameOf({ ...fajr, label: 'Early Fajr' }), 'Early Fajr')
  assert.equal(hijriOf({ hijri_day: 1, hijri_month: 9, hijri_year: 1447 }), '1 Ramadan 1447')
})
