import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { zoneClockOf } from '../../base/zone-clock.ts'
import { createRandom } from '../../fixtures/random.ts'
import { createZoneFinder } from './zone-finder.ts'

const zones = createZoneFinder()
after(() => zones.end())

const zoneAt = (latitude: number, longitude: number): Promise<string> => zones.find('a test', { latitude, longitude })

test('zones have the names that people expect, not those of larger neighbours', async () => {
  const expected = [
    [59.91, 10.75, 'Europe/Oslo'],
    [55.68, 12.57, 'Europe/Copenhagen'],
    [52.37, 4.9, 'Europe/Amsterdam'],
    [24.47, 39.61, 'Asia/Riyadh'],
    [29.38, 47.99, 'Asia/Kuwait'],
    [-13.83, -171.76, 'Pacific/Apia'],
    [19.07, 72.88, 'Asia/Kolkata'],
    [41.01, 28.98, 'Europe/Istanbul'],
  ] as const
  for (const [latitude, longitude, zone] of expected) assert.equal(await zoneAt(latitude, longitude), zone)
})

test('at the poles, at sea and along the antimeridian there is one zone, and the same each time', async () => {
  const places = [
    [90, 0, 'Etc/GMT'],
    [90, 120, 'Etc/GMT-8'],
    [-90, 0, 'Antarctica/McMurdo'],
    [0, 180, 'Etc/GMT+12'],
    [0, -180, 'Etc/GMT+12'],
    [0, -30, 'Etc/GMT+2'],
  ] as const
  for (const [latitude, longitude, zone] of places) assert.equal(await zoneAt(latitude, longitude), zone)
  const disputed = await zoneAt(43.8, 87.6)
  assert.ok(['Asia/Urumqi', 'Asia/Shanghai'].includes(disputed))
})

test('wherever one asks, the runtime knows the zone', async () => {
  const random = createRandom(1448, 'places on earth')
  for (let count = 0; count < 300; count += 1) {
    const [latitude, longitude] = [random.integer(-9000, 9000) / 100, random.integer(-18_000, 18_000) / 100]
    assert.ok(zoneClockOf(await zoneAt(latitude, longitude)), `${latitude}, ${longitude}`)
  }
})
