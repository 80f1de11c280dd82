// Far north and south, every rule is checked against its definition with positions of the sun from outside the engine
// (test/support/meeus.ts), and against what authorities and other calculators have published.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testParameters } from '../../../test/support/masjid-parameters.ts'
import { altitudeAt } from '../../../test/support/meeus.ts'
import { rounds } from '../../../test/support/rounds.ts'
import { dateOf, dayNumberOf } from '../../base/civil-date.ts'
import { calculateDays, createAlmanac, type DayTimes, type Minute, sunCourses } from './calculate-days.ts'
import { type HighLatitudeRuleName, highLatitudeRules } from './high-latitude-rules.ts'
import { adhanParameters, type MasjidParameters } from './masjid-parameters.ts'
import { type MethodName, methodNames } from './methods.ts'
import { type PrayerMoments, prayerMoments } from './prayer-moments.ts'

const DAY_MINUTES = 1440
const DAY_SECONDS = 86_400
const FIRST = dayNumberOf('2026-01-01')
const DAYS = 366
/** Nearer than this to the angle at its lowest, the sun may be said to reach it or not. */
const GRAZING = 0.02

const latitudes = [48.4, 50, 52, 55, 60, 63, 65, 66, 67, 68, 69.65, 72, 78, -49, -54.8, -60, -67, -78]
const names = ['fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha'] as const
const sides = ['fajr', 'isha'] as const
type Side = (typeof sides)[number]

/** Each place has some of them, and all places together have all; the long round has all everywhere. */
const methodsAt = (place: number, oneIn: number): MethodName[] =>
  methodNames.filter((_, index) => (index + place) % rounds(oneIn, 1) === 0)

const almanac = createAlmanac()

const placed = (latitude: number, given: Partial<MasjidParameters> = {}): MasjidParameters =>
  testParameters({ latitude, longitude: 18.96, timezone: 'UTC', calculation_method: 'MuslimWorldLeague', ...given })

const yearAt = (masjid: MasjidParameters): DayTimes[] => calculateDays(masjid, { first: FIRST, days: DAYS }, almanac)

interface Sample {
  readonly masjid: MasjidParameters
  readonly day: number
  readonly transit: number
  readonly moments: PrayerMoments
}

/** Every few days of the year, as the engine has them before rounding. */
const samplesOf = (masjid: MasjidParameters): Sample[] =>
  sunCourses(masjid, { first: FIRST, days: DAYS }, almanac.sky)
    .filter((_, index) => index % rounds(19, 1) === 0)
    .map(course => ({
      masjid,
      day: course.day,
      transit: course.sun.transit,
      moments: prayerMoments(course, adhanParameters(masjid, false)),
    }))

const angleOf = ({ masjid }: Sample, side: Side): number => adhanParameters(masjid, false)[`${side}Angle`]

/** How far below the method's angle the sun gets in the night before or after noon; above it, less than nothing. */
const depthBelow = (sample: Sample, side: Side): number => {
  const midnight = sample.transit + (side === 'fajr' ? -1 : 1) / 2
  return -angleOf(sample, side) - altitudeAt(sample.masjid, midnight * DAY_SECONDS)
}

/** All night through, or for a part of it; there is no twilight where the sun stays below its angle even at noon. */
const isReached = (sample: Sample, side: Side): boolean | undefined => {
  const depth = depthBelow(sample, side)
  if (altitudeAt(sample.masjid, sample.transit * DAY_SECONDS) < -angleOf(sample, side)) return undefined
  return Math.abs(depth) < GRAZING ? undefined : depth > 0
}

const isAtAngle = (sample: Sample, side: Side): boolean =>
  Math.abs(altitudeAt(sample.masjid, sample.moments[side] * DAY_SECONDS) + angleOf(sample, side)) < 0.02

const label = ({ masjid, day }: Sample, side: string): string =>
  `${side} on ${dateOf(day)} at ${masjid.latitude}, ${masjid.calculation_method}, ${masjid.high_latitude_rule}`

const everySample = (
  rule: HighLatitudeRuleName | null,
  check: (sample: Sample, side: Side, reached: boolean) => void,
): void => {
  for (const [place, latitude] of latitudes.entries())
    for (const calculation_method of methodsAt(place, 6)) {
      if (calculation_method === 'MoonsightingCommittee' || calculation_method === 'Other') continue
      for (const sample of samplesOf(placed(latitude, { calculation_method, high_latitude_rule: rule })))
        for (const side of sides) {
          const reached = isReached(sample, side)
          if (reached !== undefined && angleOf(sample, side) > 0) check(sample, side, reached)
        }
    }
}

test('without a rule: the angle on every day on which the sun reaches it, a seventh of the night on the others', () => {
  const seen = { angle: 0, seventh: 0, nothing: 0 }
  everySample(null, (sample, side, reached) => {
    const { moments } = sample
    if (reached) {
      seen.angle += 1
      return assert.ok(isAtAngle(sample, side), label(sample, side))
    }
    if (Number.isNaN(moments[side])) {
      seen.nothing += 1
      return assert.ok(Number.isNaN(moments.sunrise) || Math.abs(sample.masjid.latitude) > 65, label(sample, side))
    }
    seen.seventh += 1
    const [, tomorrow] = sunCourses(sample.masjid, { first: sample.day, days: 2 }, almanac.sky)
    const [today] = sunCourses(sample.masjid, { first: sample.day, days: 1 }, almanac.sky)
    assert.ok(today && tomorrow)
    const night = tomorrow.sun.sunrise - today.sun.sunset
    const expected = side === 'fajr' ? today.sun.sunrise - night / 7 : today.sun.sunset + night / 7
    assert.ok(Math.abs(moments[side] - expected) < 1e-6, label(sample, side))
  })
  assert.ok(seen.angle > 800 && seen.seventh > 200 && seen.nothing > 20, JSON.stringify(seen))
})

test('none: nothing exactly where the angle is not reached', () => {
  everySample('none', (sample, side, reached) => {
    assert.equal(!Number.isNaN(sample.moments[side]), reached, label(sample, side))
    if (reached) assert.ok(isAtAngle(sample, side), label(sample, side))
  })
})

test('nearest latitude: the times of the same longitude at 45 or 48.5 degrees where the angle is not reached', () => {
  const rules = [
    ['nearest_latitude_45', 45],
    ['nearest_latitude_48_5', 48.5],
  ] as const
  for (const [rule, reference] of rules)
    for (const latitude of [50, 55, 60, 69.65, -54.8]) {
      const [here, there] = [{ high_latitude_rule: rule }, {}].map((given, index) =>
        yearAt(placed(index === 0 ? latitude : Math.sign(latitude) * reference, given)),
      )
      const plain = yearAt(placed(latitude, { high_latitude_rule: 'none' }))
      let taken = 0
      for (const [index, day] of (here ?? []).entries())
        for (const side of sides) {
          const [own, other] = [plain[index]?.[side] ?? null, there?.[index]?.[side] ?? null]
          const horizon = side === 'fajr' ? plain[index]?.sunrise : plain[index]?.maghrib
          if (horizon == null) assert.equal(day[side], other, `${rule} ${latitude} ${dateOf(day.day)}`)
          else if (own !== null) assert.equal(day[side], own, `${rule} ${latitude} ${dateOf(day.day)}`)
          else if (Math.abs((other ?? 0) - horizon) > 5 && (other ?? 0) < horizon === (side === 'fajr')) {
            assert.equal(day[side], other, `${rule} ${latitude} ${dateOf(day.day)}`)
            taken += 1
          }
        }
      assert.ok(taken > 20, `${rule} ${latitude}: ${taken}`)
    }
})

test('nearest day: the time of day of the nearest day on which the sun reaches the angle', () => {
  const clock = (minute: Minute): number | null => (minute === null ? null : minute % DAY_MINUTES)
  for (const latitude of [50, 55, 60, 64, -54.8]) {
    const around = { first: FIRST - 200, days: DAYS + 400 }
    const plain = calculateDays(placed(latitude, { high_latitude_rule: 'none' }), around, almanac)
    const nearest = (index: number, side: Side): Minute => {
      for (let away = 0; ; away += 1)
        for (const other of [index - away, index + away])
          if (plain[other]?.[side] != null) return plain[other]?.[side] ?? null
    }
    for (const [index, day] of yearAt(placed(latitude, { high_latitude_rule: 'nearest_day' })).entries())
      for (const side of sides)
        assert.equal(clock(day[side]), clock(nearest(index + 200, side)), `${side} at ${latitude}, ${dateOf(day.day)}`)
  }
})

const jumpsOf = (days: readonly DayTimes[], name: (typeof names)[number]): number =>
  Math.max(
    ...days.slice(1).map((day, index) => {
      const [before, now] = [days[index]?.[name] ?? null, day[name]]
      return before === null || now === null ? 0 : Math.abs(now - before - DAY_MINUTES)
    }),
  )

test('nearest day: Tromsø has every time on every day of the year, and no jump over three quarters of an hour', () => {
  for (const calculation_method of methodNames) {
    const own = calculation_method === 'Other' ? { fajr_angle: 18, isha_angle: 16, maghrib_angle: 4 } : {}
    const days = yearAt(placed(69.65, { calculation_method, high_latitude_rule: 'nearest_day', ...own }))
    // The committee has its own rule; a Maghrib by its angle goes back to sunset where the sun does not get that low.
    if (calculation_method === 'MoonsightingCommittee') continue
    const steady = names.filter(
      name => name !== 'maghrib' || !['Jafari', 'Tehran', 'Other'].includes(calculation_method),
    )
    for (const day of days)
      for (const name of names) assert.notEqual(day[name], null, `${name} ${calculation_method} ${dateOf(day.day)}`)
    for (const name of steady)
      assert.ok(jumpsOf(days, name) <= 45, `${name} ${calculation_method} ${jumpsOf(days, name)}`)
  }
  const before = yearAt(placed(69.65))
  assert.equal(before.filter(day => day.maghrib === null).length > 100, true)
})

test('a part of the night bounds Fajr and Isha all year without a jump, up to 64 degrees', () => {
  const bounds = { seventh_of_the_night: 8, twilight_angle: 10, middle_of_the_night: 45 } as const
  for (const [rule, most] of Object.entries(bounds) as [HighLatitudeRuleName, number][])
    for (const latitude of [50, 55, 60, 64, -54.8])
      for (const side of sides) {
        const jump = jumpsOf(yearAt(placed(latitude, { high_latitude_rule: rule })), side)
        assert.ok(jump <= most, `${rule} ${side} at ${latitude}: ${jump} minutes`)
      }
})

test('the times of a day are in strict order, five minutes apart, for every method, school and rule', () => {
  let checked = 0
  for (const [place, latitude] of latitudes.entries())
    for (const calculation_method of methodsAt(place, 9))
      for (const high_latitude_rule of highLatitudeRules) {
        const madhab = checked % 2 === 0 ? 'shafi' : 'hanafi'
        const own = calculation_method === 'Other' ? { fajr_angle: 20, isha_minutes: 120, maghrib_angle: 4 } : {}
        const masjid = placed(latitude, { calculation_method, high_latitude_rule, madhab, ...own })
        const days = yearAt(masjid)
        for (const [index, day] of days.entries()) {
          const given = names.map(name => day[name]).filter(minute => minute !== null)
          const nextFajr = high_latitude_rule === 'middle_of_the_night' ? null : (days[index + 1]?.fajr ?? null)
          const inOrder = given.every((minute, place) => minute - (given[place - 1] ?? 0) >= 5)
          if (!inOrder || (day.isha !== null && nextFajr !== null && day.isha >= nextFajr))
            assert.fail(`${dateOf(day.day)}: ${given}, ${nextFajr}, ${JSON.stringify(masjid)}`)
        }
        checked += 1
      }
  assert.ok(checked > 350)
})

test('the order holds whatever minutes a masjid adds, and the sun’s own times stand', () => {
  const plain = yearAt(placed(60, { high_latitude_rule: 'seventh_of_the_night' }))
  const added = { dhuhr: 99, asr: -99, isha: -60, fajr: 80 }
  const days = yearAt(placed(60, { high_latitude_rule: 'seventh_of_the_night', adjustments: added }))
  for (const [index, day] of days.entries()) {
    const given = names.map(name => day[name]).filter(minute => minute !== null)
    for (const [place, minute] of given.entries()) assert.ok(minute - (given[place - 1] ?? 0) >= 5, dateOf(day.day))
    assert.deepEqual([day.sunrise, day.maghrib], [plain[index]?.sunrise, plain[index]?.maghrib])
  }
})

const clockIn = (timeZone: string, minute: Minute): string =>
  minute === null ? '-' : new Date(minute * 60_000).toLocaleTimeString('sv', { timeZone }).slice(0, 5)

const shownOn = (masjid: MasjidParameters, date: string): string[] => {
  const [day] = calculateDays(masjid, { first: dayNumberOf(date), days: 1 }, almanac)
  return names.map(name => clockIn(masjid.timezone, day?.[name] ?? null))
}

const isNear = (shown: string | undefined, published: string, what: string, most = 1): void => {
  const minutes = (time = ''): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
  const apart = Math.abs(minutes(shown) - minutes(published))
  assert.ok(Math.min(apart, DAY_MINUTES - apart) <= most, `${what}: ${shown}, published ${published}`)
}

// https://www.moonsighting.com/pray.php, its timetables of 2026.
const byCommittee = [
  [65.5848, 22.1567, 'Europe/Stockholm', '2026-06-20', '00:52 01:00 12:38 18:55 00:09 00:14'],
  [65.5848, 22.1567, 'Europe/Stockholm', '2026-06-21', '00:52 01:00 12:38 18:55 00:10 00:14'],
  [65.5848, 22.1567, 'Europe/Stockholm', '2026-07-15', '01:48 02:17 12:42 18:46 22:59 23:24'],
  [65.5848, 22.1567, 'Europe/Stockholm', '2026-12-21', '08:06 09:55 11:34 11:42 13:07 14:49'],
  [63.4305, 10.3951, 'Europe/Oslo', '2026-06-21', '02:33 03:02 13:25 19:33 23:41 00:07'],
  [63.4305, 10.3951, 'Europe/Oslo', '2026-12-21', '08:13 10:01 12:21 12:54 14:35 16:16'],
  [60.1699, 24.9384, 'Europe/Helsinki', '2026-06-21', '03:11 03:54 13:27 19:24 22:53 23:33'],
  [60.1699, 24.9384, 'Europe/Helsinki', '2026-07-15', '03:32 04:22 13:31 19:17 22:32 23:20'],
  [60.1699, 24.9384, 'Europe/Helsinki', '2026-12-21', '07:37 09:24 12:23 13:27 15:16 16:56'],
] as const

test('Moonsighting Committee: the times it publishes up to the polar circle, without a rule and under a part of the night', () => {
  for (const rule of [null, 'seventh_of_the_night', 'twilight_angle'] as const)
    for (const [latitude, longitude, timezone, date, published] of byCommittee) {
      const place = { latitude, longitude, timezone, calculation_method: 'MoonsightingCommittee' } as const
      const shown = shownOn(testParameters({ ...place, madhab: 'hanafi', high_latitude_rule: rule }), date)
      for (const [index, expected] of published.split(' ').entries())
        isNear(shown[index], expected, `${names[index]} on ${date} at ${latitude}`)
    }
})

// IslamicFinder and Muslim Pro measure the night from another sunset.
test('Rotterdam, 19 May 2019: the angle’s share of the night as others publish it, and a seventh', () => {
  const place = { latitude: 51.9225, longitude: 4.47917, timezone: 'Europe/Amsterdam' } as const
  const rules = [
    ['twilight_angle', '03:14', '23:50'],
    ['seventh_of_the_night', '04:35', '22:43'],
  ] as const
  for (const [high_latitude_rule, fajr, isha] of rules) {
    const masjid = testParameters({ ...place, calculation_method: 'MuslimWorldLeague', high_latitude_rule })
    const shown = shownOn(masjid, '2019-05-19')
    isNear(shown[0], fajr, high_latitude_rule, 3)
    isNear(shown[5], isha, high_latitude_rule, 3)
  }
})

test('London and Paris: without a rule the angle stands on the days on which a seventh of the night bounded it', () => {
  const differing = (latitude: number, longitude: number, calculation_method: MethodName): number => {
    const given = { longitude, calculation_method }
    const [now, before] = [null, 'seventh_of_the_night' as const].map(high_latitude_rule =>
      yearAt(placed(latitude, { ...given, high_latitude_rule })),
    )
    return (now ?? []).filter((day, index) => sides.some(side => day[side] !== before?.[index]?.[side])).length
  }
  assert.ok(differing(51.5072, -0.1276, 'MuslimWorldLeague') > 150)
  assert.ok(differing(48.8566, 2.3522, 'France12') > 90)
})
