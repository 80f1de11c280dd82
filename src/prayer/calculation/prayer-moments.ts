// The sun's course on a day and adhan's parameters → the moments of the prayers, to the second, not yet rounded.
import type { CalculationParameters } from 'adhan'
import { Madhab } from 'adhan'
import { type DayNumber, startOfDay } from '../../base/civil-date.ts'
import { seasonAdjustedEveningTwilight, seasonAdjustedMorningTwilight } from './adhan-parts.ts'
import type { Moment } from './sky.ts'
import type { SolarDay } from './sun-events.ts'

/** NaN where the sun gives no such time. */
export interface PrayerMoments {
  readonly fajr: Moment
  readonly sunrise: Moment
  readonly dhuhr: Moment
  readonly asr: Moment
  readonly maghrib: Moment
  readonly isha: Moment
}

export interface Course {
  readonly day: DayNumber
  readonly latitude: number
  readonly sun: SolarDay
  /** The sunrise that ends the following night. */
  readonly nextSunrise: Moment
}

const DAY_MS = 86_400_000
const DAY_MINUTES = 1440
/** From this latitude on the Moonsighting Committee divides the night by seven; adhan does so in the north only. */
const SEVENTHS_FROM = 55

const asDate = (moment: Moment): Date => new Date(moment * DAY_MS)
const asMoment = (date: Date): Moment => date.getTime() / DAY_MS

/** The year and the day of the year, for the Moonsighting Committee's count from the solstice. */
const dayInYear = (day: DayNumber): { year: number; number: number } => {
  const year = new Date(startOfDay(day)).getUTCFullYear()
  return { year, number: day - Date.UTC(year, 0, 1) / DAY_MS + 1 }
}

/** The earliest Fajr that the rule for high latitudes allows. */
const earliestFajr = ({ day, latitude, sun, nextSunrise }: Course, parameters: CalculationParameters): Moment => {
  if (parameters.method !== 'MoonsightingCommittee')
    return sun.sunrise - (nextSunrise - sun.sunset) * parameters.nightPortions().fajr
  const { year, number } = dayInYear(day)
  return asMoment(seasonAdjustedMorningTwilight(latitude, number, year, asDate(sun.sunrise)))
}

const latestIsha = ({ day, latitude, sun, nextSunrise }: Course, parameters: CalculationParameters): Moment => {
  if (parameters.method !== 'MoonsightingCommittee')
    return sun.sunset + (nextSunrise - sun.sunset) * parameters.nightPortions().isha
  const { year, number } = dayInYear(day)
  return asMoment(seasonAdjustedEveningTwilight(latitude, number, year, asDate(sun.sunset), parameters.shafaq))
}

const prayedBySevenths = ({ latitude }: Course, { method }: CalculationParameters): boolean =>
  method === 'MoonsightingCommittee' && Math.abs(latitude) >= SEVENTHS_FROM

const fajrOf = (course: Course, parameters: CalculationParameters): Moment => {
  const { sun, nextSunrise } = course
  const fajr = prayedBySevenths(course, parameters)
    ? sun.sunrise - (nextSunrise - sun.sunset) / 7
    : sun.at(-parameters.fajrAngle, 'before')
  const earliest = earliestFajr(course, parameters)
  return Number.isNaN(fajr) || earliest > fajr ? earliest : fajr
}

const ishaOf = (course: Course, parameters: CalculationParameters): Moment => {
  const { sun, nextSunrise } = course
  if (parameters.ishaInterval > 0) return sun.sunset + parameters.ishaInterval / DAY_MINUTES
  const isha = prayedBySevenths(course, parameters)
    ? sun.sunset + (nextSunrise - sun.sunset) / 7
    : sun.at(-parameters.ishaAngle, 'after')
  const latest = latestIsha(course, parameters)
  return Number.isNaN(isha) || latest < isha ? latest : isha
}

/** Where the redness must have left the sky first, unless that would come after Isha. */
const maghribOf = ({ sun }: Course, { maghribAngle }: CalculationParameters, isha: Moment): Moment => {
  if (!maghribAngle) return sun.sunset
  const dark = sun.at(-maghribAngle, 'after')
  return sun.sunset < dark && dark < isha ? dark : sun.sunset
}

export const prayerMoments = (course: Course, parameters: CalculationParameters): PrayerMoments => {
  const { sun } = course
  const isha = ishaOf(course, parameters)
  return {
    fajr: fajrOf(course, parameters),
    sunrise: sun.sunrise,
    dhuhr: sun.transit,
    asr: sun.shadow(parameters.madhab === Madhab.Hanafi ? 2 : 1),
    maghrib: maghribOf(course, parameters, isha),
    isha,
  }
}
