// The coast lines of Natural Earth (public domain, as TopoJSON) → a picture of the land, which browsers keep.
// https://github.com/topojson/topojson-specification
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Asset, createAsset } from '../../frame/assets.ts'
import { html } from '../html.ts'
import { mapSize, type Point, project } from './projection.ts'

type Pair = readonly [number, number]

interface Land {
  readonly transform: { readonly scale: Pair; readonly translate: Pair }
  readonly arcs: readonly (readonly Pair[])[]
  readonly objects: {
    readonly land: {
      readonly geometries: readonly { readonly arcs: readonly (readonly (readonly number[])[])[] }[]
    }
  }
}

/** Each position of an arc is given from the one before it; in degrees. */
const placed = (arc: readonly Pair[], { scale, translate }: Land['transform']): Pair[] => {
  let [x, y] = [0, 0]
  return arc.map(([byX, byY]) => {
    x += byX
    y += byY
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

/** A coast that crosses the 180th meridian goes on beyond the edge of the map, instead of jumping to the other side. */
const unwrapped = (ring: readonly Pair[]): Pair[] => {
  let turns = 0
  return ring.map(([longitude, latitude], index) => {
    const step = longitude - (ring[index - 1]?.[0] ?? longitude)
    if (Math.abs(step) > 180) turns -= Math.sign(step)
    return [longitude + turns * 360, latitude]
  })
}

/** Asia's coast may be listed from its easternmost cape, which is beyond 180°: most of a coast belongs on the map. */
const onTheMap = (ring: readonly Pair[]): Point[] => {
  const mean = ring.reduce((sum, [longitude]) => sum + longitude, 0) / ring.length
  const turns = Math.round(mean / 360)
  return ring.map(([longitude, latitude]) => project(longitude - turns * 360, latitude))
}

/** One unit of the picture is fine enough; points that fall together are written once. */
const outline = (points: readonly Point[]): string => {
  const corners: string[] = []
  for (const { x, y } of points) {
    const corner = `${Math.round(x)} ${Math.round(y)}`
    if (corner !== corners.at(-1)) corners.push(corner)
  }
  return corners.length < 4 ? '' : `M${corners.join('L')}Z`
}

const pathOf = ({ arcs, transform, objects }: Land): string => {
  const lines = arcs.map(arc => placed(arc, transform))
  // A negative index is the arc read backwards.
  const line = (index: number): Pair[] => (index < 0 ? (lines[-index - 1] ?? []).toReversed() : (lines[index] ?? []))
  const rings = objects.land.geometries.flatMap(({ arcs: polygons }) => polygons.flat())
  return rings.map(ring => outline(onTheMap(unwrapped(ring.flatMap(line))))).join('')
}

const require = createRequire(import.meta.url)

const read = (): Land => JSON.parse(readFileSync(require.resolve('world-atlas/land-110m.json'), 'utf8'))

const { width, height } = mapSize

/** A grey that stands out from light and dark grounds alike. */
const picture =
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><path fill="#7b8a83" fill-opacity=".28" d="${pathOf(read())}"/></svg>`
    .text

export const landPicture: Asset = createAsset('land.svg', 'image/svg+xml', picture)
