// What the change log said, one time after the other → what to ask it next, and whether something may have been missed in between.
import type { Changes } from './check-statements.ts'
import type { Seen } from './snapshot.ts'

export interface Progress {
  /** What the next time starts from. */
  readonly seen: Seen | undefined
  /** The last two times had the same snapshot: the next one probably has it too. Never on a standby, where it says nothing. */
  readonly isQuiet: boolean
  /** Returns whether something may have been missed before these changes: always, for the first. */
  take(changes: Changes): boolean
  forget(): void
}

/** By the database's clock, as this process may have been suspended: the log keeps its rows for longer. */
const LONGEST_GAP_SECONDS = 600

export const createProgress = (): Progress => {
  let last: Changes | undefined
  let isQuiet = false

  const isGap = (changes: Changes): boolean =>
    last === undefined || changes.overrun || Math.abs(changes.seconds - last.seconds) > LONGEST_GAP_SECONDS

  return {
    get seen() {
      return last?.seen
    },
    get isQuiet() {
      return isQuiet
    },
    take: changes => {
      const missed = isGap(changes)
      isQuiet = !changes.seen.standby && changes.seen.snapshot === last?.seen.snapshot
      last = changes
      return missed
    },
    forget: () => {
      last = undefined
      isQuiet = false
    },
  }
}
