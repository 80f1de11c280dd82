// Degrees → a place on the map: equirectangular, with distances true along 35° north and south.

/** Where the map ends; Antarctica is left out. */
const edges = { west: -170, east: 180, north: 74, south: -46 }

const SCALE = 2.4

/** Units of the picture for a degree; scripts that draw on it get them too. */
export const mapFrame = {
  west: edges.west,
  north: edges.north,
  perLongitude: Math.cos((35 * Math.PI) / 180) * SCALE,
  perLatitude: SCALE,
}

export interface Point {
  readonly x: number
  readonly y: number
}

export const project = (longitude: number, latitude: number): Point => ({
  x: (longitude - mapFrame.west) * mapFrame.perLongitude,
  y: (mapFrame.north - latitude) * mapFrame.perLatitude,
})

const corner = project(edges.east, edges.south)

export const mapSize = { width: Math.round(corner.x), height: Math.round(corner.y) }
