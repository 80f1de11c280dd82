// Parts of adhan that its package does not export: the sun's coordinates, and the Moonsighting Committee's seasonal twilight.
import { createRequire, findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

export interface SolarCoordinates {
  /** Degrees north of the equator. */
  readonly declination: number
  /** Degrees. */
  readonly rightAscension: number
  /** Degrees, at Greenwich. */
  readonly apparentSiderealTime: number
}

interface Astronomical {
  seasonAdjustedMorningTwilight(latitude: number, dayOfYear: number, year: number, sunrise: Date): Date
  seasonAdjustedEveningTwilight(latitude: number, dayOfYear: number, year: number, sunset: Date, shafaq: string): Date
}

const require = createRequire(import.meta.url)
const folder = join(dirname(findPackageJSON('adhan', import.meta.url) ?? ''), 'lib/esm')

/** At once: V8 aborts the process if a thread is terminated while it waits for an import at its top level. */
const load = <T>(file: string): T => (require(join(folder, file)) as { default: T }).default

export const SolarCoordinates = load<new (julianDay: number) => SolarCoordinates>('SolarCoordinates.js')

export const { seasonAdjustedMorningTwilight, seasonAdjustedEveningTwilight } = load<Astronomical>('Astronomical.js')
