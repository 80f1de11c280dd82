// Coordinates → the time zone there, by the borders of geo-tz. Loaded in a thread of its own, with the first question.
import { createRequire } from 'node:module'
import { LRUCache } from 'lru-cache'
import { zoneClockOf } from '../../base/zone-clock.ts'

export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

/** One square of the map: the borders in it. */
interface Square {
  readonly features: readonly { readonly geometry: { readonly coordinates: unknown } }[]
}

interface GeoTz {
  find(latitude: number, longitude: number): string[]
  setCache(options: { readonly store: { get(key: string): unknown; set(key: string, value: unknown): void } }): void
}

/** Of all its squares together; a point takes about a hundred bytes. Its own cache would keep the whole world: 900 MB. */
const MOST_POINTS = 300_000

const countPoints = (coordinates: unknown): number => {
  if (!Array.isArray(coordinates)) return 0
  if (typeof coordinates[0] === 'number') return 1
  return coordinates.reduce((sum: number, part: unknown) => sum + countPoints(part), 0)
}

const sizeOf = ({ features }: Square): number =>
  1 + features.reduce((sum, { geometry }) => sum + countPoints(geometry.coordinates), 0)

const load = (): GeoTz => {
  // All zones: the default data call Oslo Europe/Berlin.
  const geoTz = createRequire(import.meta.url)('geo-tz/all') as GeoTz
  const store = new LRUCache<string, Square>({ maxSize: MOST_POINTS, sizeCalculation: sizeOf })
  geoTz.setCache({ store: { get: key => store.get(key), set: (key, value) => void store.set(key, value as Square) } })
  return geoTz
}

const geoTz = load()

/** All zones meet at the poles: beside them, the one of the longitude is found. */
const NEAR_POLE = 89.999

/** Where two are claimed, the first that the runtime knows; at sea, that of the longitude. */
export const findZone = ({ latitude, longitude }: Coordinates): string => {
  const found = geoTz.find(Math.max(-NEAR_POLE, Math.min(NEAR_POLE, latitude)), longitude)
  return found.find(zone => zoneClockOf(zone) !== undefined) ?? 'Etc/UTC'
}
