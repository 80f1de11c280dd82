// The parameters of the lanes.

/**
 * `quick`: statements known to be short, many in a pipeline. `trial`: unknown statements, or known to take a little
 * longer. `slow`: statements that exceeded the time limit of the others; one at a time.
 */
export type LaneKind = 'quick' | 'trial' | 'slow'

export interface LaneRule {
  /** Statements in one lane's pipeline. */
  readonly depth: number
  /** How many statements may wait, per key and in total. */
  readonly waitingPerKey: number
  readonly waiting: number
}

export const laneRules: Readonly<Record<LaneKind, LaneRule>> = {
  quick: { depth: 16, waitingPerKey: 1000, waiting: 4000 },
  trial: { depth: 4, waitingPerKey: 1000, waiting: 4000 },
  // Just after a start, a statement on every connection of an ordinary client may be late enough to end up here.
  slow: { depth: 1, waitingPerKey: 64, waiting: 256 },
}

/** The statement time limit of each kind of lane. Slow lanes have the configured statement timeout. */
export const QUICK_LIMIT_MS = 40
export const TRIAL_LIMIT_MS = 80

/**
 * How long a statement may wait for a lock in each kind of lane. Then it makes room, and tries again outside the lanes until
 * its deadline (locked-statements.ts).
 */
export const lockLimitMs: Readonly<Record<LaneKind, number>> = { quick: 20, trial: 40, slow: 200 }

/** A lane whose statement is this much over its time limit is silent: its connection is given up. */
export const SILENT_MS = 750
/** How often deadlines and silent connections are looked for. */
export const SWEEP_MS = 100

export const TRIAL_LANES = 2
export const SLOW_LANES = 2

/** After this time a slow statement makes room for a key that used less. */
export const SLOW_TURN_MS = 1000

/** Statements expected to take less belong in a quick lane. */
export const QUICK_BELOW_MS = 8
/** The expected time of an unknown statement. */
export const UNKNOWN_MS = 2
/** The total expected time of the statements in one lane's pipeline. */
export const LANE_MS = 20
/** Nothing is queued behind a statement that has been running for this long. */
export const LATE_MS = 10
