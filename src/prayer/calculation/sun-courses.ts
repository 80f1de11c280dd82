// A masjid's rule for high latitudes and the sun on any day → the sun's course on each day, with what stands where it gives nothing.
import type { DayNumber } from '../../base/civil-date.ts'
import { referenceLatitudes } from './high-latitude-rules.ts'
import type { MasjidParameters } from './masjid-parameters.ts'
import { doesRise, remember, type SunOn, sunByNearestDay, twilightByNearestDay, withAsr } from './nearest-day.ts'
import { type Course, type Elsewhere, fajrOf, ishaOf } from './prayer-moments.ts'
import type { SolarDay } from './sun-events.ts'

type Ruled = Pick<MasjidParameters, 'latitude' | 'high_latitude_rule'>
export type CourseOn = (day: DayNumber) => Course
/** The sun at the masjid's longitude. */
export type SunAt = (latitude: number, day: DayNumber) => SolarDay

const coursesOver =
  ({ latitude, high_latitude_rule: rule }: Ruled, sunOn: SunOn, elsewhere?: (day: DayNumber) => Elsewhere): CourseOn =>
  day => ({
    day,
    latitude,
    rule,
    sun: sunOn(day),
    nextSunrise: sunOn(day + 1).sunrise,
    ...(elsewhere === undefined ? {} : { elsewhere: elsewhere(day) }),
  })

/** The latitude to look at, where it is nearer to the equator than the masjid. */
const referenceOf = ({ latitude, high_latitude_rule: rule }: Ruled): number | undefined => {
  if (rule !== 'nearest_latitude_45' && rule !== 'nearest_latitude_48_5') return undefined
  const reference = referenceLatitudes[rule]
  return Math.abs(latitude) > reference ? Math.sign(latitude) * reference : undefined
}

/** Days on which the sun rises have their own sunrise and Maghrib; the others are wholly those of the other latitude. */
const coursesByLatitude = (masjid: Ruled, reference: number, sunAt: SunAt): CourseOn => {
  const sunThere = remember((day: DayNumber) => sunAt(reference, day))
  const there = coursesOver({ latitude: reference, high_latitude_rule: null }, sunThere)
  const sunOn = remember((day: DayNumber) => {
    const sun = sunAt(masjid.latitude, day)
    return doesRise(sun) ? withAsr(sun) : sunThere(day)
  })
  const here = coursesOver(masjid, sunOn, day => ({
    fajr: parameters => fajrOf(there(day), parameters),
    isha: parameters => ishaOf(there(day), parameters),
  }))
  return day => (sunOn(day) === sunThere(day) ? there(day) : here(day))
}

export const coursesOf = (masjid: Ruled, sunAt: SunAt): CourseOn => {
  const reference = referenceOf(masjid)
  if (reference !== undefined) return coursesByLatitude(masjid, reference, sunAt)
  const sunOn = remember((day: DayNumber) => sunAt(masjid.latitude, day))
  if (masjid.high_latitude_rule !== 'nearest_day') return coursesOver(masjid, sunOn)
  return coursesOver(
    masjid,
    remember((day: DayNumber) => sunByNearestDay(sunOn, day)),
    twilightByNearestDay(sunOn),
  )
}
