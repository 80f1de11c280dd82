// Times of places, each against its definition, with positions of the sun from outside the engine (test/support/meeus.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { altitudeAt } from '../../test/support/meeus.ts'
import { dateOf, dayNumberOf } from '../base/civil-date.ts'
import { createAlmanac } from '../prayer/calculation/calculate-days.ts'
import { calculatePlace, type PlaceDay, type SettledPlace, timeNames } from './calculate-place.ts'

const almanac = createAlmanac()

const settled = (given: Partial<SettledPlace> = {}): SettledPlace => ({
  latitude: 40.7128,
  longitude: -74.006,
  timeZone: 'America/New_York',
  method: 'MuslimWorldLeague',
  madhab: 'shafi',
  highLatitudeRule: null,
  elevation: 0,
  adjustments: {},
  fajr_angle: null,
  isha_angle: null,
  isha_minutes: null,
  maghrib_angle: null,
  ...given,
})

const daysOf = (given: Partial<SettledPlace>, from: string, to = from): PlaceDay[] =>
  calculatePlace(settled(given), { from: dayNumberOf(from), to: dayNumberOf(to) }, almanac)

const dayOf = (given: Partial<SettledPlace>, date: string): PlaceDay => {
  const [day] = daysOf(given, date)
  assert.ok(day)
  return day
}

/** The sun's altitude at a minute. */
const altitudeOf = ({ latitude, longitude }: SettledPlace, minute: number | null): number =>
  altitudeAt({ latitude, longitude }, Number(minute) * 60)

test('between the prayers: imsak, duha, the forbidden times, both midnights and the thirds of the night', () => {
  const [today, tomorrow] = daysOf({}, '2026-11-19', '2026-11-20')
  assert.ok(today && tomorrow)
  const { times } = today
  const [maghrib, fajr] = [Number(times.maghrib), Number(tomorrow.times.fajr)]
  assert.equal(times.imsak, Number(times.fajr) - 10)
  assert.equal(times.duha, Number(times.sunrise) + 15)
  assert.equal(times.duha_ends, Number(times.dhuhr) - 10)
  assert.equal(times.evening_forbidden, Number(times.sunset) - 15)
  assert.equal(times.midnight, Math.floor((maghrib + fajr) / 2 + 0.5))
  const sunrise = Number(tomorrow.times.sunrise)
  assert.ok(Math.abs(Number(times.midnight_to_sunrise) - (Number(times.sunset) + sunrise) / 2) <= 1)
  assert.ok(Math.abs(Number(times.first_third_ends) - (maghrib + (fajr - maghrib) / 3)) <= 0.5)
  assert.ok(Math.abs(Number(times.last_third) - (maghrib + ((fajr - maghrib) * 2) / 3)) <= 0.5)
  const order = timeNames.map(name => Number(times[name]))
  assert.deepEqual(
    order,
    order.toSorted((one, other) => one - other),
    'the times are written in their order',
  )
})

test('sunset is the sun’s own, Maghrib the method’s', () => {
  const tehran = { latitude: 35.6892, longitude: 51.389, timeZone: 'Asia/Tehran', method: 'Tehran' as const }
  const { times } = dayOf(tehran, '2026-11-19')
  assert.ok(Math.abs(altitudeOf(settled(tehran), times.sunset) + 5 / 6) < 0.15)
  assert.ok(Math.abs(altitudeOf(settled(tehran), times.maghrib) + 4.5) < 0.15)
})

test('elevation: the sun is that much lower at sunrise and sunset, and nothing else moves but what counts from them', () => {
  for (const elevation of [1, 828, 3640, 10_000]) {
    const place = settled({ elevation })
    const { times } = dayOf({ elevation }, '2026-04-03')
    const wanted = -5 / 6 - (2.076 / 60) * Math.sqrt(elevation)
    for (const name of ['sunrise', 'sunset'] as const)
      assert.ok(Math.abs(altitudeOf(place, times[name]) - wanted) < 0.11, `${elevation} m, ${name}`)
    const low = dayOf({}, '2026-04-03').times
    for (const name of ['fajr', 'dhuhr', 'asr', 'isha'] as const) assert.equal(times[name], low[name], name)
  }
})

test('what moved a time is named: each rule for high latitudes, the committee, and the order of a day', () => {
  const oslo = { latitude: 59.91, longitude: 10.75, timeZone: 'Europe/Oslo' }
  const movedBy = (given: Partial<SettledPlace>, date = '2026-06-21') => dayOf({ ...oslo, ...given }, date).moved
  assert.deepEqual(movedBy({}), { fajr: 'seventh_of_the_night', isha: 'seventh_of_the_night' })
  for (const rule of ['middle_of_the_night', 'seventh_of_the_night', 'twilight_angle', 'nearest_day'] as const)
    assert.deepEqual(movedBy({ highLatitudeRule: rule }), { fajr: rule, isha: rule })
  for (const rule of ['nearest_latitude_45', 'nearest_latitude_48_5'] as const)
    assert.deepEqual(movedBy({ highLatitudeRule: rule }, '2026-05-10'), { fajr: rule, isha: rule })
  const none = dayOf({ ...oslo, highLatitudeRule: 'none' }, '2026-06-21')
  assert.deepEqual([none.times.fajr, none.times.isha, none.moved], [null, null, {}])
  assert.deepEqual(movedBy({ method: 'MoonsightingCommittee' }), {
    fajr: 'moonsighting_committee',
    isha: 'moonsighting_committee',
  })
  for (const rule of [null, 'nearest_day', 'nearest_latitude_45', 'none'] as const)
    assert.deepEqual(movedBy({ highLatitudeRule: rule }, '2026-11-19'), {}, `${rule} in November`)
  assert.deepEqual(movedBy({ adjustments: { asr: -99 } }, '2026-12-21'), { asr: 'order_of_the_day' })
})

test('in the polar night, what comes from another day or latitude is named', () => {
  const tromso = { latitude: 69.65, longitude: 18.96, timeZone: 'Europe/Oslo' }
  const plain = dayOf(tromso, '2026-12-21')
  assert.deepEqual([plain.times.sunrise, plain.times.asr, plain.times.maghrib, plain.moved], [null, null, null, {}])
  const nearest = dayOf({ ...tromso, highLatitudeRule: 'nearest_day' }, '2026-12-21')
  assert.deepEqual(nearest.moved, { sunrise: 'nearest_day', asr: 'nearest_day', maghrib: 'nearest_day' })
  const latitude = dayOf({ ...tromso, highLatitudeRule: 'nearest_latitude_48_5' }, '2026-12-21')
  assert.deepEqual(Object.keys(latitude.moved), ['fajr', 'sunrise', 'asr', 'maghrib', 'isha'])
  assert.ok(Object.values(latitude.moved).every(rule => rule === 'nearest_latitude_48_5'))
})

test('Apia has no 30 December 2011, and Kiritimati no 31 December 1994; noon is at noon on both sides', () => {
  const cases = [
    [{ latitude: -13.83, longitude: -171.76, timeZone: 'Pacific/Apia' }, '2011-12-28', '2012-01-01', '2011-12-30'],
    [{ latitude: 1.87, longitude: -157.4, timeZone: 'Pacific/Kiritimati' }, '1994-12-29', '1995-01-02', '1994-12-31'],
    [{ latitude: 8.72, longitude: 167.73, timeZone: 'Pacific/Kwajalein' }, '1993-08-19', '1993-08-23', '1993-08-21'],
  ] as const
  for (const [place, from, to, missing] of cases) {
    const days = daysOf(place, from, to)
    assert.equal(days.length, 4)
    assert.ok(days.every(({ day }) => dateOf(day) !== missing))
    const noons = days.map(({ times }) => Number(times.dhuhr))
    for (const [index, noon] of noons.slice(1).entries())
      assert.ok(Math.abs(noon - (noons[index] ?? 0) - 1440) < 2, `${missing}: a day between two noons`)
    for (const { times } of days) assert.ok(Math.abs(Number(times.isha) - Number(times.dhuhr)) < 900)
    for (const [index, { times }] of days.slice(0, -1).entries())
      assert.ok(Number(times.last_third) < Number(days[index + 1]?.times.fajr))
    assert.deepEqual(daysOf(place, missing), [])
  }
})

test('a range gives the same as its days one by one: on leap days, at both ends of time, and over a change of clocks', () => {
  const ranges = [
    ['1900-01-01', '1900-03-02'],
    ['2028-02-27', '2028-03-02'],
    ['2026-10-30', '2026-11-03'],
    ['2173-11-01', '2173-12-31'],
  ] as const
  for (const [from, to] of ranges)
    for (const day of daysOf({}, from, to)) assert.deepEqual(dayOf({}, dateOf(day.day)), day, dateOf(day.day))
})

test('hijri dates are those of the Umm al-Qura calendar, each month 29 or 30 days', () => {
  const calendar = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', { timeZone: 'UTC', dateStyle: 'short' })
  for (const { day, hijri } of daysOf({}, '2026-01-01', '2027-02-04')) {
    const [month, date, year] = calendar
      .format(new Date(day * 86_400_000))
      .split(/[/ ]/)
      .map(Number)
    assert.deepEqual(hijri, { year, month, day: date }, dateOf(day))
  }
  const [eve, first] = daysOf({}, '2026-02-17', '2026-02-18')
  assert.deepEqual([eve?.isRamadan, first?.isRamadan], [false, true])
})
