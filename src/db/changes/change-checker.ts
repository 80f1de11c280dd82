// A server's change log → which tables have changed since a moment, as of some moment after one asked.
//
// Checks have numbers, and a check marks every table that changed since the one before with its own number. What was read after check n
// was complete is still true at check m if none of its tables has a mark above n: whatever the reading saw that check n had not seen,
// a later check up to m has seen too.
//
// Which tables log their changes is part of the structure. So whenever something may have been missed, or the structure changed, it is
// read after a check, and counts once the check after that has found that it did not change meanwhile.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../base/log.ts'
import type { Connection } from '../connection.ts'
import { createChangeReader, type Found } from './change-reader.ts'
import { createEpochs, type Epoch } from './epoch.ts'
import { shareRuns } from './share-runs.ts'

/** A moment before something is read. */
export interface CheckPoint {
  readonly checker: ChangeChecker
  readonly epoch: Epoch
  readonly check: number
  /** How far the server was in the write-ahead log; undefined for the primary, which is always ahead. */
  readonly position: bigint | undefined
}

export interface ChangeChecker {
  /** For what is about to be read over a connection to that server; undefined if changes to it could be missed. */
  pointFor(server: string | undefined): CheckPoint | undefined
  /** Resolves when a check that was sent after this call is complete; with undefined if there was none in time. */
  check(): Promise<Epoch | undefined>
  readonly epoch: Epoch | undefined
  /** Whether it has everything up to a position in the write-ahead log. */
  hasReached(position: bigint): boolean
  /** Checks that were sent. */
  readonly sent: number
  close(): Promise<void>
}

export interface ChangeCheckerOptions {
  readonly connection: Connection
  readonly log: Logger
  /** Resolves when a structure that was read after the call is in force, with how far the primary was then in its write-ahead log. */
  readonly onStructure: () => Promise<bigint>
  /** How far a replica is in the write-ahead log; it returns undefined while the replica is left out. None for the primary. */
  readonly position?: (() => bigint | undefined) | undefined
}

/** A check takes a fraction of a millisecond. Whoever waits this long asks the database itself. */
const PATIENCE_MS = 250
/** Without requests too: otherwise changes would gather until somebody asks. */
const CHECK_EVERY_MS = 1000
const RETRY_MS = 1000
/** Reading the structure costs about half a second. */
const MOST_RETRY_MS = 30_000

export const createChangeChecker = (options: ChangeCheckerOptions): ChangeChecker => {
  const { connection, log, onStructure, position } = options
  const epochs = createEpochs()
  let sent = 0
  let isPaused = false
  let closed = false

  /** From where on a server has had every change of structure that the one in force may have been read after. */
  let from = 0n

  /** What was seen until now is kept: the next check finds whatever changes while the structure is read. */
  const pause = async (): Promise<void> => {
    epochs.forget()
    isPaused = true
    await readStructure()
    isPaused = false
    await runs.ask()
  }

  const readStructure = async (): Promise<void> => {
    for (let tried = 0; !closed; tried += 1)
      try {
        from = await onStructure()
        return
      } catch (error) {
        if (tried === 0) log.warn({ err: error }, 'the structure could not be read; nothing is answered from memory')
        await delay(Math.min(RETRY_MS * 2 ** tried, MOST_RETRY_MS), undefined, { ref: false })
      }
  }

  const take = ({ changes, isGap }: Found, hasStructure: boolean): void => {
    if (changes?.heard === false) reader.forget()
    else if (isGap || changes?.structure) void pause()
    else if (hasStructure) epochs.add(reader.server ?? '', changes?.changed ?? [])
  }

  const run = (done: (epoch: Epoch | undefined) => void): void => {
    if (closed || isPaused || !reader.ready) return void done(undefined)
    sent += 1
    const hasStructure = checker.hasReached(from)
    reader.read(found => {
      if (found !== undefined) take(found, hasStructure)
      done(found && epochs.current)
    })
  }

  const reader = createChangeReader({
    connection,
    log,
    consequence: 'nothing is answered from memory',
    onForgotten: epochs.forget,
    onReady: () => void runs.ask(),
  })
  const runs = shareRuns<Epoch>({ run, patienceMs: PATIENCE_MS, onStuck: reader.drop })
  const heartbeat = setInterval(() => runs.isIdle && void runs.ask(), CHECK_EVERY_MS).unref()

  const isLeftOut = (): boolean => position !== undefined && position() === undefined

  const checker: ChangeChecker = {
    pointFor: server => {
      const epoch = epochs.current
      if (epoch === undefined || epoch.server !== server || isLeftOut()) return undefined
      return { checker, epoch, check: epoch.check, position: position?.() }
    },
    check: runs.ask,
    get epoch() {
      return epochs.current
    },
    hasReached: wanted => position === undefined || (position() ?? -1n) >= wanted,
    get sent() {
      return sent
    },
    close: async () => {
      closed = true
      clearInterval(heartbeat)
      runs.close()
      await reader.close()
    },
  }
  return checker
}
