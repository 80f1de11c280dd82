// Runs of statements → how many times as long as usual they take at the moment, because the machine is busy. Pure: the time is
// always passed in.
//
// Runs are timed by the clock. When many statements wait for a processor, all of them look slow, and lanes that trusted the clock
// would take one at a time: with the pipelines gone, what has piled up would be worked off slowly. So the lanes divide by this.
import type { Account } from './account.ts'

export interface Slowdown {
  /** At least 1. */
  at(now: number): number
  ran(account: Account, milliseconds: number, leastMs: number, now: number): void
}

const WINDOW_MS = 100
/** A figure that old says nothing. */
const LASTING_MS = 1000
const MOST = 8
/** Of what a statement takes at best: runs differ that much by their values and by chance. */
const USUAL = 2
/** Differences between runs shorter than this are noise. */
const LEAST_MS = 0.25

interface Sum {
  ratios: number
  runs: number
}

/**
 * By key, and of those the lower quartile, which is the lowest of a few: one whose statements suddenly do more work must not make
 * the machine look busy, and be trusted with deep pipelines for it.
 */
const slowdownOf = (sums: ReadonlyMap<Account, Sum>): number => {
  const ratios = [...sums.values()].map(({ ratios, runs }) => ratios / runs).sort((one, other) => one - other)
  return Math.min(MOST, Math.max(1, (ratios[Math.floor(ratios.length / 4)] ?? 1) / USUAL))
}

export const createSlowdown = (): Slowdown => {
  const sums = new Map<Account, Sum>()
  let opened = 0
  let current = 1
  let closed = Number.NEGATIVE_INFINITY

  const close = (now: number): void => {
    current = slowdownOf(sums)
    closed = now
    opened = now
    sums.clear()
  }

  return {
    at: now => (now - closed > LASTING_MS ? 1 : current),
    ran: (account, milliseconds, leastMs, now) => {
      if (now - opened >= WINDOW_MS) close(now)
      const ratio = Math.max(milliseconds, LEAST_MS) / Math.max(leastMs, LEAST_MS)
      const sum = sums.get(account)
      if (sum === undefined) sums.set(account, { ratios: ratio, runs: 1 })
      else {
        sum.ratios += ratio
        sum.runs += 1
      }
    },
  }
}
