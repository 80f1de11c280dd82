// A place and its noon → the moments at which the sun stands at a given height, found with the sun's place at that very moment.
import { type Moment, type Sky, withinHalfTurn } from './sky.ts'

export interface Place {
  readonly latitude: number
  readonly longitude: number
}

/** NaN stands for a moment that the sun does not give, as it does in dates. */
export interface SolarDay {
  readonly transit: Moment
  readonly sunrise: Moment
  readonly sunset: Moment
  /** The sun stands so many degrees high (below 0: under the horizon), before or after the transit. */
  at(altitude: number, side: 'before' | 'after'): Moment
  /** A shadow is longer than it was at noon by so many times the height of what casts it. */
  shadow(lengths: number): Moment
}

/** Half of the sun's disc and the refraction at the horizon: 50 minutes of arc. */
const HORIZON = -50 / 60
/** A hundredth of a second. */
const PRECISION = 1e-7
/** Three do; a sun that only grazes the height it is asked for takes more. */
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
  readonly place: Place
  readonly transit: Moment
}

/** Meeus, Astronomical Algorithms, chapter 15, repeated with the declination of each moment found until it stays. */
const findAltitude = ({ sky, place, transit }: Noon, altitude: number, sign: 1 | -1): Moment => {
  const height = sine(altitude)
  const [sineOfLatitude, cosineOfLatitude] = [sine(place.latitude), cosine(place.latitude)]
  let moment = transit
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { declination, hourAngle } = sky(moment)
    const wanted = (height - sineOfLatitude * sine(declination)) / (cosineOfLatitude * cosine(declination))
    // Beyond ±1 the sun does not come to that height; a moment nearer to where it might decides.
    const turn = sign * degreesOf(Math.acos(Math.max(-1, Math.min(1, wanted))))
    const move = step === 0 ? turn / 360 : withinHalfTurn(turn - hourAngle - place.longitude) / 360
    moment += move
    if (Math.abs(move) < PRECISION) return Math.abs(wanted) > 1 ? Number.NaN : moment
  }
  return Number.NaN
}

export const solarDay = (sky: Sky, place: Place, noon: Moment): SolarDay => {
  const transit = findTransit(sky, place, noon)
  const at: SolarDay['at'] = (altitude, side) =>
    findAltitude({ sky, place, transit }, altitude, side === 'before' ? -1 : 1)
  return {
    transit,
    sunrise: at(HORIZON, 'before'),
    sunset: at(HORIZON, 'after'),
    at,
    shadow: lengths => {
      const zenithDistance = Math.abs(place.latitude - sky(transit).declination)
      // A sun that is under the horizon at noon casts no shadow.
      if (zenithDistance >= 90) return Number.NaN
      return at(degreesOf(Math.atan(1 / (lengths + sine(zenithDistance) / cosine(zenithDistance)))), 'after')
    },
  }
}
