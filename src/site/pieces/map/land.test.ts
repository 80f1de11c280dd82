import assert from 'node:assert/strict'
import { test } from 'node:test'
import { landPicture } from './land.ts'
import { project } from './projection.ts'

type Corner = readonly [number, number]

const rings = [...String(landPicture.body).matchAll(/M([^Z]*)Z/g)].map(([, path = '']) =>
  path.split('L').map(text => text.split(' ').map(Number) as [number, number]),
)

/** By the even-odd rule: a ray to the right crosses the coast an odd number of times. */
const isInside = (ring: readonly Corner[], [x, y]: Corner): boolean =>
  ring.reduce((inside, [toX, toY], index) => {
    const [fromX, fromY] = ring.at(index - 1) as Corner
    const crosses = fromY > y !== toY > y && x < ((toX - fromX) * (y - fromY)) / (toY - fromY) + fromX
    return crosses ? !inside : inside
  }, false)

const isLand = (longitude: number, latitude: number): boolean => {
  const { x, y } = project(longitude, latitude)
  return rings.filter(ring => isInside(ring, [x, y])).length % 2 === 1
}

test('every continent is where it belongs, and the oceans are water', () => {
  const lands = { Chicago: [-88, 41], Makkah: [40, 21.5], Kansas: [-98, 38], Amazon: [-60, -5], Congo: [22, 0] }
  const more = { Siberia: [100, 62], India: [78, 22], Poland: [20, 52], Australia: [134, -25] }
  for (const [name, [longitude = 0, latitude = 0]] of Object.entries({ ...lands, ...more }))
    assert.ok(isLand(longitude, latitude), name)
  const waters = { Atlantic: [-35, 30], Pacific: [-140, 10], 'Indian Ocean': [80, -20] }
  for (const [name, [longitude = 0, latitude = 0]] of Object.entries(waters))
    assert.ok(!isLand(longitude, latitude), name)
})
