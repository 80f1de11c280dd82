// What is too small to be seen over HTTP: a year of one place, calculated and written as JSON, and finding the zone of a place.
import { systemClock } from '../../../src/base/clock.ts'
import { createPlaceTimes } from '../../../src/place-times/place-times.ts'
import { readQuestion } from '../../../src/place-times/read-question.ts'
import { writeJson } from '../../../src/place-times/write-answer.ts'
import { findZone } from '../../../src/place-times/zones/find-zone.ts'
import { median, medianInterval } from '../../measure/statistics.ts'
import type { Reading } from '../../report/bars.ts'

const WARMING = 100

/** CPU milliseconds of each call after some that warm up. */
const costsOf = async (count: number, call: (index: number) => unknown): Promise<readonly number[]> => {
  const costs: number[] = []
  for (let index = 0; index < WARMING + count; index += 1) {
    const before = process.cpuUsage()
    await call(index)
    const { user, system } = process.cpuUsage(before)
    if (index >= WARMING) costs.push((user + system) / 1000)
  }
  return costs
}

const reading = (name: string, title: string, costs: readonly number[]): Reading => ({
  name: `places.${name}`,
  title,
  value: median(costs),
  interval: medianInterval(costs),
  unit: 'ms',
})

const zone = 'Europe/Istanbul'

/** Places all over the world: their squares of the map are rarely in memory. */
const anywhere = (index: number) => ({ latitude: ((index * 37) % 140) - 70, longitude: ((index * 101) % 360) - 180 })

export const measureInProcess = async (quick: boolean): Promise<readonly Reading[]> => {
  const places = createPlaceTimes({ zones: { find: async () => zone }, clock: systemClock })
  const count = quick ? 50 : 300
  const year = await costsOf(count, async index => {
    const longitude = 29 + index / 100
    const days = { from: '2027-01-01', to: '2027-12-31' }
    const settled = await places.settle(
      '',
      readQuestion({ latitude: 41, longitude, time_zone: zone, method: 'Turkey', ...days }),
    )
    return writeJson({ settled, days: places.calculate(settled) })
  })
  const near = await costsOf(count, index => findZone({ latitude: 41 + index / 1e4, longitude: 29 }))
  const far = await costsOf(count, index => findZone(anywhere(index)))
  return [
    reading('year', 'A year of one place, calculated and written as JSON', year),
    reading('zone-near', 'Finding the zone of a place near the last one', near),
    reading('zone-far', 'Finding the zone of a place anywhere', far),
  ]
}
