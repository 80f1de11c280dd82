// The name of a statement → how long it is expected to run, from how long it ran before. Only runs in quick and trial lanes count,
// which have a short time limit: so nobody can make a statement that others use look slow.
import { LRUCache } from 'lru-cache'
import { type LaneKind, QUICK_BELOW_MS } from './lane-rules.ts'

export interface StatementTimes {
  /** Undefined for a statement that is not known. */
  expected(name: string): number | undefined
  ran(name: string, milliseconds: number): void
}

const MOST_NAMES = 5000
/** How much the newest run counts. */
const WEIGHT = 0.25

export const createStatementTimes = (most = MOST_NAMES): StatementTimes => {
  const times = new LRUCache<string, { milliseconds: number }>({ max: most })
  return {
    expected: name => times.get(name)?.milliseconds,
    ran: (name, milliseconds) => {
      const known = times.peek(name)
      if (known === undefined) times.set(name, { milliseconds })
      else known.milliseconds += (milliseconds - known.milliseconds) * WEIGHT
    },
  }
}

/** The lanes that a statement belongs in, by what is expected of it. */
export const laneKindFor = (expected: number | undefined): LaneKind =>
  expected !== undefined && expected < QUICK_BELOW_MS ? 'quick' : 'trial'
