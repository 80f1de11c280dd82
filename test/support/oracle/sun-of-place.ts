// A place and a day → when the sun is where, found by halving: no formula for hour angles, nothing of the engine's.
import { altitudeAt, hourAngleAt } from '../meeus.ts'

export interface OraclePlace {
  readonly latitude: number
  readonly longitude: number
  readonly elevation: number
}

/** Days since 1970, with a fraction; undefined where the sun gives no such moment. */
export type Moment = number | undefined

export type Side = 'before' | 'after'

export interface SunDay {
  readonly noon: number
  readonly sunrise: Moment
  readonly sunset: Moment
  /** The sun's centre is at this altitude, in degrees. */
  at(altitude: number, side: Side): Moment
  /** A shadow is longer than at noon by so many heights. */
  shadow(heights: number): Moment
  /** How near, in degrees, the sun comes to getting there or not. */
  margin(altitude: number, side: Side): number
  readonly margins: { readonly horizon: number; shadow(heights: number): number }
}

const DAY_SECONDS = 86_400
const HALVINGS = 28

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Half of the sun's disc, 34 minutes of refraction, and the dip of a horizon seen from a height, with refraction (Bowditch). */
const horizonOf = ({ elevation }: OraclePlace): number => -(16 + 34) / 60 - 0.0346 * Math.sqrt(elevation)

const noonOf = (place: OraclePlace, day: number): number => {
  let noon = day + 1 / 2 - place.longitude / 360
  for (let step = 0; step < 6; step += 1) noon -= hourAngleAt(place, noon * DAY_SECONDS) / 360
  return noon
}

export const sunDay = (place: OraclePlace, day: number): SunDay => {
  const noon = noonOf(place, day)
  const known = new Map<string, Moment>()
  const altitude = (moment: number): number => altitudeAt(place, moment * DAY_SECONDS)
  const highest = altitude(noon)
  const lowest = { before: altitude(noon - 1 / 2), after: altitude(noon + 1 / 2) }
  const find = (wanted: number, side: Side): Moment => {
    if (wanted < lowest[side] || wanted > highest) return undefined
    let [low, high] = [side === 'before' ? noon - 1 / 2 : noon + 1 / 2, noon]
    for (let step = 0; step < HALVINGS; step += 1) {
      const middle = (low + high) / 2
      if (altitude(middle) < wanted) low = middle
      else high = middle
    }
    return (low + high) / 2
  }
  const margin = (wanted: number, side: Side): number =>
    Math.min(Math.abs(wanted - lowest[side]), Math.abs(highest - wanted))
  const at = (wanted: number, side: Side): Moment => {
    const key = `${wanted} ${side}`
    if (!known.has(key)) known.set(key, find(wanted, side))
    return known.get(key)
  }
  const horizon = horizonOf(place)
  const altitudeOfShadow = (heights: number): number =>
    (Math.atan(1 / (1 / Math.tan(radians(highest)) + heights)) * 180) / Math.PI
  return {
    noon,
    sunrise: at(horizon, 'before'),
    sunset: at(horizon, 'after'),
    at,
    shadow: heights => (highest <= 0 ? undefined : at(altitudeOfShadow(heights), 'after')),
    margin,
    margins: {
      horizon: Math.min(margin(horizon, 'before'), margin(horizon, 'after')),
      // The sun may be that high at noon already.
      shadow: heights => (highest <= 0 ? -highest : Math.min(highest, margin(altitudeOfShadow(heights), 'after'))),
    },
  }
}
