import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qiblaFrom } from './qibla.ts'

/** Walks from the place along the bearing, by the sphere's own definition, and says how near to the Kaaba it passes, in degrees. */
const missedBy = ({ latitude, longitude }: { latitude: number; longitude: number }): number => {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const bearing = radians(qiblaFrom({ latitude, longitude }))
  const [north, east] = [radians(latitude), radians(longitude)]
  let nearest = 180
  for (let step = 0; step <= 1800; step += 1) {
    const walked = radians(step / 10)
    const there = Math.asin(Math.sin(north) * Math.cos(walked) + Math.cos(north) * Math.sin(walked) * Math.cos(bearing))
    const over =
      east +
      Math.atan2(
        Math.sin(bearing) * Math.sin(walked) * Math.cos(north),
        Math.cos(walked) - Math.sin(north) * Math.sin(there),
      )
    const [kaabaNorth, kaabaEast] = [radians(21.422487), radians(39.826206)]
    const cosine =
      Math.sin(there) * Math.sin(kaabaNorth) + Math.cos(there) * Math.cos(kaabaNorth) * Math.cos(over - kaabaEast)
    nearest = Math.min(nearest, (Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI)
  }
  return nearest
}

test('whoever follows the qibla from anywhere comes to the Kaaba', () => {
  for (let latitude = -85; latitude <= 85; latitude += 17)
    for (let longitude = -180; longitude <= 180; longitude += 30)
      assert.ok(missedBy({ latitude, longitude }) < 0.06, `${latitude}, ${longitude}`)
})

test('as others have it: New York north-east, Jakarta north-west; at the poles south along the meridian', () => {
  assert.ok(Math.abs(qiblaFrom({ latitude: 40.7128, longitude: -74.006 }) - 58.48) < 0.05)
  assert.ok(Math.abs(qiblaFrom({ latitude: -6.2088, longitude: 106.8456 }) - 295.15) < 0.05)
  assert.ok(Math.abs(qiblaFrom({ latitude: 51.5072, longitude: -0.1276 }) - 118.99) < 0.05)
  assert.equal(qiblaFrom({ latitude: 90, longitude: 39.826206 }), 180)
  assert.equal(qiblaFrom({ latitude: -90, longitude: 39.826206 }), 0)
})
