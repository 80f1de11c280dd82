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
  ran(name: string, milliseconds: number): void
}

const MOST_NAMES = 5000
/** The weight of the newest run. */
const WEIGHT = 0.25
/** The weight of a run that took longer than the quickest, for a statement that has become slower. */
const SLOWER_WEIGHT = 0.01

interface Times {
  milliseconds: number
  least: number
}

export const createStatementTimes = (most = MOST_NAMES): StatementTimes => {
  const times = new LRUCache<string, Times>({ max: most })
  return {
    expected: name => times.get(name)?.milliseconds,
    least: name => times.peek(name)?.least ?? Number.POSITIVE_INFINITY,
    ran: (name, milliseconds) => {
      const known = times.peek(name)
      if (known === undefined) {
        times.set(name, { milliseconds, least: milliseconds })
        return
      }
      known.milliseconds += (milliseconds - known.milliseconds) * WEIGHT
      known.least = Math.min(milliseconds, known.least + (milliseconds - known.least) * SLOWER_WEIGHT)
    },
  }
}

/** The kind of lane a statement belongs in, by its expected time. */
export const laneKindFor = (expected: number | undefined): LaneKind =>
  expected !== undefined && expected < QUICK_BELOW_MS ? 'quick' : 'trial'
