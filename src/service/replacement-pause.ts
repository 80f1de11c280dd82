// How a worker ended → how long to wait before the next one takes its place: none that fails at once, or is stuck again and again,
// is restarted in a tight loop.

export interface EndedWorker {
  readonly livedMs: number
  /** Whether its event loop was stuck. */
  readonly wasStuck: boolean
}

/** Who ends earlier than this would fail again. */
const LEAST_LIFE_MS = 1000
/** After this long without one that was stuck, the next is a chance event again. */
const FORGOTTEN_MS = 60_000
const LONGEST_MS = 8000

/** @param now milliseconds, from any beginning */
export const createReplacementPause = (now: () => number): ((ended: EndedWorker) => number) => {
  let stuckAt = Number.NEGATIVE_INFINITY
  let pause = 0
  return ({ livedMs, wasStuck }) => {
    if (!wasStuck) return livedMs < LEAST_LIFE_MS ? LEAST_LIFE_MS : 0
    const isRepeated = now() - stuckAt < FORGOTTEN_MS
    stuckAt = now()
    pause = isRepeated ? Math.min(Math.max(2 * pause, LEAST_LIFE_MS), LONGEST_MS) : 0
    return pause
  }
}
