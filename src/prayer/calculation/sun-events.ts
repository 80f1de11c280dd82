// A place and its noon → the moments at which the sun is at a given altitude, using the sun's position at that very moment.
import { type Moment, type Sky, withinHalfTurn } from './sky.ts'

export interface Place {
  readonly latitude: number
  readonly longitude: number
  /** Metres above the horizon; none by default. */
  readonly elevation?: number | undefined
}

/** NaN means that the sun gives no such moment, as with invalid dates. */
export interface SolarDay {
  readonly transit: Moment
  readonly sunrise: Moment
  readonly sunset: Moment
  /** The sun is at this altitude in degrees (negative: below the horizon), before or after the transit. */
  at(altitude: number, side: 'before' | 'after'): Moment
  /** A shadow has grown since noon by this many times the object's height. */
  shadow(lengths: number): Moment
}

/** Half of the sun's disc and the refraction at the horizon: 50 arcminutes. */
const HORIZON = -50 / 60
/** The horizon of whoever stands higher, refraction included: 2.076 arcminutes times the root of the metres. */
const DIP = 2.076 / 60
/** A hundredth of a second. */
const PRECISION = 1e-7
/** Three are usually enough; a sun that barely reaches the altitude takes more. */
const MOST_STEPS = 20

const sine = (degrees: number): number => Math.sin((degrees * Math.PI) / 180)
const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180)
const degreesOf = (radians: number): number => (radians * 180) / Math.PI

const findTransit = (sky: Sky, { longitude }: Place, near: Moment): Moment => {
  let moment = near
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const move = withinHalfTurn(sky(moment).hourAngle + longitude) / 360
    moment -= move
    if (Math.abs(move) < PRECISION) break
  }
  return moment
}

interface Noon {
  readonly sky: Sky
  readonly longitude: number
  readonly sineOfLatitude: number
  readonly cosineOfLatitude: number
  readonly transit: Moment
}

/** Meeus, Astronomical Algorithms, chapter 15, iterated with the declination at each moment found until it converges. */
const findAltitude = (noon: Noon, altitude: number, sign: 1 | -1): Moment => {
  const { sky, longitude, sineOfLatitude, cosineOfLatitude, transit } = noon
  const height = sine(altitude)
  let moment = transit
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { declination, hourAngle } = sky(moment)
    const wanted = (height - sineOfLatitude * sine(declination)) / (cosineOfLatitude * cosine(declination))
    // Beyond ±1 the sun does not reach that altitude; try again from a moment nearer to where it might.
    const turn = sign * degreesOf(Math.acos(Math.max(-1, Math.min(1, wanted))))
    const move = step === 0 ? turn / 360 : withinHalfTurn(turn - hourAngle - longitude) / 360
    moment += move
    if (Math.abs(move) < PRECISION) return Math.abs(wanted) > 1 ? Number.NaN : moment
  }
  return Number.NaN
}

export const solarDay = (sky: Sky, place: Place, noon: Moment): SolarDay => {
  const transit = findTransit(sky, place, noon)
  const { latitude, longitude } = place
  const noonHere = { sky, longitude, sineOfLatitude: sine(latitude), cosineOfLatitude: cosine(latitude), transit }
  const at: SolarDay['at'] = (altitude, side) => findAltitude(noonHere, altitude, side === 'before' ? -1 : 1)
  const horizon = HORIZON - DIP * Math.sqrt(place.elevation ?? 0)
  return {
    transit,
    sunrise: at(horizon, 'before'),
    sunset: at(horizon, 'after'),
    at,
    shadow: lengths => {
      const zenithDistance = Math.abs(latitude - sky(transit).declination)
      // A sun below the horizon at noon casts no shadow.
      if (zenithDistance >= 90) return Number.NaN
      return at(degreesOf(Math.atan(1 / (lengths + sine(zenithDistance) / cosine(zenithDistance)))), 'after')
    },
  }
}
