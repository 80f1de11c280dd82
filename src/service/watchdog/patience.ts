// Turns of the event loop and CPU time, looked at now and then → how much CPU time has gone into the turn that is in progress.

export interface Patience {
  /** @returns milliseconds; 0 after a turn. @param cpuMs is not asked after a turn: most looks cost nothing */
  look(turns: number, cpuMs: () => number): number
  /** The time so far went into something else than what is in progress now. */
  startAgain(): void
}

/** @param mostMs counts between two looks at most: if a machine stood still, it can look like work that took as long */
export const createPatience = (mostMs: number): Patience => {
  let known: number | undefined
  let before: number | undefined
  let used = 0
  return {
    look: (turns, cpuMs) => {
      if (turns !== known) {
        known = turns
        before = undefined
        used = 0
        return 0
      }
      const now = cpuMs()
      used += Math.min(Math.max(now - (before ?? now), 0), mostMs)
      before = now
      return used
    },
    startAgain: () => {
      used = 0
    },
  }
}
