// New masjids → those that are there already: in the directory itself, or as one of another origin. In the order of the file, and only
// against those that stay, so that it does not matter where a batch ends.
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Masjid } from './prepare-batch.ts'

export interface Twin {
  readonly reason: string
  readonly masjidId: string | null
}

interface Beside {
  readonly name: string
  readonly id: string | null
  readonly source_id: string | null
  readonly distance_km: number | null
}

interface Point {
  readonly line: number
  readonly sourceId: string
  readonly name: string
  readonly place: readonly [x: number, y: number, z: number]
}

/** As the database measures: a sphere of the mean radius. */
const EARTH_KM = 6371.0088
const NEAR_KM = 0.15
const SAME_NAME_KM = 1

const radians = (degrees: number): number => (degrees * Math.PI) / 180

const pointOf = ({ line, sourceId, values }: Masjid, name: string): Point => {
  const [latitude, longitude] = [radians(Number(values.latitude)), radians(Number(values.longitude))]
  const across = EARTH_KM * Math.cos(latitude)
  return {
    line,
    sourceId,
    name,
    place: [across * Math.cos(longitude), across * Math.sin(longitude), EARTH_KM * Math.sin(latitude)],
  }
}

const distanceOf = ({ place: one }: Point, { place: other }: Point): number =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])

const metres = (distanceKm: number): string => `${Math.round(distanceKm * 1000)} m`

/** Cubes of a kilometre: whatever is within one is in the same cube or in one beside it. */
const cubesAround = ([x, y, z]: Point['place']): string[] => {
  const around: string[] = []
  for (const dx of [-1, 0, 1])
    for (const dy of [-1, 0, 1])
      for (const dz of [-1, 0, 1]) around.push(`${Math.floor(x) + dx} ${Math.floor(y) + dy} ${Math.floor(z) + dz}`)
  return around
}

const createPlaces = () => {
  const byCube = new Map<string, Point[]>()
  return {
    add: (point: Point): void => {
      const cube = point.place.map(Math.floor).join(' ')
      byCube.set(cube, [...(byCube.get(cube) ?? []), point])
    },
    beside: (point: Point): Point | undefined =>
      cubesAround(point.place)
        .flatMap(cube => byCube.get(cube) ?? [])
        .find(other => {
          const distance = distanceOf(point, other)
          return distance <= NEAR_KM || (distance <= SAME_NAME_KM && point.name === other.name)
        }),
  }
}

const besideStored = (masjids: readonly Masjid[], others: Sql): Sql => sql`
  select public.search_text(given.name) as name, beside.*
  from json_to_recordset(${JSON.stringify(masjids.map(({ values }, place) => ({ ...values, place })))}::json)
    as given (place integer, name text, latitude double precision, longitude double precision)
  left join lateral ${others} on true
  order by given.place`

const stored = sql`(
  select id, null::text as source_id, distance_km from public.masjid_beside(given.latitude, given.longitude, given.name)) beside`
const tried = sql`(
  select id, null::text as source_id, distance_km from public.masjid_beside(given.latitude, given.longitude, given.name)
  union all
  select null, source_id, distance_km from public.imported_beside(given.latitude, given.longitude, given.name) limit 1) beside`

const storedTwin = ({ id = null, source_id, distance_km }: Partial<Beside>): Twin | undefined => {
  if (distance_km === null || distance_km === undefined) return undefined
  const other = id === null ? `the row with source_id ${source_id}` : 'a masjid that is there'
  return { reason: `${metres(distance_km)} from ${other}`, masjidId: id }
}

const twinOf = (point: Point, other: Point | undefined): Twin | undefined =>
  other && {
    reason: `${metres(distanceOf(point, other))} from line ${other.line} (source_id ${other.sourceId})`,
    masjidId: null,
  }

/** @returns by source_id */
export const findTwins = async (
  transaction: Queryable,
  masjids: readonly Masjid[],
  isTrial: boolean,
): Promise<ReadonlyMap<string, Twin>> => {
  const twins = new Map<string, Twin>()
  if (masjids.length === 0) return twins
  const beside = await transaction.query<Beside>(besideStored(masjids, isTrial ? tried : stored))
  const places = createPlaces()
  for (const [index, masjid] of masjids.entries()) {
    const { name = '', ...found } = beside[index] ?? {}
    const point = pointOf(masjid, name)
    const twin = storedTwin(found) ?? twinOf(point, places.beside(point))
    if (twin === undefined) places.add(point)
    else twins.set(masjid.sourceId, twin)
  }
  return twins
}
