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
    const value = known.has(key) ? (known.get(key) as Value) : find(key)
    known.set(key, value)
    return value
  }
}

/** Of two that are equally near, the earlier. */
const findNearest = (day: DayNumber, suits: (day: DayNumber) => boolean): DayNumber | undefined => {
  for (let away = 0; away <= FARTHEST; away += 1)
    for (const near of [day - away, day + away]) if (suits(near)) return near
  return undefined
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

/** With the sunrise and sunset of the nearest day whose day and night both last; noon is its own. */
export const sunByNearestDay = (sunOn: SunOn, day: DayNumber): SolarDay => {
  const today = sunOn(day)
  // The last day before the polar night has no room for Asr. After a short night the sun's own times stand: they end the fast.
  if (today.sunset - today.sunrise > LEAST_DAY) return withAsr(today)
  const near = findNearest(day, other => {
    const { sunrise, sunset } = sunOn(other)
    const noon = today.transit + other - day
    return isBetween(sunrise, noon, sunset) && isBetween(sunset, noon + 1 / 2, sunrise + 1)
  })
  if (near === undefined) return today
  const [sun, later] = [sunOn(near), day - near]
  return withAsr({
    transit: today.transit,
    sunrise: sun.sunrise + later,
    sunset: sun.sunset + later,
    at: (altitude, side) => or(today.at(altitude, side), () => sun.at(altitude, side) + later),
    shadow: lengths => or(today.shadow(lengths), () => sun.shadow(lengths) + later),
  })
}

/** Fajr and Isha at the same time of day as on the nearest day on which the sun reaches their angle. */
export const twilightByNearestDay = (sunOn: SunOn): ((day: DayNumber) => Elsewhere) => {
  const onDay = remember((side: 'before' | 'after') =>
    remember((angle: number) => remember((day: DayNumber) => sunOn(day).at(-angle, side))),
  )
  const find = (day: DayNumber, angle: number, side: 'before' | 'after'): Moment => {
    const momentOn = onDay(side)(angle)
    const near = findNearest(day, other => !Number.isNaN(momentOn(other)))
    return near === undefined ? Number.NaN : momentOn(near) + day - near
  }
  return day => ({
    fajr: ({ fajrAngle }) => find(day, fajrAngle, 'before'),
    isha: ({ ishaAngle }) => find(day, ishaAngle, 'after'),
  })
}
