// Days for tests that run beside the real clock.
import { dateOf, dayNumberAt, dayNumberOf } from '../../src/base/civil-date.ts'
import { zoneOffsetOf } from '../../src/base/zone-offset.ts'

export const daysAfter = (date: string, days: number): string => dateOf(dayNumberOf(date) + days)

export const dayAhead = (days: number): string => dateOf(dayNumberAt(new Date()) + days)

export interface ClockChange {
  readonly date: string
  /** The suffix that turns a local time into an instant: '-05:00'. */
  readonly before: string
  readonly after: string
}

/** The next clock change in New York at least ten days ahead: never more than nine months away. */
export const nextClockChange = (): ClockChange => {
  const offset = zoneOffsetOf('America/New_York')
  for (let ahead = 10; offset !== undefined && ahead < 270; ahead += 1) {
    const date = dayAhead(ahead)
    const [before, after] = ['05', '17'].map(hour => offset(Date.parse(`${date}T${hour}:00:00Z`)) / 3_600_000)
    if (before !== after) return { date, before: `-0${-Number(before)}:00`, after: `-0${-Number(after)}:00` }
  }
  throw new Error('New York no longer changes its clocks.')
}
