// The sun's course on a day and adhan's parameters → the moments of the prayers, to the second, not yet rounded.
import type { CalculationParameters } from 'adhan'
import { Madhab } from 'adhan'
import { type DayNumber, startOfDay } from '../../base/civil-date.ts'
import { seasonAdjustedEveningTwilight, seasonAdjustedMorningTwilight } from './adhan-parts.ts'
import { type HighLatitudeRuleName, isBounding, partOfNightName } from './high-latitude-rules.ts'
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

/** What moves a time away from where the sun alone puts it. */
export type MovedBy = HighLatitudeRuleName | 'moonsighting_committee'

/** A moment, and the rule that put it there if it is not where the sun reaches the angle. */
interface Twilight {
  readonly at: Moment
  readonly by: MovedBy | undefined
}

export interface RuledMoments extends PrayerMoments {
  readonly by: { readonly fajr: MovedBy | undefined; readonly isha: MovedBy | undefined }
}

export interface Course {
  readonly day: DayNumber
  readonly latitude: number
  readonly sun: SolarDay
  /** The sun here and today, where `sun` is what stands in its place. */
  readonly own: SolarDay
  /** The rule under which the whole day is that of another latitude. */
  readonly takenFrom?: HighLatitudeRuleName | null
  /** The sunrise that ends the following night: most times do not depend on it. */
  readonly nextSunrise: () => Moment
  readonly rule: HighLatitudeRuleName | null
  /** What stands where the sun does not reach the angle here and today, under the rules that look elsewhere. */
  readonly elsewhere?: Elsewhere
}

export interface Elsewhere {
  fajr(parameters: CalculationParameters): Moment
  isha(parameters: CalculationParameters): Moment
}

const DAY_MS = 86_400_000
const DAY_MINUTES = 1440
/** From this latitude on the Moonsighting Committee divides the night by seven; adhan does so in the north only. */
const SEVENTHS_FROM = 55

/** Five minutes: where there are fewer between a twilight and the horizon, it is not in its place. */
const LEAST_APART = 5 / DAY_MINUTES
const MOST_OF_NIGHT = 0.6

const asDate = (moment: Moment): Date => new Date(moment * DAY_MS)
const asMoment = (date: Date): Moment => date.getTime() / DAY_MS

/** The year and the day of the year, for the Moonsighting Committee's count from the solstice. */
const dayInYear = (day: DayNumber): { year: number; number: number } => {
  const year = new Date(startOfDay(day)).getUTCFullYear()
  return { year, number: day - Date.UTC(year, 0, 1) / DAY_MS + 1 }
}

const nightOf = ({ sun, nextSunrise }: Course): number => nextSunrise() - sun.sunset

const isMoonsighting = ({ method }: CalculationParameters): boolean => method === 'MoonsightingCommittee'

/** The committee's own rule for high latitudes; it publishes these times up to the polar circle. */
const seasonalFajr = (course: Course, angle: Moment): Moment => {
  const { day, latitude, sun } = course
  const { year, number } = dayInYear(day)
  const fajr = Math.abs(latitude) >= SEVENTHS_FROM ? sun.sunrise - nightOf(course) / 7 : angle
  const earliest = asMoment(seasonAdjustedMorningTwilight(latitude, number, year, asDate(sun.sunrise)))
  return Number.isNaN(fajr) || earliest > fajr ? earliest : fajr
}

const seasonalIsha = (course: Course, angle: Moment, { shafaq }: CalculationParameters): Moment => {
  const { day, latitude, sun } = course
  const { year, number } = dayInYear(day)
  const isha = Math.abs(latitude) >= SEVENTHS_FROM ? sun.sunset + nightOf(course) / 7 : angle
  const latest = asMoment(seasonAdjustedEveningTwilight(latitude, number, year, asDate(sun.sunset), shafaq))
  return Number.isNaN(isha) || latest < isha ? latest : isha
}

/** Given, and some minutes from sunrise or sunset; where there is none, nothing is in the way. */
const isInPlace = (twilight: Moment, distance: number): boolean => !Number.isNaN(twilight) && !(distance < LEAST_APART)

/** From elsewhere, it also belongs into its half of the night here, give or take the equation of time. */
const fitsNight = (twilight: Moment, distance: number, night: number): boolean =>
  isInPlace(twilight, distance) && !(distance > MOST_OF_NIGHT * night)

const own = (at: Moment): Twilight => ({ at, by: undefined })

const byCommittee = (at: Moment, angle: Moment): Twilight =>
  at === angle ? own(at) : { at, by: 'moonsighting_committee' }

const byPartOfNight = (at: Moment, { highLatitudeRule }: CalculationParameters): Twilight => ({
  at,
  by: partOfNightName(highLatitudeRule),
})

export const fajrOf = (course: Course, parameters: CalculationParameters): Twilight => {
  const { sun, rule, elsewhere } = course
  const angle = sun.at(-parameters.fajrAngle, 'before')
  if (rule === 'none' && Number.isNaN(angle)) return own(angle)
  if (isMoonsighting(parameters)) return byCommittee(seasonalFajr(course, angle), angle)
  if (!isBounding(rule) && isInPlace(angle, sun.sunrise - angle)) return own(angle)
  const byNight = sun.sunrise - nightOf(course) * parameters.nightPortions().fajr
  if (isBounding(rule)) return Number.isNaN(angle) || byNight > angle ? byPartOfNight(byNight, parameters) : own(angle)
  const there = elsewhere?.fajr(parameters) ?? Number.NaN
  return fitsNight(there, sun.sunrise - there, nightOf(course))
    ? { at: there, by: rule ?? undefined }
    : byPartOfNight(byNight, parameters)
}

/** Minutes after sunset may be more than a short night has: there, some of it is left to the next Fajr. */
const ishaByMinutes = (course: Course, parameters: CalculationParameters): Twilight => {
  const { sun, nextSunrise, rule, elsewhere } = course
  const isha = sun.sunset + parameters.ishaInterval / DAY_MINUTES
  if (rule === 'none') return own(isha)
  const night = nightOf(course)
  const latest =
    elsewhere === undefined
      ? nextSunrise() - night * parameters.nightPortions().fajr - LEAST_APART
      : nextSunrise() - night * MOST_OF_NIGHT
  if (!(latest < isha)) return own(isha)
  return elsewhere === undefined ? byPartOfNight(latest, parameters) : { at: latest, by: rule ?? undefined }
}

export const ishaOf = (course: Course, parameters: CalculationParameters): Twilight => {
  const { sun, rule, elsewhere } = course
  if (parameters.ishaInterval > 0) return ishaByMinutes(course, parameters)
  const angle = sun.at(-parameters.ishaAngle, 'after')
  if (rule === 'none' && Number.isNaN(angle)) return own(angle)
  if (isMoonsighting(parameters)) return byCommittee(seasonalIsha(course, angle, parameters), angle)
  if (!isBounding(rule) && isInPlace(angle, angle - sun.sunset)) return own(angle)
  const byNight = sun.sunset + nightOf(course) * parameters.nightPortions().isha
  if (isBounding(rule)) return Number.isNaN(angle) || byNight < angle ? byPartOfNight(byNight, parameters) : own(angle)
  const there = elsewhere?.isha(parameters) ?? Number.NaN
  return fitsNight(there, there - sun.sunset, nightOf(course))
    ? { at: there, by: rule ?? undefined }
    : byPartOfNight(byNight, parameters)
}

/** Where the redness must have left the sky first, unless that would come after Isha. */
const maghribOf = (sun: SolarDay, { maghribAngle }: CalculationParameters, isha: Moment): Moment => {
  if (!maghribAngle) return sun.sunset
  const dark = sun.at(-maghribAngle, 'after')
  return sun.sunset < dark && !(dark >= isha) ? dark : sun.sunset
}

const shadowsOf = ({ madhab }: CalculationParameters): number => (madhab === Madhab.Hanafi ? 2 : 1)

export const prayerMoments = (course: Course, parameters: CalculationParameters): RuledMoments => {
  const { sun } = course
  const fajr = fajrOf(course, parameters)
  const isha = ishaOf(course, parameters)
  return {
    fajr: fajr.at,
    sunrise: sun.sunrise,
    dhuhr: sun.transit,
    asr: sun.shadow(shadowsOf(parameters)),
    maghrib: maghribOf(sun, parameters, isha.at),
    isha: isha.at,
    by: { fajr: fajr.by, isha: isha.by },
  }
}

/** As much of a day as its Fajr depends on. */
export const momentsUpToFajr = (course: Course, parameters: CalculationParameters): PrayerMoments => {
  const { sun } = course
  const isha = parameters.maghribAngle ? ishaOf(course, parameters).at : Number.NaN
  return {
    fajr: fajrOf(course, parameters).at,
    sunrise: sun.sunrise,
    dhuhr: sun.transit,
    asr: Number.NaN,
    maghrib: maghribOf(sun, parameters, isha),
    isha: Number.NaN,
  }
}

/** Where the place's own sun puts the times, without any rule. */
export const ownMoments = ({ own: sun }: Course, parameters: CalculationParameters): PrayerMoments => {
  const { ishaInterval, ishaAngle, fajrAngle } = parameters
  const isha = ishaInterval > 0 ? sun.sunset + ishaInterval / DAY_MINUTES : sun.at(-ishaAngle, 'after')
  return {
    fajr: sun.at(-fajrAngle, 'before'),
    sunrise: sun.sunrise,
    dhuhr: sun.transit,
    asr: sun.shadow(shadowsOf(parameters)),
    maghrib: maghribOf(sun, parameters, isha),
    isha,
  }
}
