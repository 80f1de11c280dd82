import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CalculationMethod, Coordinates, PrayerTimes } from 'adhan'
import { testParameters } from '../../../test/support/masjid-parameters.ts'
import { dateOf, dayNumberOf } from '../../base/civil-date.ts'
import { calculateDays, type DayTimes, type Minute } from './calculate-days.ts'
import { adhanParameters, type MasjidParameters, parametersHash } from './masjid-parameters.ts'
import type { MethodName } from './methods.ts'

const onDay = (changes: Partial<MasjidParameters>, date: string): DayTimes => {
  const [day] = calculateDays(testParameters(changes), { first: dayNumberOf(date), days: 1 })
  assert.ok(day)
  return day
}

const local = (minute: Minute, timeZone: string): string | null =>
  minute === null ? null : new Date(minute * 60_000).toLocaleString('sv', { timeZone }).slice(0, 16)

const clockTimes = (day: DayTimes, timeZone: string): (string | undefined)[] =>
  (['fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha'] as const).map(name => local(day[name], timeZone)?.slice(11))

test('Raleigh, 12 July 2015: the known times', () => {
  const day = onDay({ madhab: 'hanafi' }, '2015-07-12')
  assert.deepEqual(clockTimes(day, 'America/New_York'), ['04:42', '06:08', '13:21', '18:22', '20:32', '21:57'])
})

test('Ontario, 1 July 2021, Moonsighting Committee: the known times', () => {
  const place = { latitude: 43.494, longitude: -79.844, timezone: 'America/Toronto' }
  const day = onDay({ ...place, calculation_method: 'MoonsightingCommittee', madhab: 'hanafi' }, '2021-07-01')
  assert.deepEqual(clockTimes(day, 'America/Toronto'), ['03:52', '05:42', '13:28', '18:42', '21:07', '22:22'])
})

test('Chicago on the day clocks go back: Fajr in standard time', () => {
  const place = { latitude: 41.792434591, longitude: -87.5999356, timezone: 'America/Chicago' }
  assert.equal(local(onDay(place, '2022-11-06').fajr, place.timezone), '2022-11-06 05:10')
})

test('Arjeplog in midsummer: the sun neither rises nor sets, so the times that depend on it are null', () => {
  const day = onDay({ latitude: 66.7222444, longitude: 17.7189, timezone: 'Europe/Stockholm' }, '2020-06-21')
  for (const name of ['fajr', 'sunrise', 'maghrib', 'isha', 'midnight', 'lastThird'] as const)
    assert.equal(day[name], null, name)
})

test('Isha after midnight stays with its prayer day', () => {
  const place = {
    latitude: 55.95,
    longitude: -3.19,
    timezone: 'Europe/London',
    high_latitude_rule: 'middle_of_the_night',
  }
  const day = onDay(place as Partial<MasjidParameters>, '2026-06-20')
  assert.equal(dateOf(day.day), '2026-06-20')
  assert.match(local(day.isha, 'Europe/London') ?? '', /^2026-06-21 0[01]:/)
})

test('without a rule, what the angle does not give is a seventh of the night above 48 degrees, north and south alike', () => {
  for (const latitude of [54.8, -54.8])
    assert.equal(adhanParameters(testParameters({ latitude }), false).highLatitudeRule, 'seventhofthenight')
  for (const latitude of [47.9, -47.9, 0])
    assert.equal(adhanParameters(testParameters({ latitude }), false).highLatitudeRule, 'middleofthenight')
  const given = testParameters({ latitude: 54.8, high_latitude_rule: 'twilight_angle' })
  assert.equal(adhanParameters(given, false).highLatitudeRule, 'twilightangle')
})

test('a rule of a later version is no other rule: nothing is calculated', () => {
  const later = { high_latitude_rule: 'by_the_stars' } as unknown as Partial<MasjidParameters>
  assert.throws(() => onDay(later, '2026-06-21'), /does not know the rule "by_the_stars"/)
})

test('UmmAlQura: Isha is 90 minutes after Maghrib, and 120 on the evenings of the masjid’s own Ramadan', () => {
  const place = { latitude: 21.42, longitude: 39.83, timezone: 'Asia/Riyadh', calculation_method: 'UmmAlQura' } as const
  const delay = (day: DayTimes): number => (day.isha ?? 0) - (day.maghrib ?? 0)
  const delays = (changes: Partial<MasjidParameters>, ...dates: readonly string[]): number[] =>
    dates.map(date => delay(onDay({ ...place, ...changes }, date)))
  assert.deepEqual(delays({}, '2026-02-16', '2026-02-17', '2026-03-18', '2026-03-19'), [90, 120, 120, 90])
  assert.deepEqual(delays({ hijri_adjustment: -1 }, '2026-02-17', '2026-02-18'), [90, 120])
  assert.deepEqual(delays({ calculation_method: 'Qatar' }, '2026-02-18'), [90])
})

test('adjustments move exactly their times', () => {
  const plain = onDay({}, '2026-03-01')
  const moved = onDay({ adjustments: { fajr: 2, isha: -3 } }, '2026-03-01')
  assert.equal((moved.fajr ?? 0) - (plain.fajr ?? 0), 2)
  assert.equal((moved.isha ?? 0) - (plain.isha ?? 0), -3)
  assert.equal(moved.asr, plain.asr)
})

test('1 Ramadan 1447 is 18 February 2026; Taraweeh begins the evening before, and there is none on the last', () => {
  const days = calculateDays(testParameters({}), { first: dayNumberOf('2026-02-16'), days: 34 })
  const ramadan = days.filter(day => day.isRamadan)
  assert.deepEqual(ramadan[0]?.hijri, { year: 1447, month: 9, day: 1 })
  assert.equal(dateOf(ramadan[0]?.day ?? 0), '2026-02-18')
  const taraweeh = days.filter(day => day.isTaraweeh)
  assert.equal(dateOf(taraweeh[0]?.day ?? 0), '2026-02-17')
  assert.equal(taraweeh.length, ramadan.length)
  assert.equal(taraweeh.at(-1)?.day, (ramadan.at(-1)?.day ?? 0) - 1)
})

test('on either side of the date line every local day has its own noon, a day after the previous one', () => {
  const places = [
    ['Pacific/Kiritimati', -157.4],
    ['Pacific/Apia', -171.76],
    ['Pacific/Tongatapu', -175.2],
    ['Pacific/Chatham', -176.5],
    ['Pacific/Fiji', 178.44],
    ['Pacific/Fiji', 179.99],
    ['Asia/Anadyr', 177.5],
    ['America/Adak', -176.6],
  ] as const
  for (const [timezone, longitude] of places) {
    const days = calculateDays(testParameters({ latitude: -18, longitude, timezone }), {
      first: dayNumberOf('2026-01-01'),
      days: 400,
    })
    for (const [index, day] of days.entries()) {
      assert.equal(local(day.dhuhr, timezone)?.slice(0, 10), dateOf(day.day), `${timezone} ${longitude}`)
      const before = days[index - 1]?.dhuhr ?? (day.dhuhr ?? 0) - 1440
      assert.ok(Math.abs((day.dhuhr ?? 0) - before - 1440) <= 2, `${timezone} ${dateOf(day.day)}`)
    }
  }
})

/** adhan reads year, month and day with the local getters of `Date`; at noon they are the same in every zone. */
const processNoon = (day: number): Date => {
  const utc = new Date(day * 86_400_000)
  return new Date(utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate(), 12)
}

test('where adhan is right (all but Asr, away from high latitudes) a year matches it to the minute', () => {
  const cities = [
    [1.35, 103.82, 'Asia/Singapore', 'Singapore'],
    [21.42, 39.83, 'Asia/Riyadh', 'MuslimWorldLeague'],
    [35.78, -78.64, 'America/New_York', 'NorthAmerica'],
    [25.2, 55.27, 'Asia/Dubai', 'Dubai'],
    [41.01, 28.98, 'Europe/Istanbul', 'Turkey'],
    [30.04, 31.24, 'Africa/Cairo', 'Egyptian'],
    [35.69, 51.39, 'Asia/Tehran', 'Tehran'],
    [-33.87, 151.21, 'Australia/Sydney', 'MoonsightingCommittee'],
  ] as const
  const names = ['fajr', 'sunrise', 'dhuhr', 'maghrib', 'isha'] as const
  for (const [latitude, longitude, timezone, calculation_method] of cities) {
    const parameters = CalculationMethod[calculation_method]()
    const stretch = { first: dayNumberOf('2026-01-01'), days: 365 }
    for (const day of calculateDays(testParameters({ latitude, longitude, timezone, calculation_method }), stretch)) {
      const direct = new PrayerTimes(new Coordinates(latitude, longitude), processNoon(day.day), parameters)
      for (const name of names) {
        const apart = (day[name] ?? Number.NaN) - Math.floor(direct[name].getTime() / 60_000)
        assert.ok(Math.abs(apart) <= 1, `${timezone} ${dateOf(day.day)} ${name}: ${apart} minutes apart`)
      }
    }
  }
})

test('with the sun below the horizon at noon there is no shadow and no Asr; Fajr and Isha still have their angle', () => {
  const place = { latitude: 69.65, longitude: 18.96, timezone: 'Europe/Oslo' }
  const day = onDay(place, '2026-12-21')
  for (const name of ['sunrise', 'asr', 'maghrib'] as const) assert.equal(day[name], null, name)
  for (const name of ['fajr', 'dhuhr', 'isha'] as const) assert.notEqual(day[name], null, name)
})

test('the fingerprint depends on every parameter, and on nothing else', () => {
  const plain = testParameters({ adjustments: { fajr: 1, isha: 2 } })
  assert.equal(parametersHash(plain), parametersHash({ ...plain, adjustments: { isha: 2, fajr: 1 } }))
  const changes: Partial<MasjidParameters>[] = [
    { latitude: 1 },
    { longitude: 1 },
    { timezone: 'UTC' },
    { calculation_method: 'Karachi' },
    { madhab: 'hanafi' },
    { high_latitude_rule: 'twilight_angle' },
    { adjustments: {} },
    { hijri_adjustment: 1 },
    { calculation_method: 'Other', fajr_angle: 15, isha_angle: 15 },
    { calculation_method: 'Other', fajr_angle: 15, isha_angle: 16 },
    { calculation_method: 'Other', fajr_angle: 15, isha_minutes: 90 },
    { calculation_method: 'Other', fajr_angle: 15, isha_minutes: 90, maghrib_angle: 4 },
  ]
  const hashes = changes.map(change => parametersHash({ ...plain, ...change }))
  assert.equal(new Set([parametersHash(plain), ...hashes]).size, changes.length + 1)
})

test('for a zone unknown to the runtime the day follows the sun', () => {
  const day = onDay({ timezone: 'Atlantis/Capital' }, '2026-03-01')
  assert.equal(local(day.dhuhr, 'America/New_York')?.slice(0, 10), '2026-03-01')
})

test('a method of a later version is refused by its name, and so is one that only an object has', () => {
  for (const name of ['Moon', 'constructor'])
    assert.throws(() => onDay({ calculation_method: name as MethodName }, '2026-03-20'), {
      message: `this version does not know the method "${name}"`,
    })
})
