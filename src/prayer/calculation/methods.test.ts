// Methods that adhan lacks, compared with their definition; published.test.ts compares with what authorities published.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CalculationMethod } from 'adhan'
import { testParameters } from '../../../test/support/masjid-parameters.ts'
import { altitudeAt, secondsOff } from '../../../test/support/meeus.ts'
import { dayNumberOf } from '../../base/civil-date.ts'
import { calculateDays, type DayTimes, sunCourses } from './calculate-days.ts'
import { adhanParameters, type MasjidParameters } from './masjid-parameters.ts'
import { type MethodName, methodNames } from './methods.ts'
import { prayerMoments } from './prayer-moments.ts'
import { createSky } from './sky.ts'

const onDay = (masjid: Partial<MasjidParameters>, date: string): DayTimes => {
  const [day] = calculateDays(testParameters(masjid), { first: dayNumberOf(date), days: 1 })
  assert.ok(day)
  return day
}

/** Degrees at Fajr and Isha (or minutes after sunset), and at Maghrib where it is not at sunset. */
const definitions: readonly [MethodName, number, number | { minutes: number }, number?][] = [
  ['Algeria', 18, 17],
  ['France12', 12, 12],
  ['France15', 15, 15],
  ['France18', 18, 18],
  ['Gulf', 19.5, { minutes: 90 }],
  ['Jafari', 16, 14, 4],
  ['Jakim', 18, 18],
  ['Jordan', 18, 18],
  ['Kemenag', 20, 18],
  ['Lisbon', 18, { minutes: 80 }],
  ['Morocco', 19, 17],
  ['Russia', 16, 15],
  ['Tunisia', 18, 18],
]

for (const [calculation_method, fajr, isha, maghrib] of definitions)
  test(`by definition: ${calculation_method}`, () => {
    const masjid = testParameters({ calculation_method, latitude: 33.9, longitude: 10.1, timezone: 'Africa/Tunis' })
    const [course] = sunCourses(masjid, { first: dayNumberOf('2026-10-02'), days: 1 }, createSky())
    assert.ok(course)
    const moments = prayerMoments(course, adhanParameters(masjid, false))
    const off = (moment: number, angle: number): number =>
      Math.abs(secondsOff(seconds => altitudeAt(masjid, seconds), moment * 86_400, -angle))
    assert.ok(off(moments.fajr, fajr) < 10)
    if (typeof isha === 'number') assert.ok(off(moments.isha, isha) < 10)
    else assert.ok(Math.abs((moments.isha - course.sun.sunset) * 1440 - isha.minutes) < 0.01)
    assert.ok(off(moments.maghrib, maghrib ?? 5 / 6) < 10)
  })

const ours = methodNames.filter(name => name !== 'Other' && !Object.hasOwn(CalculationMethod, name))

test('every method that adhan lacks is compared with its definition', () => {
  assert.deepEqual(definitions.map(([name]) => name).sort(), ours)
})

test('docs/prayer-times.md lists every method that adhan lacks', () => {
  const text = readFileSync(new URL('../../../docs/prayer-times.md', import.meta.url), 'utf8')
  const table = text.slice(text.indexOf('| method | authority |')).split('\n\n')[0] ?? ''
  const listed = table
    .split('\n')
    .flatMap(line => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name))
  assert.deepEqual(listed, [...ours, 'Other'])
})

test('minutes that tables add: three after sunset and 77 more in Lisbon, five in Jordan and Morocco', () => {
  const sunset = onDay({ calculation_method: 'Karachi' }, '2026-10-02').maghrib ?? 0
  const lisbon = onDay({ calculation_method: 'Lisbon' }, '2026-10-02')
  assert.equal((lisbon.maghrib ?? 0) - sunset, 3)
  assert.equal((lisbon.isha ?? 0) - (lisbon.maghrib ?? 0), 77)
  for (const calculation_method of ['Jordan', 'Morocco'] as const)
    assert.equal((onDay({ calculation_method }, '2026-10-02').maghrib ?? 0) - sunset, 5)
})

test('a masjid’s own angles and minutes', () => {
  const own = (given: Partial<MasjidParameters>): DayTimes =>
    onDay({ calculation_method: 'Other', fajr_angle: 15, isha_angle: 15, ...given }, '2026-10-02')
  const known = onDay({ calculation_method: 'NorthAmerica' }, '2026-10-02')
  assert.deepEqual([own({}).fajr, own({}).isha], [known.fajr, known.isha])
  assert.ok((own({ fajr_angle: 12 }).fajr ?? 0) > (known.fajr ?? 0))
  const minutes = own({ isha_angle: null, isha_minutes: 75 })
  assert.ok(Math.abs((minutes.isha ?? 0) - (known.maghrib ?? 0) - 75) <= 1)
  assert.ok((own({ maghrib_angle: 4 }).maghrib ?? 0) > (known.maghrib ?? 0))
})
