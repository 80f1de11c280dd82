// Methods compared with what their authorities published, and all of them with their definition.
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

type Prayer = 'fajr' | 'sunrise' | 'dhuhr' | 'asr' | 'maghrib' | 'isha'

interface Published {
  readonly source: string
  readonly masjid: Partial<MasjidParameters>
  readonly date: string
  readonly times: Readonly<Partial<Record<Prayer, string>>>
  /** In minutes; one unless there is a reason. */
  readonly apart?: number
}

const place = (
  calculation_method: MethodName,
  latitude: number,
  longitude: number,
  timezone: string,
): Partial<MasjidParameters> => ({ calculation_method, latitude, longitude, timezone })

const jakarta = place('Kemenag', -6.2088, 106.8456, 'Asia/Jakarta')
const malang = place('Kemenag', -7.9797, 112.6304, 'Asia/Jakarta')
const kualaLumpur = place('Jakim', 3.139, 101.6869, 'Asia/Kuala_Lumpur')
const algiers = place('Algeria', 36.7538, 3.0588, 'Africa/Algiers')
const amman = place('Jordan', 31.9539, 35.9106, 'Asia/Amman')

const published: readonly Published[] = [
  {
    source: 'JAKIM, e-Solat, zone WLY01 (Kuala Lumpur and Putrajaya)',
    masjid: kualaLumpur,
    date: '2026-01-01',
    times: { fajr: '06:06', sunrise: '07:18', dhuhr: '13:19', asr: '16:42', maghrib: '19:17', isha: '20:31' },
  },
  {
    source: 'JAKIM, e-Solat, zone WLY01, the year before',
    masjid: kualaLumpur,
    date: '2025-01-01',
    times: { fajr: '06:07', sunrise: '07:18', dhuhr: '13:20', asr: '16:42', maghrib: '19:17', isha: '20:31' },
  },
  {
    source: 'Kemenag’s schedule for Jakarta, as the myQuran service gives it',
    masjid: jakarta,
    date: '2026-09-01',
    times: { fajr: '04:38', sunrise: '05:50', dhuhr: '11:56', asr: '15:14', maghrib: '17:56', isha: '19:05' },
  },
  {
    source: 'Kemenag’s schedule for Malang, as the myQuran service gives it',
    masjid: malang,
    date: '2025-07-16',
    times: { fajr: '04:24', sunrise: '05:41', dhuhr: '11:39', asr: '14:59', maghrib: '17:30', isha: '18:43' },
  },
  {
    source: 'MUIS, Muslim Prayer Timetable 2026, Singapore’s open data',
    masjid: place('Singapore', 1.3521, 103.8198, 'Asia/Singapore'),
    date: '2026-01-01',
    times: { fajr: '05:44', sunrise: '07:08', dhuhr: '13:10', asr: '16:34', maghrib: '19:11', isha: '20:25' },
  },
  {
    source: 'Diyanet, yearly table of Istanbul',
    masjid: place('Turkey', 41.0082, 28.9784, 'Europe/Istanbul'),
    date: '2027-01-01',
    times: { fajr: '06:50', sunrise: '08:22', dhuhr: '13:12', asr: '15:32', maghrib: '17:53', isha: '19:19' },
  },
  {
    source: 'Algeria’s Ministry of Religious Affairs, imsakia of Algiers, 11 Ramadan 1445',
    masjid: algiers,
    date: '2024-03-21',
    times: { fajr: '05:23', maghrib: '19:04' },
  },
  {
    source: 'Algeria’s Ministry of Religious Affairs, imsakia of Algiers, 25 Ramadan 1445',
    masjid: algiers,
    date: '2024-04-04',
    times: { fajr: '05:00', maghrib: '19:17' },
  },
  {
    // Morocco's clocks are on UTC during Ramadan.
    source: 'Morocco’s Ministry of Habous, Rabat, 1 Ramadan 1439',
    masjid: place('Morocco', 33.9716, -6.8498, 'UTC'),
    date: '2018-05-17',
    times: { fajr: '03:40', maghrib: '19:27' },
  },
  {
    source: 'Amman, first day of Ramadan 1445, as announced in the press; the city lies 800 metres high',
    masjid: amman,
    date: '2024-03-11',
    times: { fajr: '05:29', maghrib: '18:49' },
    apart: 2,
  },
  {
    source: 'Amman, last day of Ramadan 1445, as announced in the press',
    masjid: amman,
    date: '2024-04-09',
    times: { fajr: '04:50', maghrib: '19:08' },
    apart: 2,
  },
]

const onDay = (masjid: Partial<MasjidParameters>, date: string): DayTimes => {
  const [day] = calculateDays(testParameters(masjid), { first: dayNumberOf(date), days: 1 })
  assert.ok(day)
  return day
}

const clockMinute = (minute: number | null, timeZone: string): number => {
  const [hours, minutes] = new Date((minute ?? Number.NaN) * 60_000)
    .toLocaleTimeString('sv', { timeZone })
    .split(':')
    .map(Number)
  return (hours ?? 0) * 60 + (minutes ?? 0)
}

for (const { source, masjid, date, times, apart = 1 } of published)
  test(`published: ${source}, ${date}`, () => {
    const day = onDay(masjid, date)
    for (const [prayer, time] of Object.entries(times) as [Prayer, string][]) {
      const [hours = 0, minutes = 0] = time.split(':').map(Number)
      const off = clockMinute(day[prayer], masjid.timezone ?? 'UTC') - (hours * 60 + minutes)
      assert.ok(Math.abs(off) <= apart, `${prayer}: ${off} minutes from ${time}`)
    }
  })

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
