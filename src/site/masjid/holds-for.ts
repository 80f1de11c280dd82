// What a page shows → for how long it holds: until the next prayer, midnight at the masjid, or the end of something on it.

import { dateOf, dayNumberOf } from '../../base/civil-date.ts'
import { instantOf } from '../../base/local-time.ts'
import type { PublicMasjid } from './public-masjid.ts'
import { comesOn, type PublicTimes } from './public-times.ts'

/** What staff publish shows within this time, whatever caches stand between. */
const LONGEST_SECONDS = 60

type Shown = Pick<PublicMasjid, 'timezone'> & Partial<Pick<PublicMasjid, 'announcements' | 'occurrences'>>

/** When the date changes at the masjid. */
export const midnightAfter = (today: string, timezone: string): Date | undefined =>
  instantOf(`${dateOf(dayNumberOf(today) + 1)}T00:00:00`, timezone)

const changesOf = (
  { timezone, announcements = [], occurrences = [] }: Shown,
  { today, next }: PublicTimes,
): (Date | undefined)[] => [
  next && comesOn(next),
  midnightAfter(today, timezone),
  ...announcements.map(({ ends_at }) => (ends_at === null ? undefined : new Date(ends_at))),
  ...occurrences.map(({ ends_at }) => new Date(ends_at)),
]

/** When the page says something else than now, without anybody changing anything. */
export const changesAt = (shown: Shown, times: PublicTimes): Date => {
  const coming = changesOf(shown, times)
    .filter(moment => moment !== undefined)
    .map(moment => moment.getTime())
    .filter(moment => moment > times.now.getTime())
  return new Date(Math.min(...coming))
}

interface Holds {
  /** For caches, which count in whole seconds; at least one, as 0 would keep it from being kept at all. */
  readonly maxAge: number
  /** In memory it ends in time. */
  readonly holds: number
}

/** What is shown holds until the first of these moments. */
export const holdsUntil = (moments: readonly Date[], now: Date): Holds => {
  const seconds = Math.min(LONGEST_SECONDS, ...moments.map(moment => (moment.getTime() - now.getTime()) / 1000))
  return { maxAge: Math.max(1, Math.floor(seconds)), holds: seconds }
}

export const holdsFor = (shown: Shown, times: PublicTimes): Holds => holdsUntil([changesAt(shown, times)], times.now)
