// A statement's name → its expected time, from earlier runs. Only runs in quick and trial lanes count, which have a short
// time limit, so nobody can make a statement that others use look slow.
import { LRUCache } from 'lru-cache'
import { type LaneKind, QUICK_BELOW_MS } from './lane-rules.ts'

export interface StatementTimes {
  /** Undefined for an unknown statement. */
  expected(name: string): number | undefined
  ran(name: string, milliseconds: number): void
}

const MOST_NAMES = 5000
/** The weight of the newest run. */
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

/** The kind of lane a statement belongs in, by its expected time. */
export const laneKindFor = (expected: number | undefined): LaneKind =>
  expected !== undefined && expected < QUICK_BELOW_MS ? 'quick' : 'trial'
