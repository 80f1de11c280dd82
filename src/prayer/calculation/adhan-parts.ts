// Parts of adhan that its package does not export: the sun's coordinates, and the Moonsighting Committee's seasonal twilight.

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

const load = async <T>(file: string): Promise<T> =>
  ((await import(new URL(file, import.meta.resolve('adhan')).href)) as { default: T }).default

export const SolarCoordinates = await load<new (julianDay: number) => SolarCoordinates>('SolarCoordinates.js')

export const { seasonAdjustedMorningTwilight, seasonAdjustedEveningTwilight } =
  await load<Astronomical>('Astronomical.js')
