// Statements that failed on the structure or on a right → reloads, so few that no caller can force them at will.
import { setTimeout as pause } from 'node:timers/promises'

/** After a reload that brought no new structure, the next waits so long. */
const QUIET_MS = 1000

export interface RecoveryOptions {
  readonly reload: () => Promise<void>
  /** Another number with each new structure. */
  readonly revision: () => number
}

/** Whoever asks while a reload waits shares it; during one, as it may have looked too early, the next. */
export const shareRecovery = ({ reload, revision }: RecoveryOptions): (() => Promise<void>) => {
  let quietUntil = 0
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  const recover = async (before: Promise<void>): Promise<void> => {
    const asked = revision()
    await before.catch(() => undefined)
    if (Date.now() < quietUntil) await pause(quietUntil - Date.now())
    next = undefined
    try {
      await reload()
    } finally {
      if (revision() === asked) quietUntil = Date.now() + QUIET_MS
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
