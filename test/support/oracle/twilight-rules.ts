// A place, a day and a rule for high latitudes → the sun of that day as the rule has it, and its Fajr and Isha, by docs/prayer-times.md.
import type { HighLatitudeRuleName } from '../../../src/prayer/calculation/high-latitude-rules.ts'
import type { Definition } from './method-definitions.ts'
import { seasonalMinutes } from './season.ts'
import type { Moment, OraclePlace, Side, SunDay } from './sun-of-place.ts'

export type Rule = HighLatitudeRuleName | null

export interface Sky {
  readonly place: OraclePlace
  /** At a latitude on the same longitude. */
  sunAt(latitude: number, day: number): SunDay
}

export interface Asked {
  readonly sky: Sky
  readonly rule: Rule
  readonly definition: Definition
  readonly isCommittee: boolean
  /** Whether one is more than the other; notes how much of a day decides. */
  isMore(one: number, other: number): boolean
}

/** What stands on a day. */
export interface Standing {
  readonly noon: number
  readonly sunrise: Moment
  readonly sunset: Moment
  readonly nextSunrise: Moment
  at(altitude: number, side: Side): Moment
  shadow(heights: number): Moment
}

const FIVE_MINUTES = 5 / 1440
const HALF_HOUR = 1 / 48
const HALF_YEAR = 183

const references: Readonly<Partial<Record<string, number>>> = { nearest_latitude_45: 45, nearest_latitude_48_5: 48.5 }

const nearest = (day: number, suits: (day: number) => boolean): number | undefined => {
  for (let away = 0; away <= HALF_YEAR; away += 1) {
    if (suits(day - away)) return day - away
    if (suits(day + away)) return day + away
  }
  return undefined
}

const own = ({ sky }: Asked, day: number): SunDay => sky.sunAt(sky.place.latitude, day)

/** The latitude to look at, if the place is beyond it. */
const referenceOf = ({ rule, sky: { place } }: Asked): number | undefined => {
  const reference = references[rule ?? '']
  return reference === undefined || Math.abs(place.latitude) <= reference
    ? undefined
    : Math.sign(place.latitude) * reference
}

const isElsewhere = (asked: Asked, day: number): boolean => {
  const { sunrise, sunset } = own(asked, day)
  return referenceOf(asked) !== undefined && (sunrise === undefined || sunset === undefined)
}

const withAsr = (sun: SunDay): Omit<Standing, 'nextSunrise'> => ({
  ...sun,
  shadow: heights => sun.shadow(heights) ?? sun.noon,
})

/** Its day and its night last an hour, around the noon of the day that is asked about. */
const lasts = ({ isMore }: Asked, { sunrise, sunset }: SunDay, noon: number): boolean =>
  sunrise !== undefined &&
  sunset !== undefined &&
  isMore(noon - sunrise, HALF_HOUR) &&
  isMore(sunset - noon, HALF_HOUR) &&
  isMore(noon + 1 / 2 - sunset, HALF_HOUR) &&
  isMore(sunrise + 1 - (noon + 1 / 2), HALF_HOUR)

const ofNearestDay = (asked: Asked, day: number): Omit<Standing, 'nextSunrise'> => {
  const today = own(asked, day)
  if (
    today.sunrise !== undefined &&
    today.sunset !== undefined &&
    asked.isMore(today.sunset - today.sunrise, 2 * HALF_HOUR)
  )
    return withAsr(today)
  const near = nearest(day, other => lasts(asked, own(asked, other), today.noon + other - day))
  if (near === undefined) return today
  const [sun, later] = [own(asked, near), day - near]
  const moved = (moment: Moment): Moment => (moment === undefined ? undefined : moment + later)
  return {
    noon: today.noon,
    sunrise: moved(sun.sunrise),
    sunset: moved(sun.sunset),
    at: (altitude, side) => today.at(altitude, side) ?? moved(sun.at(altitude, side)),
    shadow: heights => today.shadow(heights) ?? moved(sun.shadow(heights)) ?? today.noon,
  }
}

const sunOn = (asked: Asked, day: number): Omit<Standing, 'nextSunrise'> => {
  const reference = referenceOf(asked)
  if (isElsewhere(asked, day)) return asked.sky.sunAt(reference ?? 0, day)
  if (asked.rule === 'nearest_day') return ofNearestDay(asked, day)
  return reference === undefined ? own(asked, day) : withAsr(own(asked, day))
}

export const standing = (asked: Asked, day: number): Standing => {
  const sun = sunOn(asked, day)
  const tomorrow = isElsewhere(asked, day) ? asked.sky.sunAt(referenceOf(asked) ?? 0, day + 1) : sunOn(asked, day + 1)
  return { ...sun, nextSunrise: tomorrow.sunrise }
}

const partOf = ({ rule, sky: { place } }: Asked, angle: number): number => {
  if (rule === 'middle_of_the_night') return 1 / 2
  if (rule === 'twilight_angle') return angle / 60
  return rule === null && Math.abs(place.latitude) <= 48 ? 1 / 2 : 1 / 7
}

interface Twilight {
  readonly sun: Standing
  readonly angle: number
  readonly side: Side
}

/** The moment at this distance from sunrise or sunset. */
const fromSun = ({ sun, side }: Twilight, distance: number | undefined): Moment => {
  const edge = side === 'before' ? sun.sunrise : sun.sunset
  return edge === undefined || distance === undefined
    ? undefined
    : side === 'before'
      ? edge - distance
      : edge + distance
}

const distanceOf = ({ sun, side }: Twilight, moment: number): number =>
  side === 'before' ? (sun.sunrise ?? Number.NaN) - moment : moment - (sun.sunset ?? Number.NaN)

const isTooNear = ({ isMore }: Asked, twilight: Twilight, moment: number): boolean =>
  isMore(FIVE_MINUTES, distanceOf(twilight, moment))

const nightOf = ({ sunset, nextSunrise }: Standing): number | undefined =>
  sunset === undefined || nextSunrise === undefined ? undefined : nextSunrise - sunset

const byPart = (asked: Asked, twilight: Twilight): Moment => {
  const night = nightOf(twilight.sun)
  return fromSun(twilight, night === undefined ? undefined : night * partOf(asked, twilight.angle))
}

/** Of two, the one nearer to the sun. */
const nearer = (side: Side, one: Moment, other: Moment): Moment => {
  if (one === undefined || other === undefined) return one ?? other
  return side === 'before' ? Math.max(one, other) : Math.min(one, other)
}

const byCommittee = ({ sky: { place } }: Asked, day: number, twilight: Twilight): Moment => {
  const [night, side] = [nightOf(twilight.sun), twilight.side === 'before' ? 'fajr' : 'isha'] as const
  const seventh = fromSun(twilight, night === undefined ? undefined : night / 7)
  const angle = Math.abs(place.latitude) >= 55 ? seventh : twilight.sun.at(-twilight.angle, twilight.side)
  const season = fromSun(twilight, seasonalMinutes(side, place.latitude, day) / 1440)
  return nearer(twilight.side, season, angle)
}

const elsewhere = (asked: Asked, day: number, { angle, side }: Twilight): Moment => {
  if (asked.rule === 'nearest_day') {
    const near = nearest(day, other => own(asked, other).at(-angle, side) !== undefined)
    const moment = near === undefined ? undefined : own(asked, near).at(-angle, side)
    return near === undefined || moment === undefined ? undefined : moment + day - near
  }
  const reference = referenceOf(asked)
  if (reference === undefined) return undefined
  const there = { ...asked.sky.sunAt(reference, day), nextSunrise: asked.sky.sunAt(reference, day + 1).sunrise }
  const twilight: Twilight = { sun: there, angle, side }
  const moment = there.at(-angle, side)
  return moment === undefined || isTooNear(asked, twilight, moment) ? byPart(asked, twilight) : moment
}

const fits = (asked: Asked, twilight: Twilight, moment: number): boolean =>
  !isTooNear(asked, twilight, moment) &&
  !asked.isMore(distanceOf(twilight, moment), 0.6 * (nightOf(twilight.sun) ?? Number.NaN))

export const twilightOf = (asked: Asked, day: number, twilight: Twilight): Moment => {
  const { rule } = asked
  const moment = twilight.sun.at(-twilight.angle, twilight.side)
  if (rule === 'none' && moment === undefined) return undefined
  // A day that is wholly that of another latitude has no rule of its own.
  const whole: Asked = isElsewhere(asked, day) ? { ...asked, rule: 'seventh_of_the_night' } : asked
  if (asked.isCommittee) {
    const place = whole === asked ? asked.sky.place : { ...asked.sky.place, latitude: referenceOf(asked) ?? 0 }
    return byCommittee({ ...asked, sky: { ...asked.sky, place } }, day, twilight)
  }
  if (rule === 'middle_of_the_night' || rule === 'seventh_of_the_night' || rule === 'twilight_angle')
    return nearer(twilight.side, moment, byPart(asked, twilight))
  if (moment !== undefined && !isTooNear(asked, twilight, moment)) return moment
  const other = whole === asked ? elsewhere(asked, day, twilight) : undefined
  return other !== undefined && fits(asked, twilight, other) ? other : byPart(whole, twilight)
}

/** Minutes after sunset, unless that leaves too little of the night. */
export const ishaByMinutes = (asked: Asked, day: number, sun: Standing, minutes: number): Moment => {
  const night = nightOf(sun)
  const isha = sun.sunset === undefined ? undefined : sun.sunset + minutes / 1440
  if (asked.rule === 'none' || isha === undefined || night === undefined || sun.nextSunrise === undefined) return isha
  const looksElsewhere = !isElsewhere(asked, day) && (asked.rule === 'nearest_day' || referenceOf(asked) !== undefined)
  const latest = looksElsewhere
    ? sun.nextSunrise - night * 0.6
    : sun.nextSunrise - night * partOf(asked, asked.definition.fajr) - FIVE_MINUTES
  return Math.min(isha, latest)
}
