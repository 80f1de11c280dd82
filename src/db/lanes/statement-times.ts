// A statement's name → its expected time, from earlier runs. Only runs in quick and trial lanes count, which have a short
// time limit, so nobody can make a statement that others use look slow.
import { LRUCache } from 'lru-cache'
import { type LaneKind, QUICK_BELOW_MS } from './lane-rules.ts'

export interface StatementTimes {
  /** Undefined for an unknown statement. */
  expected(name: string): number | undefined
  /**
   * What it takes at best. A run is timed until its response is read, so on a busy machine most of an average is waiting for a
   * processor. Infinite for an unknown statement.
   */
  least(name: string): number
  ran(name: string, milliseconds: number, now: number): void
}

const MOST_NAMES = 5000
/** The weight of the newest run. */
const WEIGHT = 0.25
/** How soon a statement that has become slower is known to take longer at best: by two thirds of the difference. */
const SLOWER_MS = 10_000
/** The most weight of a single run in that. */
const MOST_WEIGHT = 0.1

interface Times {
  milliseconds: number
  least: number
  ranAt: number
}

/** By time, not by runs: a busy second has hundreds of them, all slow, and says nothing about the statement. */
const leastAfter = ({ least, ranAt }: Times, milliseconds: number, now: number): number =>
  milliseconds <= least
    ? milliseconds
    : least + (milliseconds - least) * Math.min(MOST_WEIGHT, (now - ranAt) / SLOWER_MS)

export const createStatementTimes = (most = MOST_NAMES): StatementTimes => {
  const times = new LRUCache<string, Times>({ max: most })
  return {
    expected: name => times.get(name)?.milliseconds,
    least: name => times.peek(name)?.least ?? Number.POSITIVE_INFINITY,
    ran: (name, milliseconds, now) => {
      const known = times.peek(name)
      if (known === undefined) {
        times.set(name, { milliseconds, least: milliseconds, ranAt: now })
        return
      }
      known.milliseconds += (milliseconds - known.milliseconds) * WEIGHT
      known.least = leastAfter(known, milliseconds, now)
      known.ranAt = now
    },
  }
}

/** The kind of lane a statement belongs in, by its expected time. */
export const laneKindFor = (expected: number | undefined): LaneKind =>
  expected !== undefined && expected < QUICK_BELOW_MS ? 'quick' : 'trial'
