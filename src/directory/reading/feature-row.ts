// The text of a GeoJSON feature (RFC 7946) → a row, by the names of its properties; its point gives the place.
import type { RawRow } from './raw-row.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const unreadable = (line: number, column: string, reason: string): RawRow => ({
  line,
  size: 0,
  values: {},
  unreadable: { column, reason },
})

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** RFC 7946 section 3.1.1: longitude, latitude and perhaps the height. */
const pointOf = (geometry: unknown): readonly unknown[] | undefined =>
  isObject(geometry) &&
  geometry.type === 'Point' &&
  Array.isArray(geometry.coordinates) &&
  geometry.coordinates.length >= 2
    ? geometry.coordinates
    : undefined

export const readFeature = (text: string, line: number): RawRow => {
  const feature = parse(text)
  if (!isObject(feature)) return unreadable(line, '', 'this is no JSON object')
  if (feature.type !== 'Feature') return unreadable(line, 'type', 'this is no GeoJSON feature')
  const properties = isObject(feature.properties) ? feature.properties : {}
  const values = { ...properties, source_id: properties.source_id ?? feature.id }
  const point = pointOf(feature.geometry)
  if (point === undefined)
    return { line, size: text.length, values, unreadable: { column: 'geometry', reason: 'the geometry is no point' } }
  return { line, size: text.length, values: { ...values, longitude: point[0], latitude: point[1] } }
}
