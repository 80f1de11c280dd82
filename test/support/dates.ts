// Days for tests that run beside the real clock.
import { dateOf, dayNumberAt, dayNumberOf } from '../../src/prayer/calculation/civil-date.ts'
import { zoneOffsetOf } from '../../src/prayer/calculation/zone-offset.ts'

export const daysAfter = (date: string, days: number): string => dateOf(dayNumberOf(date) + days)

export const dayAhead = (days: number): string => dateOf(dayNumberAt(new Date()) + days)

/** The next day, at least ten days ahead, on which clocks in New York go forward: never more than 400 away. */
export const nextSpringForward = (): string => {
  const offset = zoneOffsetOf('America/New_York')
  for (let ahead = 10; offset !== undefined && ahead < 400; ahead += 1) {
    const date = dayAhead(ahead)
    if (offset(Date.parse(`${date}T05:00:00Z`)) < offset(Date.parse(`${date}T17:00:00Z`))) return date
  }
  throw new Error('New York no longer changes its clocks.')
}
