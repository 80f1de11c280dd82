// A masjid's parameters and a range of days → the calculated times of each day, independent of the process's time zone.
import { type CalculationParameters, HighLatitudeRule, Rounding } from 'adhan'
import { type DayNumber, startOfDay } from '../../base/civil-date.ts'
import { zoneOffsetOf } from '../../base/zone-offset.ts'
import {
  announceMonths,
  type HijriCalendar,
  type HijriDate,
  isRamadan,
  rememberCalendar,
  shiftCalendar,
  ummAlQura,
} from './hijri.ts'
import { adhanParameters, type MasjidParameters } from './masjid-parameters.ts'
import { type Course, type PrayerMoments, prayerMoments } from './prayer-moments.ts'
import { ishaOfNight, type SunTimes, settleOrder } from './settle-order.ts'
import { createSky, type Moment, type Sky } from './sky.ts'
import { coursesOf } from './sun-courses.ts'
import { solarDay } from './sun-events.ts'

/** A whole minute since 1970, or null where the sun gives no such time. */
export type Minute = number | null

export interface DayTimes extends SunTimes {
  readonly day: DayNumber
  readonly midnight: Minute
  readonly lastThird: Minute
  readonly hijri: HijriDate
  /** The date that begins at Maghrib. */
  readonly eveningHijri: HijriDate
  readonly isRamadan: boolean
  readonly isTaraweeh: boolean
}

export interface Stretch {
  readonly first: DayNumber
  readonly days: number
}

const DAY_MINUTES = 1440
const DAY_MS = 86_400_000
const HOUR_DEGREES = 15

/** Some authorities round up, so that nobody prays early; the others to the nearest minute. */
const roundMinute = ({ rounding }: CalculationParameters, minutes: number): number =>
  rounding === Rounding.Up ? Math.ceil(minutes) : Math.round(minutes)

/** Rounded, with the adjustments of the method and the masjid; null where the sun gives no such time. */
const minutesOf = (moments: PrayerMoments, parameters: CalculationParameters): SunTimes => {
  const minuteOf = (prayer: keyof PrayerMoments): Minute =>
    Number.isNaN(moments[prayer])
      ? null
      : roundMinute(parameters, moments[prayer] * DAY_MINUTES) +
        parameters.methodAdjustments[prayer] +
        parameters.adjustments[prayer]
  return {
    fajr: minuteOf('fajr'),
    sunrise: minuteOf('sunrise'),
    dhuhr: minuteOf('dhuhr'),
    asr: minuteOf('asr'),
    maghrib: minuteOf('maghrib'),
    isha: minuteOf('isha'),
  }
}

/** A zone unknown to this runtime is derived from the longitude: 15 degrees are an hour. */
const offsetAt = (masjid: MasjidParameters, day: DayNumber): number =>
  zoneOffsetOf(masjid.timezone)?.(startOfDay(day)) ?? Math.round(masjid.longitude / HOUR_DEGREES) * 3_600_000

/** Noon in the masjid's local time; the solar noon is the one nearest to it. */
const clockNoon = (masjid: MasjidParameters, first: DayNumber): ((day: DayNumber) => Moment) => {
  const offset = offsetAt(masjid, first) / DAY_MS
  return day => day + 1 / 2 - offset
}

/** The sun's course on consecutive days, each with the sunrise that follows. */
export const sunCourses = (masjid: MasjidParameters, { first, days }: Stretch, sky: Sky): Course[] => {
  const noonOf = clockNoon(masjid, first)
  const { longitude } = masjid
  const courseOn = coursesOf(masjid, (latitude, day) => solarDay(sky, { latitude, longitude }, noonOf(day)))
  return Array.from({ length: days }, (_, index) => courseOn(first + index))
}

/** A part of the night between Maghrib and the next Fajr, to the nearest minute. */
const partOfNight = (maghrib: Minute, nextFajr: Minute, part: number): Minute =>
  maghrib === null || nextFajr === null ? null : Math.floor(maghrib + (nextFajr - maghrib) * part + 0.5)

/** What does not depend on the masjid, cached between masjids. */
export interface Almanac {
  readonly sky: Sky
  readonly ummAlQura: HijriCalendar
}

export const createAlmanac = (): Almanac => ({ sky: createSky(), ummAlQura: rememberCalendar(ummAlQura) })

/** The masjid's adjustment moves calculated months; its authority's announcements override that, and its own override both. */
const masjidCalendar = (
  { hijri_adjustment, announced }: MasjidParameters,
  calculated: HijriCalendar,
  { first, days }: Stretch,
): HijriCalendar => {
  // The authority's months are read beyond both ends, where the masjid's own have their neighbours.
  const wide = { from: first - 150, until: first + days + 150 }
  const byAuthority = announceMonths(shiftCalendar(calculated, hijri_adjustment), announced.byAuthority, wide)
  return announceMonths(byAuthority, announced.byMasjid, { from: first, until: first + days })
}

export const calculateDays = (
  masjid: MasjidParameters,
  { first, days }: Stretch,
  almanac = createAlmanac(),
): DayTimes[] => {
  const usual = adhanParameters(masjid, false)
  const inRamadan = adhanParameters(masjid, true)
  const hijri = masjidCalendar(masjid, almanac.ummAlQura, { first, days: days + 1 })
  const timesOn = (course: Course): SunTimes => {
    // Isha belongs to the date that begins at Maghrib, and is all that differs in Ramadan.
    const parameters = isRamadan(hijri(course.day + 1)) ? inRamadan : usual
    return settleOrder(minutesOf(prayerMoments(course, parameters), parameters))
  }
  const mayMeet = usual.highLatitudeRule === HighLatitudeRule.MiddleOfTheNight
  // One more than requested: the last night ends with its Fajr.
  const times = sunCourses(masjid, { first, days: days + 1 }, almanac.sky).map(timesOn)
  return times.slice(0, days).map((today, index) => {
    const day = first + index
    const nextFajr = times[index + 1]?.fajr ?? null
    return {
      day,
      ...today,
      isha: ishaOfNight(today.isha, nextFajr, mayMeet),
      midnight: partOfNight(today.maghrib, nextFajr, 1 / 2),
      lastThird: partOfNight(today.maghrib, nextFajr, 2 / 3),
      hijri: hijri(day),
      eveningHijri: hijri(day + 1),
      isRamadan: isRamadan(hijri(day)),
      isTaraweeh: isRamadan(hijri(day + 1)),
    }
  })
}
