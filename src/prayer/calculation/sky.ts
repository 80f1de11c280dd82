// A moment → the sun's position: adhan's daily coordinates, interpolated to the moment and shared by all masjids.
import { SolarCoordinates } from './adhan-parts.ts'

/** Days since 1970-01-01 00:00 UTC, with a fraction. */
export type Moment = number

interface Sun {
  /** Degrees north of the equator. */
  readonly declination: number
  /** Degrees west of Greenwich, not normalised to one turn. */
  readonly hourAngle: number
}

export type Sky = (moment: Moment) => Sun

/** Coefficients in the time since the start of the day: a + bn + cn². */
interface Curve {
  readonly a: number
  readonly b: number
  readonly c: number
}

interface SolarDay {
  readonly declination: Curve
  readonly hourAngle: Curve
}

const JULIAN_DAY_OF_1970 = 2_440_587.5
/** The rotation of the stars in a solar day, in degrees. */
const SIDEREAL_DAY = 360.985_647_366_29

/** An angle in degrees, normalised to ±180. */
export const withinHalfTurn = (angle: number): number => angle - 360 * Math.round(angle / 360)

/** Meeus, Astronomical Algorithms, chapter 3: interpolation from three values a day apart. */
const curveThrough = (before: number, value: number, after: number): Curve => {
  const rise = value - before
  const nextRise = after - value
  return { a: value, b: (rise + nextRise) / 2, c: (nextRise - rise) / 2 }
}

const valueAt = ({ a, b, c }: Curve, n: number): number => a + n * (b + n * c)

const describeDay = (day: number, sunOn: (day: number) => SolarCoordinates): SolarDay => {
  const [before, now, after] = [sunOn(day - 1), sunOn(day), sunOn(day + 1)]
  // The right ascension jumps from 360 to 0 in spring.
  const distance = (other: SolarCoordinates): number => withinHalfTurn(other.rightAscension - now.rightAscension)
  const ascension = curveThrough(distance(before), 0, distance(after))
  return {
    declination: curveThrough(before.declination, now.declination, after.declination),
    hourAngle: {
      a: now.apparentSiderealTime - now.rightAscension,
      b: SIDEREAL_DAY - ascension.b,
      c: -ascension.c,
    },
  }
}

/** Caches the days it was asked for: a few hundred, however many masjids there are. Of any days, `most` at a time. */
export const createSky = (most = Number.POSITIVE_INFINITY): Sky => {
  const suns = new Map<number, SolarCoordinates>()
  const days = new Map<number, SolarDay>()
  const sunOn = (day: number): SolarCoordinates => {
    const known = suns.get(day) ?? new SolarCoordinates(JULIAN_DAY_OF_1970 + day)
    suns.set(day, known)
    return known
  }
  const forget = (): void => {
    suns.clear()
    days.clear()
  }
  const dayOf = (day: number): SolarDay => {
    const known = days.get(day)
    if (known !== undefined) return known
    if (days.size >= most) forget()
    const described = describeDay(day, sunOn)
    days.set(day, described)
    return described
  }
  return moment => {
    const nearest = Math.round(moment)
    const { declination, hourAngle } = dayOf(nearest)
    const n = moment - nearest
    return { declination: valueAt(declination, n), hourAngle: valueAt(hourAngle, n) }
  }
}
