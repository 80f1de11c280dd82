import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '../../../test/support/dates.ts'
import { localDateAt } from '../../base/local-time.ts'
import { holdsUntil, midnightAfter } from './holds-for.ts'

const now = new Date('2026-11-19T12:00:00Z')
const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)

test('in memory it ends at the moment, for caches in whole seconds, at least one and at most sixty', () => {
  assert.deepEqual(holdsUntil([after(12.7), after(90)], now), { maxAge: 12, holds: 12.7 })
  assert.deepEqual(holdsUntil([after(0.25)], now), { maxAge: 1, holds: 0.25 })
  assert.deepEqual(holdsUntil([], now), { maxAge: 60, holds: 60 })
  assert.deepEqual(holdsUntil([after(-3)], now), { maxAge: 1, holds: -3 })
})

/** Where clocks change at midnight, so that there is none, or two; and where a whole day was left out. */
const zones = [
  'Africa/Cairo',
  'America/Havana',
  'Asia/Beirut',
  'America/Santiago',
  'Asia/Gaza',
  'Pacific/Apia',
  'America/New_York',
]

for (const zone of zones)
  test(`midnight comes when the date changes, in ${zone} on every day of three years`, () => {
    for (const first of ['2011-01-01', '2023-01-01', '2026-01-01'])
      for (let day = 0; day < 365; day += 1) {
        const today = daysAfter(first, day)
        const midnight = midnightAfter(today, zone)?.getTime() ?? 0
        const [before, then] = [new Date(midnight - 1), new Date(midnight)].map(moment => localDateAt(moment, zone))
        assert.ok(before !== undefined && before <= today, `${today} ends at ${midnight}`)
        assert.ok(then !== undefined && then > today, `${today} ends at ${midnight}`)
      }
  })
