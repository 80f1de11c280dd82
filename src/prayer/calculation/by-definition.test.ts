// Every time is checked against its definition, with positions of the sun from outside the engine (test/support/meeus.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testParameters } from '../../../test/support/masjid-parameters.ts'
import { altitudeAt, hourAngleAt, secondsOff, shadowAt } from '../../../test/support/meeus.ts'
import { dateOf, dayNumberOf } from '../../base/civil-date.ts'
import { zoneOffsetOf } from '../../base/zone-offset.ts'
import { createRandom } from '../../fixtures/random.ts'
import { calculateDays, sunCourses } from './calculate-days.ts'
import { adhanParameters, type MasjidParameters } from './masjid-parameters.ts'
import type { MethodName } from './methods.ts'
import { type Course, type PrayerMoments, prayerMoments } from './prayer-moments.ts'
import { createSky } from './sky.ts'

const CASES = 1000
const MOST_SECONDS = 10
const HORIZON = -5 / 6
const DAY_SECONDS = 86_400

const random = createRandom(1447, 'places and days')
const sky = createSky()
const zones = Intl.supportedValuesOf('timeZone')
const methods: readonly MethodName[] = [
  'MuslimWorldLeague',
  'Egyptian',
  'Karachi',
  'NorthAmerica',
  'Kuwait',
  'Tehran',
  'Morocco',
  'France12',
  'Kemenag',
  'Russia',
  'Jafari',
  'Other',
]
const rules = [null, 'middle_of_the_night', 'seventh_of_the_night', 'twilight_angle'] as const

interface Case {
  readonly masjid: MasjidParameters
  readonly day: number
}

const inventMethod = (): Partial<MasjidParameters> => {
  const calculation_method = random.pick(methods)
  const angle = (): number => random.integer(24, 40) / 2
  return calculation_method === 'Other'
    ? { calculation_method, fajr_angle: angle(), isha_angle: angle(), maghrib_angle: random.pick([null, 3.5]) }
    : { calculation_method }
}

/** Every zone at least twice; a longitude within 30 degrees of where its clocks are right. */
const inventCase = (index: number): Case => {
  const timezone = zones[index % zones.length] ?? 'UTC'
  const day = dayNumberOf('2026-01-01') + random.integer(0, 1100)
  const meridian = (zoneOffsetOf(timezone)?.(day * 86_400_000) ?? 0) / 240_000
  const longitude = meridian + random.integer(-3000, 3000) / 100
  const masjid = testParameters({
    latitude: random.integer(-6499, 6499) / 100,
    longitude: longitude - 360 * Math.round(longitude / 360),
    timezone,
    madhab: random.pick(['shafi', 'hanafi']),
    high_latitude_rule: random.pick(rules),
    ...inventMethod(),
  })
  return { masjid, day }
}

const calculate = ({ masjid, day }: Case): { course: Course; moments: PrayerMoments } => {
  const [course] = sunCourses(masjid, { first: day, days: 1 }, sky)
  assert.ok(course)
  return { course, moments: prayerMoments(course, adhanParameters(masjid, false)) }
}

const name = ({ masjid, day }: Case, prayer: string): string =>
  `${prayer} on ${dateOf(day)} at ${masjid.latitude}, ${masjid.longitude} (${masjid.timezone}, ${masjid.calculation_method}, ${masjid.madhab}, ${masjid.high_latitude_rule})`

const close = (seconds: number, what: string): void =>
  assert.ok(Math.abs(seconds) <= MOST_SECONDS, `${what} is ${seconds.toFixed(1)} seconds off`)

/** The sun's lowest altitude in the night before or after the noon of a day. */
const lowestAltitude = ({ masjid }: Case, { sun }: Course, prayer: 'fajr' | 'isha'): number =>
  altitudeAt(masjid, (sun.transit + (prayer === 'fajr' ? -1 : 1) / 2) * DAY_SECONDS)

/** By its angle, unless the rule for high latitudes is nearer to sunrise or sunset, or the sun never gets that low. */
const holdTwilight = (one: Case, prayer: 'fajr' | 'isha'): 'angle' | 'rule' => {
  const { course, moments } = calculate(one)
  const { latitude, longitude, high_latitude_rule: rule } = one.masjid
  const parameters = adhanParameters(one.masjid, false)
  const wanted = -(prayer === 'fajr' ? parameters.fajrAngle : parameters.ishaAngle)
  const part = (course.nextSunrise() - course.sun.sunset) * parameters.nightPortions()[prayer]
  const bound = (prayer === 'fajr' ? course.sun.sunrise - part : course.sun.sunset + part) * DAY_SECONDS
  const altitude = (seconds: number): number => altitudeAt({ latitude, longitude }, seconds)
  const at = moments[prayer] * DAY_SECONDS
  const byRule = rule === null ? lowestAltitude(one, course, prayer) > wanted : altitude(bound) > wanted
  if (byRule) close(at - bound, name(one, `${prayer} by its rule`))
  else close(secondsOff(altitude, at, wanted), name(one, prayer))
  return byRule ? 'rule' : 'angle'
}

const cases = Array.from({ length: CASES }, (_, index) => inventCase(index))

test('the cases cover all zones, both hemispheres and all seasons, up to 65 degrees', () => {
  assert.equal(new Set(cases.map(({ masjid }) => masjid.timezone)).size, zones.length)
  for (let from = -60; from <= 50; from += 10)
    assert.ok(cases.filter(({ masjid }) => masjid.latitude >= from && masjid.latitude < from + 10).length > 30)
  assert.equal(new Set(cases.map(({ day }) => dateOf(day).slice(5, 7))).size, 12)
})

test('Dhuhr: the sun is on the meridian, at noon of the local day', () => {
  for (const one of cases) {
    const at = calculate(one).moments.dhuhr * DAY_SECONDS
    close(
      secondsOff(seconds => hourAngleAt(one.masjid, seconds), at, 0),
      name(one, 'Dhuhr'),
    )
    const local = at + (zoneOffsetOf(one.masjid.timezone)?.(at * 1000) ?? 0) / 1000
    assert.equal(Math.floor(local / DAY_SECONDS), one.day, name(one, 'Dhuhr'))
  }
})

test('sunrise and sunset: the centre of the sun is 50 arcminutes below the horizon', () => {
  for (const one of cases) {
    const { sun } = calculate(one).course
    const altitude = (seconds: number): number => altitudeAt(one.masjid, seconds)
    close(secondsOff(altitude, sun.sunrise * DAY_SECONDS, HORIZON), name(one, 'sunrise'))
    close(secondsOff(altitude, sun.sunset * DAY_SECONDS, HORIZON), name(one, 'sunset'))
    assert.ok(sun.sunrise < sun.transit && sun.transit < sun.sunset)
  }
})

test('Maghrib: sunset, or the angle of the method if it has one and it comes before Isha', () => {
  for (const one of cases) {
    const { course, moments } = calculate(one)
    const { maghribAngle } = adhanParameters(one.masjid, false)
    const altitude = (seconds: number): number => altitudeAt(one.masjid, seconds)
    const byAngle = maghribAngle > 0 && altitude(moments.isha * DAY_SECONDS) < -maghribAngle
    if (byAngle) close(secondsOff(altitude, moments.maghrib * DAY_SECONDS, -maghribAngle), name(one, 'Maghrib'))
    else assert.equal(moments.maghrib, course.sun.sunset, name(one, 'Maghrib'))
  }
})

test('Asr: the shadow has grown since noon by once (Hanafi: twice) the height of the object', () => {
  for (const one of cases) {
    const { course, moments } = calculate(one)
    const shadow = (seconds: number): number => shadowAt(one.masjid, seconds)
    const noonShadow = shadow(course.sun.transit * DAY_SECONDS)
    const wanted = noonShadow + (one.masjid.madhab === 'hanafi' ? 2 : 1)
    close(secondsOff(shadow, moments.asr * DAY_SECONDS, wanted), name(one, 'Asr'))
  }
})

test('Fajr and Isha: the sun is at the method’s angle, or the rule for high latitudes limits them', () => {
  for (const prayer of ['fajr', 'isha'] as const) {
    const by = Object.groupBy(cases, one => holdTwilight(one, prayer))
    assert.ok((by.angle?.length ?? 0) > 400 && (by.rule?.length ?? 0) > 50, `${by.angle?.length}, ${by.rule?.length}`)
  }
})

test('Asr in Anchorage and Inuvik in November, where the library was four and twelve minutes early', () => {
  const places = [
    [
      { latitude: 61.2181, longitude: -149.9003, timezone: 'America/Anchorage', madhab: 'shafi' },
      '2027-11-07',
      '14:15',
    ],
    [{ latitude: 68.3607, longitude: -133.723, timezone: 'America/Inuvik', madhab: 'hanafi' }, '2026-11-16', '14:14'],
  ] as const
  for (const [place, date, expected] of places) {
    const one = { masjid: testParameters(place), day: dayNumberOf(date) }
    const shown = new Date(calculate(one).moments.asr * 86_400_000).toLocaleTimeString('sv', {
      timeZone: place.timezone,
    })
    assert.equal(shown.slice(0, 5), expected)
  }
})

test('stored times are rounded to the nearest minute', () => {
  for (const one of cases.slice(0, 100)) {
    const [day] = calculateDays({ ...one.masjid, calculation_method: 'Kuwait' }, { first: one.day, days: 1 })
    const { moments } = calculate({ ...one, masjid: { ...one.masjid, calculation_method: 'Kuwait' } })
    for (const prayer of ['fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha'] as const)
      assert.equal(day?.[prayer], Math.round(moments[prayer] * 1440), name(one, prayer))
  }
})
