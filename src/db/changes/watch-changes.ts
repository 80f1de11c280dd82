// A server's change log → told of every change soon after it was made: which table, and which masjid's rows. Asks only while somebody
// wants to know.
import type { Logger } from '../../base/log.ts'
import type { Connection } from '../connection.ts'
import { readPosition } from '../replicas/wal-position.ts'
import { type ChangeReader, createChangeReader, type Found } from './change-reader.ts'
import type { Changed, Changes } from './check-statements.ts'

export interface ChangeListener {
  /** Rows of these tables changed. */
  onChanges(changed: readonly Changed[]): void
  /** Tables, functions, policies or rights changed. */
  onStructure(): void
  /** Something may have been missed: anything may have changed. */
  onGap(): void
}

export interface ChangeWatch {
  /** Resolves when every change that is made from now on will be told; rejects if that takes too long. One listener at a time. */
  start(listener: ChangeListener): Promise<void>
  stop(): void
  /** Where the server was in its write-ahead log when it was last asked: everything that was told is before that. */
  readonly position: bigint | undefined
  close(): Promise<void>
}

export interface ChangeWatchOptions {
  readonly connection: Connection
  readonly log: Logger
  readonly everyMs: number
}

const STUCK_MS = 2000

export const createChangeWatch = ({ connection, log, everyMs }: ChangeWatchOptions): ChangeWatch => {
  let reader: ChangeReader | undefined
  let timer: NodeJS.Timeout | undefined
  let listener: ChangeListener | undefined
  let started = Promise.withResolvers<void>()
  let position: bigint | undefined
  /** By `performance.now()`; undefined while nothing is asked. */
  let askedAt: number | undefined

  const tell = ({ structure, changed }: Changes, isGap: boolean): void => {
    if (isGap) listener?.onGap()
    else if (structure) listener?.onStructure()
    else if (changed.length > 0) listener?.onChanges(changed)
  }

  const take = ({ changes, isGap }: Found): void => {
    if (changes === undefined) return
    position = readPosition(changes.position)
    started.resolve()
    tell(changes, isGap)
  }

  const read = (from: ChangeReader): void => {
    askedAt = performance.now()
    from.read(found => {
      askedAt = undefined
      if (found !== undefined) take(found)
    })
  }

  /** The server is frozen, or the network lost what was sent. */
  const dropIfStuck = (since: number): void => {
    if (performance.now() - since > STUCK_MS) reader?.drop()
  }

  const look = (): void => {
    if (timer === undefined) return
    if (askedAt !== undefined) dropIfStuck(askedAt)
    else if (reader?.ready === true) read(reader)
  }

  const open = (): ChangeReader =>
    createChangeReader({
      connection,
      log,
      consequence: 'subscriptions wait',
      onForgotten: () => undefined,
      onReady: look,
    })

  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
    listener = undefined
    reader?.forget()
  }

  return {
    start: wanted => {
      listener = wanted
      if (timer !== undefined) return started.promise
      started = Promise.withResolvers()
      timer = setInterval(look, everyMs).unref()
      reader ??= open()
      look()
      return started.promise
    },
    stop,
    get position() {
      return position
    },
    close: async () => {
      stop()
      await reader?.close()
    },
  }
}
