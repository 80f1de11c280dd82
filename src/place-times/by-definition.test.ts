// 200 places on 60 dates, by every method and every rule for high latitudes: each time that is answered for a place is the one that
// its definition gives, worked out by an oracle that shares no code with the engine (test/support/oracle). The suite takes 2,000 of
// them, a quarter of which are others in every run; `test:long` takes all, 2,496,000.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleOf } from '../../test/support/holds.ts'
import { expectedTimes, type Question, skyOf } from '../../test/support/oracle/expected-times.ts'
import { definitions, ownAngles } from '../../test/support/oracle/method-definitions.ts'
import type { OraclePlace } from '../../test/support/oracle/sun-of-place.ts'
import { dateOf, dayNumberOf } from '../base/civil-date.ts'
import { createAlmanac } from '../prayer/calculation/calculate-days.ts'
import { highLatitudeRules } from '../prayer/calculation/high-latitude-rules.ts'
import { methodNames } from '../prayer/calculation/methods.ts'
import { calculatePlace, type PlaceDay, timeNames } from './calculate-place.ts'
import { qiblaFrom } from './qibla.ts'

const isLong = process.env.MINARET_LONG !== undefined
const FIXED = 1500
const ROTATING = 500

const GOLDEN = (1 + Math.sqrt(5)) / 2
const part = (index: number, of: number): number => (index * of) % 1

/** Three in five up to 60° of latitude, the others beyond: there are the rules. Both hemispheres, every longitude, the date line. */
const latitudeOf = (index: number): number => {
  const [side, share] = [index % 2 === 0 ? 1 : -1, part(index, GOLDEN)]
  if (index % 5 < 3) return side * share * 60
  return side * (60 + share * (index % 5 === 3 ? 10 : 29))
}

const places: readonly OraclePlace[] = Array.from({ length: 200 }, (_, index) => ({
  latitude: Math.round(latitudeOf(index) * 1e4) / 1e4,
  longitude: index < 2 ? ([180, -180][index] ?? 0) : Math.round((part(index, Math.SQRT2) * 360 - 180) * 1e4) / 1e4,
  elevation: index % 3 === 0 ? Math.round(part(index, Math.PI) * 4000) : 0,
}))

/** Every ninth day of a year, and days from 1900 to 2173, among them leap days, solstices and both ends. */
const dates: readonly string[] = [
  ...Array.from({ length: 41 }, (_, index) => dateOf(dayNumberOf('2026-01-04') + index * 9)),
  ...['1900-01-01', '1904-02-29', '1919-06-22', '1933-09-23', '1948-12-21', '1969-07-20', '1987-03-20', '1999-12-31'],
  ...['2000-02-29', '2011-08-01', '2028-02-29', '2035-11-05', '2049-06-21', '2063-04-11', '2077-10-03', '2100-02-28'],
  ...['2124-06-20', '2148-12-22', '2173-12-31'],
]

/** As in the zones of ships: an hour for every fifteen degrees. */
const zoneOf = (longitude: number): string => {
  const hours = Math.round(longitude / 15)
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

const skies = places.map(skyOf)
const almanac = createAlmanac()
const ways = methodNames.length * highLatitudeRules.length
const all = places.length * dates.length * ways

const caseOf = (index: number): Question => {
  const [day, way] = [Math.floor(index / ways), index % ways]
  const place = Math.floor(day / dates.length)
  return {
    sky: skies[place] as Question['sky'],
    day: dayNumberOf(dates[day % dates.length] ?? ''),
    method: methodNames[way % methodNames.length] as Question['method'],
    hanafi: (way + day) % 2 === 0,
    rule: highLatitudeRules[Math.floor(way / methodNames.length)] ?? null,
  }
}

const noAngles = { fajr_angle: null, isha_angle: null, isha_minutes: null, maghrib_angle: null }

const calculate = ({ sky: { place }, day, method, hanafi, rule }: Question): PlaceDay['times'] => {
  const [calculated] = calculatePlace(
    {
      ...place,
      timeZone: zoneOf(place.longitude),
      method,
      madhab: hanafi ? 'hanafi' : 'shafi',
      highLatitudeRule: rule,
      adjustments: {},
      ...(method === 'Other' ? ownAngles : noAngles),
    },
    { from: day, to: day },
    almanac,
  )
  assert.ok(calculated)
  return calculated.times
}

const named = ({ sky: { place }, day, method, hanafi, rule }: Question): string =>
  `${dateOf(day)} at ${place.latitude}, ${place.longitude}, ${place.elevation} m, ${method}, ${rule}, ${hanafi ? 'hanafi' : 'shafi'}`

interface Seen {
  times: number
  exact: number
  close: number
}

/** Of two times that are rounded, and rounded again. */
const partsOfNight: readonly string[] = ['first_third_ends', 'midnight', 'midnight_to_sunrise', 'last_third']

const hold = (index: number, seen: Seen): void => {
  const question = caseOf(index)
  const { times: expected, isClose } = expectedTimes(question)
  const times = calculate(question)
  if (isClose) {
    seen.close += 1
    return
  }
  for (const name of timeNames) {
    const [time, wanted] = [times[name], expected[name] ?? null]
    assert.equal(time === null, wanted === null, `${name} on ${named(question)}, case ${index}`)
    const off = Number(time) - Number(wanted)
    assert.ok(
      Math.abs(off) <= (partsOfNight.includes(name) ? 2 : 1),
      `${name} is ${off} minutes off on ${named(question)}, case ${index}`,
    )
    seen.times += 1
    if (off === 0) seen.exact += 1
  }
}

/** In the long round, ten places at a time. */
const PER_ROUND = (all / places.length) * 10

const rounds = (): readonly (readonly number[])[] => {
  if (isLong)
    return Array.from({ length: all / PER_ROUND }, (_, round) =>
      Array.from({ length: PER_ROUND }, (__, index) => round * PER_ROUND + index),
    )
  const fixed = Array.from({ length: FIXED }, (_, index) => Math.floor(part(index, GOLDEN) * all))
  return [[...fixed, ...sampleOf(fc.integer({ min: 0, max: all - 1 }), ROTATING)]]
}

for (const [round, cases] of rounds().entries())
  test(`each time is the one of its definition, to the minute to which it is rounded (${round + 1})`, () => {
    const seen: Seen = { times: 0, exact: 0, close: 0 }
    for (const index of cases) hold(index, seen)
    // The positions of the sun are not needed again.
    if (isLong) for (const index of skies.keys()) skies[index] = skyOf(places[index] as OraclePlace)
    // Half a minute on either side of a moment is rounded apart: a second of the sun decides in one of thirty.
    assert.ok(seen.exact > seen.times * 0.98, `${seen.exact} of ${seen.times} are the same minute`)
    // Where a hair's breadth decides whether there is a time at all, or which rule gives it, nothing is compared.
    assert.ok(seen.close < cases.length * 0.06, `${seen.close} of ${cases.length} are close to another rule`)
  })

test('there are 200 places, 60 dates, all methods and all rules', () => {
  assert.deepEqual([new Set(places.map(({ longitude }) => longitude)).size, new Set(dates).size], [200, 60])
  assert.deepEqual(Object.keys(definitions).sort(), [...methodNames])
  assert.equal(all, 200 * 60 * 26 * 8)
  const north = places.filter(({ latitude }) => latitude >= 0)
  assert.equal(north.length, 100)
  for (const [least, most] of [
    [60, 90],
    [66.6, 90],
    [80, 90],
  ] as const)
    assert.ok(places.filter(({ latitude }) => Math.abs(latitude) > least && Math.abs(latitude) < most).length > 5)
})

/** Unit vectors: the Kaaba seen from a place, in its own north and east. */
const bearingByVectors = ({ latitude, longitude }: OraclePlace): number => {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const [north, east] = [radians(latitude), radians(longitude)]
  const [kaabaNorth, kaabaEast] = [radians(21.422487), radians(39.826206)]
  const kaaba = [
    Math.cos(kaabaNorth) * Math.cos(kaabaEast),
    Math.cos(kaabaNorth) * Math.sin(kaabaEast),
    Math.sin(kaabaNorth),
  ] as const
  const along = (direction: readonly [number, number, number]): number =>
    direction[0] * kaaba[0] + direction[1] * kaaba[1] + direction[2] * kaaba[2]
  const toNorth = along([-Math.sin(north) * Math.cos(east), -Math.sin(north) * Math.sin(east), Math.cos(north)])
  const toEast = along([-Math.sin(east), Math.cos(east), 0])
  return ((Math.atan2(toEast, toNorth) * 180) / Math.PI + 360) % 360
}

test('the qibla is the bearing of the Kaaba by vectors, at all places', () => {
  for (const place of places) {
    const off = Math.abs(qiblaFrom(place) - bearingByVectors(place))
    assert.ok(Math.min(off, 360 - off) <= 0.0051, `${place.latitude}, ${place.longitude}: ${off}`)
  }
})
