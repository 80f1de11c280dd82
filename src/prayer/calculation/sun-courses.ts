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

type ElsewhereOn = (day: DayNumber) => Elsewhere

interface Suns {
  /** What stands on a day. */
  readonly sunOn: SunOn
  /** The place's own, where that is another. */
  readonly ownOn?: SunOn
}

const coursesOver =
  ({ latitude, high_latitude_rule: rule }: Ruled, { sunOn, ownOn = sunOn }: Suns, elsewhere?: ElsewhereOn): CourseOn =>
  day => ({
    day,
    latitude,
    rule,
    sun: sunOn(day),
    own: ownOn(day),
    nextSunrise: () => sunOn(day + 1).sunrise,
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
  const ownOn = remember((day: DayNumber) => sunAt(masjid.latitude, day))
  const there = coursesOver({ latitude: reference, high_latitude_rule: null }, { sunOn: sunThere })
  const sunOn = remember((day: DayNumber) => {
    const sun = ownOn(day)
    return doesRise(sun) ? withAsr(sun) : sunThere(day)
  })
  const here = coursesOver(masjid, { sunOn, ownOn }, day => ({
    fajr: parameters => fajrOf(there(day), parameters).at,
    isha: parameters => ishaOf(there(day), parameters).at,
  }))
  const wholly: CourseOn = day => ({ ...there(day), own: ownOn(day), takenFrom: masjid.high_latitude_rule })
  return day => (sunOn(day) === sunThere(day) ? wholly(day) : here(day))
}

export const coursesOf = (masjid: Ruled, sunAt: SunAt): CourseOn => {
  const reference = referenceOf(masjid)
  if (reference !== undefined) return coursesByLatitude(masjid, reference, sunAt)
  const sunOn = remember((day: DayNumber) => sunAt(masjid.latitude, day))
  if (masjid.high_latitude_rule !== 'nearest_day') return coursesOver(masjid, { sunOn })
  const nearest = remember(sunByNearestDay(sunOn))
  return coursesOver(masjid, { sunOn: nearest, ownOn: sunOn }, twilightByNearestDay(sunOn))
}
