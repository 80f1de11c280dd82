// A server's change log → which tables have changed since a moment, as of some moment after one asked.
//
// Checks have numbers, and a check marks every table that changed since the one before with its own number. What was read after check n
// was complete is still true at check m if none of its tables has a mark above n: whatever the reading saw that check n had not seen,
// a later check up to m has seen too.
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
  /** Resolves when a structure that was read after the call is in force. */
  readonly onStructure: () => Promise<void>
  /** How far a replica is in the write-ahead log; it returns undefined while the replica is left out. None for the primary. */
  readonly position?: (() => bigint | undefined) | undefined
}

/** A check takes a fraction of a millisecond. Whoever waits this long asks the database itself. */
const PATIENCE_MS = 250
/** Without requests too: otherwise changes would gather until somebody asks. */
const CHECK_EVERY_MS = 1000
const RETRY_MS = 1000

export const createChangeChecker = (options: ChangeCheckerOptions): ChangeChecker => {
  const { connection, log, onStructure, position } = options
  const epochs = createEpochs()
  let sent = 0
  let isPaused = false
  let closed = false

  /** Until the structure is read again, nobody knows which tables still log their changes. */
  const pause = async (): Promise<void> => {
    reader.forget()
    if (isPaused) return
    isPaused = true
    while (!closed && !(await readStructure())) await new Promise(resolve => setTimeout(resolve, RETRY_MS).unref())
    isPaused = false
    await runs.ask()
  }

  const readStructure = (): Promise<boolean> =>
    onStructure().then(
      () => true,
      error => {
        log.warn({ err: error }, 'the structure could not be read; nothing is answered from memory')
        return false
      },
    )

  const take = ({ changes, isGap }: Found): void => {
    if (changes === undefined) epochs.confirm()
    else if (!changes.heard) epochs.forget()
    else if (changes.structure) void pause()
    else epochs.add(reader.server ?? '', changes.changed, isGap)
  }

  const run = (done: (epoch: Epoch | undefined) => void): void => {
    if (closed || isPaused || !reader.ready) return void done(undefined)
    sent += 1
    reader.read(found => {
      if (found !== undefined) take(found)
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
