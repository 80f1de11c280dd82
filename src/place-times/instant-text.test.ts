// Instants are written with the offset that the zone's rules give, from 1900 to 2173, in every zone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayNumberOf } from '../base/civil-date.ts'
import { endOfDay } from '../base/local-time.ts'
import { longZoneOffsetOf } from '../base/zone-offset.ts'
import { createAlmanac } from '../prayer/calculation/calculate-days.ts'
import { calculatePlace, type SettledPlace } from './calculate-place.ts'
import { instantTexts } from './instant-text.ts'

const minuteOf = (instant: string): number => Date.parse(instant) / 60_000

test('an instant has the offset of its own year, also before 1970 and after 2099', () => {
  const cases = [
    ['Europe/London', '1941-07-01T12:00:00Z', '1941-07-01T14:00:00+02:00'],
    ['America/New_York', '1950-07-01T12:00:00Z', '1950-07-01T08:00:00-04:00'],
    ['Europe/Oslo', '2150-07-01T12:00:00Z', '2150-07-01T14:00:00+02:00'],
    ['Australia/Sydney', '2150-07-01T12:00:00Z', '2150-07-01T22:00:00+10:00'],
    ['Asia/Riyadh', '1930-01-01T12:00:00Z', '1930-01-01T15:07:00+03:07'],
    ['Pacific/Kwajalein', '1968-05-01T00:00:00Z', '1968-05-01T11:00:00+11:00'],
    ['UTC', '1900-01-01T00:00:00Z', '1900-01-01T00:00:00+00:00'],
  ] as const
  for (const [zone, instant, expected] of cases) {
    assert.equal(instantTexts(zone).instant(minuteOf(instant)), expected)
    assert.equal(instantTexts(zone).local(minuteOf(instant)), expected.slice(0, 19))
  }
})

test('in every zone, at both ends of time and between, it is what Temporal says', () => {
  const moments = [
    '1900-01-01T01:00Z',
    '1917-06-01T00:00Z',
    '1944-08-01T12:00Z',
    '1969-10-01T06:00Z',
    '1985-01-15T03:30Z',
  ]
  const later = ['2026-07-01T00:00Z', '2099-12-31T23:59Z', '2120-06-21T12:00Z', '2173-12-31T23:00Z']
  for (const zone of [
    ...Intl.supportedValuesOf('timeZone'),
    'Etc/GMT+12',
    'Etc/GMT-14',
    'US/Eastern',
    'Asia/Calcutta',
  ]) {
    const offset = longZoneOffsetOf(zone)
    for (const text of [...moments, ...later]) {
      const instant = Temporal.Instant.from(text)
      const wanted = instant.toZonedDateTimeISO(zone).offsetNanoseconds / 1e6
      assert.equal(offset?.(instant.epochMilliseconds), wanted, `${zone}, ${text}`)
    }
  }
})

const place: SettledPlace = {
  latitude: 9,
  longitude: 167.4,
  timeZone: 'Pacific/Kwajalein',
  method: 'MuslimWorldLeague',
  madhab: 'shafi',
  highLatitudeRule: null,
  elevation: 0,
  adjustments: {},
  fajr_angle: null,
  isha_angle: null,
  isha_minutes: null,
  maghrib_angle: null,
}

test('Kwajalein had 30 September 1969 twice: it is answered once, and every day has its noon', () => {
  const range = { from: dayNumberOf('1969-09-28'), to: dayNumberOf('1969-10-03') }
  const days = calculatePlace(place, range, createAlmanac())
  assert.deepEqual(
    days.map(({ day }) => day - range.from),
    [0, 1, 2, 3, 4, 5],
  )
  const { dateOf, instant } = instantTexts(place.timeZone)
  for (const { day, times } of days) {
    const dhuhr = instant(times.dhuhr) ?? ''
    assert.equal(dhuhr.slice(0, 10), dateOf(day))
    assert.match(dhuhr, /T1[123]:/)
  }
})

test('a day ends at midnight on its clocks, also on the days on which they change', () => {
  const cases = [
    ['Australia/Sydney', '2027-04-03', '2027-04-03T13:00:00Z'],
    ['Australia/Sydney', '2027-04-04', '2027-04-04T14:00:00Z'],
    ['America/New_York', '2027-03-13', '2027-03-14T05:00:00Z'],
    ['America/New_York', '2027-03-14', '2027-03-15T04:00:00Z'],
    ['Africa/Cairo', '2027-10-28', '2027-10-28T22:00:00Z'],
    ['Pacific/Apia', '2011-12-29', '2011-12-30T10:00:00Z'],
  ] as const
  for (const [zone, date, ends] of cases)
    assert.equal(
      new Date(endOfDay(dayNumberOf(date), zone)).toISOString().replace('.000', ''),
      ends,
      `${zone}, ${date}`,
    )
})
