// The sun's position, written from Jean Meeus, Astronomical Algorithms (second edition), independent of the library that the
// service uses: chapters 12 (sidereal time), 13 (altitude), 22 (obliquity), 25 (the sun).

const radians = (degrees: number): number => (degrees * Math.PI) / 180
const degrees = (angle: number): number => (angle * 180) / Math.PI

/** Terrestrial time minus UTC, in seconds, in the years around 2026. */
const DELTA_T = 69

interface Equatorial {
  readonly declination: number
  readonly rightAscension: number
  readonly greenwichTime: number
}

const sunAt = (seconds: number): Equatorial => {
  const julianDay = seconds / 86_400 + 2_440_587.5
  const t = (julianDay + DELTA_T / 86_400 - 2_451_545) / 36_525
  const meanLongitude = 280.46646 + t * (36_000.76983 + t * 0.0003032)
  const anomaly = radians(357.52911 + t * (35_999.05029 - t * 0.0001537))
  const centre =
    (1.914602 - t * (0.004817 + t * 0.000014)) * Math.sin(anomaly) +
    (0.019993 - t * 0.000101) * Math.sin(2 * anomaly) +
    0.000289 * Math.sin(3 * anomaly)
  const node = radians(125.04 - 1934.136 * t)
  const longitude = radians(meanLongitude + centre - 0.00569 - 0.00478 * Math.sin(node))
  const meanObliquity = 23 + 26 / 60 + 21.448 / 3600 - (t * (46.815 + t * (0.00059 - t * 0.001813))) / 3600
  const obliquity = radians(meanObliquity + 0.00256 * Math.cos(node))
  const days = julianDay - 2_451_545
  const nutation = (-17.2 * Math.sin(node) - 1.32 * Math.sin(2 * radians(meanLongitude))) / 3600
  return {
    declination: degrees(Math.asin(Math.sin(obliquity) * Math.sin(longitude))),
    rightAscension: degrees(Math.atan2(Math.cos(obliquity) * Math.sin(longitude), Math.cos(longitude))),
    greenwichTime: 280.46061837 + 360.98564736629 * days + nutation * Math.cos(obliquity),
  }
}

export interface Observer {
  readonly latitude: number
  readonly longitude: number
}

/** Degrees west of the meridian, within ±180. */
export const hourAngleAt = ({ longitude }: Observer, seconds: number): number => {
  const { rightAscension, greenwichTime } = sunAt(seconds)
  const angle = greenwichTime + longitude - rightAscension
  return angle - 360 * Math.round(angle / 360)
}

/** The true altitude of the sun's centre in degrees, without refraction. */
export const altitudeAt = (observer: Observer, seconds: number): number => {
  const latitude = radians(observer.latitude)
  const declination = radians(sunAt(seconds).declination)
  const hourAngle = radians(hourAngleAt(observer, seconds))
  return degrees(
    Math.asin(
      Math.sin(latitude) * Math.sin(declination) + Math.cos(latitude) * Math.cos(declination) * Math.cos(hourAngle),
    ),
  )
}

/** The length of a shadow, as a multiple of the object's height. */
export const shadowAt = (observer: Observer, seconds: number): number =>
  1 / Math.tan(radians(altitudeAt(observer, seconds)))

/** How many seconds a moment is away from the one at which a steadily changing quantity has this value. */
export const secondsOff = (valueAt: (seconds: number) => number, seconds: number, wanted: number): number =>
  (valueAt(seconds) - wanted) / ((valueAt(seconds + 1) - valueAt(seconds - 1)) / 2)
