// What checks found, one after the other → which tables changed since which check.
import type { Changes } from './check-statements.ts'
import type { Seen } from './snapshot.ts'

/** Everything known since the connection was opened, or since something may have been missed. */
export interface Epoch {
  /** The server's identity, as its connections tell it. */
  readonly server: string
  /** The number of the last complete check. */
  check: number
  /** The number of the last check that found a change. */
  lastMark: number
  /** By qualified table name: the number of the last check that found it changed. */
  readonly marks: Map<string, number>
}

export interface Epochs {
  readonly current: Epoch | undefined
  /** What the next check starts from. */
  readonly seen: Seen | undefined
  /** The last two checks saw the same snapshot: the next one probably does too. */
  readonly isQuiet: boolean
  /** The snapshot is still the one that was seen: nothing has become visible since. */
  confirm(): void
  add(server: string, changes: Changes): void
  /** Something may have been missed. */
  forget(): void
}

/** By the database's clock, as this process may have been suspended: the log keeps its rows for longer. */
const LONGEST_GAP_SECONDS = 600

export const createEpochs = (): Epochs => {
  let current: Epoch | undefined
  let seen: Seen | undefined
  let seconds = 0
  let isQuiet = false

  const mark = (epoch: Epoch, tables: readonly string[]): void => {
    epoch.check += 1
    if (tables.length > 0) epoch.lastMark = epoch.check
    for (const table of tables) epoch.marks.set(table, epoch.check)
  }

  const isGap = (changes: Changes): boolean =>
    changes.overrun || Math.abs(changes.seconds - seconds) > LONGEST_GAP_SECONDS

  return {
    get current() {
      return current
    },
    get seen() {
      return seen
    },
    get isQuiet() {
      return isQuiet
    },
    confirm: () => {
      if (current !== undefined) mark(current, [])
    },
    add: (server, changes) => {
      if (isGap(changes)) current = undefined
      current ??= { server, check: 0, lastMark: 0, marks: new Map() }
      isQuiet = !changes.seen.standby && changes.seen.snapshot === seen?.snapshot
      seen = changes.seen
      seconds = changes.seconds
      mark(current, changes.tables)
    },
    forget: () => {
      current = undefined
      seen = undefined
      isQuiet = false
    },
  }
}
