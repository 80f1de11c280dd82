// A masjid's parameters and a range of days → the calculated times of each day, independent of the process's time zone.
import { type CalculationParameters, HighLatitudeRule, Rounding } from 'adhan'
import { type DayNumber, startOfDay } from '../../base/civil-date.ts'
import { once } from '../../base/once.ts'
import { longZoneOffsetOf } from '../../base/zone-offset.ts'
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
import { remember } from './nearest-day.ts'
import { type Course, momentsUpToFajr, type PrayerMoments, prayerMoments, type RuledMoments } from './prayer-moments.ts'
import { ishaOfNight, type SunTimes, settleOrder } from './settle-order.ts'
import { createSky, type Moment, type Sky } from './sky.ts'
import { coursesOf } from './sun-courses.ts'
import { solarDay } from './sun-events.ts'

/** A whole minute since 1970, or null where the sun gives no such time. */
export type Minute = number | null

export interface DayTimes extends SunTimes {
  readonly day: DayNumber
  /** Maghrib is later by some methods. */
  readonly sunset: Minute
  readonly firstThirdEnds: Minute
  readonly midnight: Minute
  /** The middle between sunset and the next sunrise. */
  readonly midnightToSunrise: Minute
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
  const minuteOf = (prayer: keyof SunTimes): Minute =>
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
  longZoneOffsetOf(masjid.timezone)?.(startOfDay(day)) ?? Math.round(masjid.longitude / HOUR_DEGREES) * 3_600_000

/** A zone that moved across the date line: Apia in 2011. */
const ACROSS_DATE_LINE = 1 / 4

/** Noon in the masjid's local time; the solar noon is the one nearest to it, whether clocks are changed or not. */
const clockNoon = (masjid: MasjidParameters, first: DayNumber): ((day: DayNumber) => Moment) => {
  const usual = offsetAt(masjid, first) / DAY_MS
  return day => {
    const offset = offsetAt(masjid, day) / DAY_MS
    return day + 1 / 2 - (Math.abs(offset - usual) > ACROSS_DATE_LINE ? offset : usual)
  }
}

/** The sun's course on consecutive days, each with the sunrise that follows. */
export const sunCourses = (masjid: MasjidParameters, { first, days }: Stretch, sky: Sky): Course[] => {
  const noonOf = clockNoon(masjid, first)
  const { longitude, elevation } = masjid
  const courseOn = coursesOf(masjid, (latitude, day) => solarDay(sky, { latitude, longitude, elevation }, noonOf(day)))
  return Array.from({ length: days }, (_, index) => courseOn(first + index))
}

const minuteOf = (moment: Moment): Minute => (Number.isNaN(moment) ? null : Math.round(moment * DAY_MINUTES))

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
export const masjidCalendar = (
  { hijri_adjustment, announced }: Pick<MasjidParameters, 'hijri_adjustment' | 'announced'>,
  calculated: HijriCalendar,
  { first, days }: Stretch,
): HijriCalendar => {
  // The authority's months are read beyond both ends, where the masjid's own have their neighbours.
  const wide = { from: first - 150, until: first + days + 150 }
  const byAuthority = announceMonths(shiftCalendar(calculated, hijri_adjustment), announced.byAuthority, wide)
  return announceMonths(byAuthority, announced.byMasjid, { from: first, until: first + days })
}

/** A day's times, and what they come from. */
export interface RuledDay {
  readonly course: Course
  readonly parameters: CalculationParameters
  readonly moments: RuledMoments
  /** Before their order was settled. */
  readonly unsettled: SunTimes
  readonly times: DayTimes
}

export const calculateRuledDays = (
  masjid: MasjidParameters,
  { first, days }: Stretch,
  almanac: Almanac,
): RuledDay[] => {
  const usual = adhanParameters(masjid, false)
  const inRamadan = once(() => adhanParameters(masjid, true))
  const hijri = remember(masjidCalendar(masjid, almanac.ummAlQura, { first, days: days + 1 }))
  // Isha belongs to the date that begins at Maghrib, and is all that differs in Ramadan.
  const parametersOn = (day: DayNumber) => (isRamadan(hijri(day + 1)) ? inRamadan() : usual)
  const ruledOn = (course: Course) => {
    const parameters = parametersOn(course.day)
    const moments = prayerMoments(course, parameters)
    const unsettled = minutesOf(moments, parameters)
    return { course, parameters, moments, unsettled, settled: settleOrder(unsettled) }
  }
  const mayMeet = usual.highLatitudeRule === HighLatitudeRule.MiddleOfTheNight
  // One more than requested: the last night ends with its Fajr.
  const courses = sunCourses(masjid, { first, days: days + 1 }, almanac.sky)
  const ruled = courses.slice(0, days).map(ruledOn)
  const fajrOn = (course: Course): Minute => {
    const parameters = parametersOn(course.day)
    return settleOrder(minutesOf(momentsUpToFajr(course, parameters), parameters)).fajr
  }
  const lastFajr = fajrOn(courses[days] as Course)
  return ruled.map(({ settled: today, ...from }, index) => {
    const day = first + index
    const next = ruled[index + 1]
    const nextFajr = next === undefined ? lastFajr : next.settled.fajr
    const sunset = today.maghrib === null ? null : minuteOf(from.course.sun.sunset)
    const times = {
      day,
      ...today,
      isha: ishaOfNight(today.isha, nextFajr, mayMeet),
      sunset,
      firstThirdEnds: partOfNight(today.maghrib, nextFajr, 1 / 3),
      midnight: partOfNight(today.maghrib, nextFajr, 1 / 2),
      midnightToSunrise: partOfNight(sunset, minuteOf(from.course.nextSunrise()), 1 / 2),
      lastThird: partOfNight(today.maghrib, nextFajr, 2 / 3),
      hijri: hijri(day),
      eveningHijri: hijri(day + 1),
      isRamadan: isRamadan(hijri(day)),
      isTaraweeh: isRamadan(hijri(day + 1)),
    }
    return { ...from, times }
  })
}

export const calculateDays = (
  masjid: MasjidParameters,
  stretch: Stretch,
  almanac: Almanac = createAlmanac(),
): DayTimes[] => calculateRuledDays(masjid, stretch, almanac).map(({ times }) => times)
