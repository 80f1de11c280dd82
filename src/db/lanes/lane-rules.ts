// The numbers that the lanes go by, in one place.

/**
 * `quick`: statements known to be short, many in a pipeline. `trial`: statements not known yet, or known to take a little
 * longer. `slow`: whatever outlasted the time limit of one of the others; one statement at a time.
 */
export type LaneKind = 'quick' | 'trial' | 'slow'

export interface LaneRule {
  /** Statements in the pipeline of one lane. */
  readonly depth: number
  /** Statements of one key that may wait, and of all together. */
  readonly waitingPerKey: number
  readonly waiting: number
}

export const laneRules: Readonly<Record<LaneKind, LaneRule>> = {
  quick: { depth: 16, waitingPerKey: 1000, waiting: 4000 },
  trial: { depth: 4, waitingPerKey: 1000, waiting: 4000 },
  slow: { depth: 1, waitingPerKey: 30, waiting: 120 },
}

/** The time limit of a statement in lanes of each kind. Slow ones have the statement timeout of the configuration. */
export const QUICK_LIMIT_MS = 40
export const TRIAL_LIMIT_MS = 80

export const TRIAL_LANES = 2
export const SLOW_LANES = 2

/** After this time a slow statement makes room for one of a key that used less. */
export const SLOW_TURN_MS = 1000

/** A statement that is expected to take less belongs in a quick lane. */
export const QUICK_BELOW_MS = 8
/** What is expected of a statement that was never seen. */
export const UNKNOWN_MS = 2
/** What may be expected, all in all, of the statements in the pipeline of one lane. */
export const LANE_MS = 20
/** Nothing is sent behind a statement that has been running for this long. */
export const LATE_MS = 10
