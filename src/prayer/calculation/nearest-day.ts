// A day on which the sun does not rise or reach an angle → the same times on the nearest day on which it does.
import type { DayNumber } from '../../base/civil-date.ts'
import type { Elsewhere } from './prayer-moments.ts'
import type { Moment } from './sky.ts'
import type { SolarDay } from './sun-events.ts'

export type SunOn = (day: DayNumber) => SolarDay

/** Half a year: whatever happens at all in a year has been seen. */
const FARTHEST = 183
/** Half an hour on either side of noon and of midnight: room for the times between, whatever the equation of time does meanwhile. */
const LEAST_HALF = 1 / 48
const LEAST_DAY = 2 * LEAST_HALF

export const remember = <Key, Value>(find: (key: Key) => Value): ((key: Key) => Value) => {
  const known = new Map<Key, Value>()
  return key => {
    const value = known.get(key)
    if (value !== undefined || known.has(key)) return value as Value
    const found = find(key)
    known.set(key, found)
    return found
  }
}

/** Of two that are equally near, the earlier. */
const findNearest = (day: DayNumber, suits: (day: DayNumber) => boolean, from = 0): DayNumber | undefined => {
  for (let away = from; away <= FARTHEST; away += 1)
    for (const near of [day - away, day + away]) if (suits(near)) return near
  return undefined
}

/** The nearest day to each of a row of days: what was seen not to suit is not looked at again, as in half a year without a sun. */
const nearestDays = (suits: (day: DayNumber) => boolean): ((day: DayNumber) => DayNumber | undefined) => {
  let none = { from: 0, to: -1 }
  return day => {
    const isWithin = day >= none.from && day <= none.to
    const from = isWithin ? Math.min(day - none.from, none.to - day) + 1 : 0
    const near = findNearest(day, suits, from)
    const away = near === undefined ? FARTHEST : Math.abs(near - day) - 1
    const seen = { from: day - away, to: day + away }
    none = isWithin ? { from: Math.min(none.from, seen.from), to: Math.max(none.to, seen.to) } : seen
    return near
  }
}

export const doesRise = ({ sunrise, sunset }: SolarDay): boolean => !Number.isNaN(sunrise) && !Number.isNaN(sunset)

const or = (moment: Moment, other: () => Moment): Moment => (Number.isNaN(moment) ? other() : moment)

/** The lower the sun stands at noon, the nearer to noon is Asr: a sun that casts no shadow at all has it there. */
export const withAsr = (sun: SolarDay): SolarDay => ({
  ...sun,
  shadow: lengths => or(sun.shadow(lengths), () => sun.transit),
})

const isBetween = (first: Moment, moment: Moment, last: Moment): boolean =>
  moment - first > LEAST_HALF && last - moment > LEAST_HALF

interface Nearby {
  readonly sunOn: SunOn
  readonly nearestRising: (day: DayNumber) => DayNumber | undefined
}

/** The nearest day whose day and night both last, with the noon of this one. */
const nearestLasting = (
  { sunOn, nearestRising }: Nearby,
  day: DayNumber,
  { transit }: SolarDay,
): DayNumber | undefined => {
  const rising = nearestRising(day)
  if (rising === undefined) return undefined
  const lasts = (other: DayNumber): boolean => {
    const { sunrise, sunset } = sunOn(other)
    const noon = transit + other - day
    return isBetween(sunrise, noon, sunset) && isBetween(sunset, noon + 1 / 2, sunrise + 1)
  }
  return findNearest(day, lasts, Math.abs(rising - day))
}

const sunOfNearestDay = (nearby: Nearby, day: DayNumber): SolarDay => {
  const today = nearby.sunOn(day)
  // The last day before the polar night has no room for Asr. After a short night the sun's own times stand: they end the fast.
  if (today.sunset - today.sunrise > LEAST_DAY) return withAsr(today)
  const near = nearestLasting(nearby, day, today)
  if (near === undefined) return today
  const [sun, later] = [nearby.sunOn(near), day - near]
  return withAsr({
    transit: today.transit,
    sunrise: sun.sunrise + later,
    sunset: sun.sunset + later,
    at: (altitude, side) => or(today.at(altitude, side), () => sun.at(altitude, side) + later),
    shadow: lengths => or(today.shadow(lengths), () => sun.shadow(lengths) + later),
  })
}

/** With the sunrise and sunset of the nearest day that has them; noon is its own. */
export const sunByNearestDay = (sunOn: SunOn): SunOn => {
  const nearby = { sunOn, nearestRising: nearestDays(day => doesRise(sunOn(day))) }
  return day => sunOfNearestDay(nearby, day)
}

/** Fajr and Isha at the same time of day as on the nearest day on which the sun reaches their angle. */
export const twilightByNearestDay = (sunOn: SunOn): ((day: DayNumber) => Elsewhere) => {
  const onDay = remember((side: 'before' | 'after') =>
    remember((angle: number) => remember((day: DayNumber) => sunOn(day).at(-angle, side))),
  )
  const nearestOn = remember((side: 'before' | 'after') =>
    remember((angle: number) => nearestDays(day => !Number.isNaN(onDay(side)(angle)(day)))),
  )
  const find = (day: DayNumber, angle: number, side: 'before' | 'after'): Moment => {
    const near = nearestOn(side)(angle)(day)
    return near === undefined ? Number.NaN : onDay(side)(angle)(near) + day - near
  }
  return day => ({
    fajr: ({ fajrAngle }) => find(day, fajrAngle, 'before'),
    isha: ({ ishaAngle }) => find(day, ishaAngle, 'after'),
  })
}
