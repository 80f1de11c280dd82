// Statements that failed because of the structure or a missing right → reloads, limited so that no caller can force many.
import { setTimeout as pause } from 'node:timers/promises'

/** After a reload that found no new structure, the next one waits this long. */
const QUIET_MS = 1000

export interface RecoveryOptions {
  readonly reload: () => Promise<void>
  /** Changes with each new structure. */
  readonly revision: () => number
}

/** Callers share a pending reload. During one, which may have looked too early, they share the next. */
export const shareRecovery = ({ reload, revision }: RecoveryOptions): (() => Promise<void>) => {
  let quietUntil = 0
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  const recover = async (before: Promise<void>): Promise<void> => {
    const asked = revision()
    await before.catch(() => undefined)
    if (performance.now() < quietUntil) await pause(quietUntil - performance.now())
    next = undefined
    try {
      await reload()
    } finally {
      if (revision() === asked) quietUntil = performance.now() + QUIET_MS
    }
  }

  return () => {
    if (next === undefined) {
      next = recover(last)
      last = next
    }
    return next
  }
}
