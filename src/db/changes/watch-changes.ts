// A server's change log → told of every change soon after it was made: which table, and which masjid's rows. Asks only while somebody
// wants to know, and asks for the log only if a transaction has ended since.
import type { Logger } from '../../base/log.ts'
import type { Connection } from '../connection.ts'
import { createReaderConnection, type ReaderConnection } from '../reader-connection.ts'
import { readPosition } from '../replicas/wal-position.ts'
import type { TextStatement } from '../text-channel.ts'
import { snapshotStatement } from './check-statements.ts'
import type { Seen } from './snapshot.ts'
import { readWatched, type WatchedChanges, watchStatement } from './watch-statement.ts'

export interface ChangeListener {
  /** Rows of these tables changed: by qualified name, the masjids; null is none of them or unknown. */
  onChanges(changed: WatchedChanges['changed']): void
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

const STATEMENT_MS = 1000
const STUCK_MS = 2000
/** By the database's clock, as this process may have been suspended: the log keeps its rows for longer. */
const LONGEST_GAP_SECONDS = 600

export const createChangeWatch = ({ connection: target, log, everyMs }: ChangeWatchOptions): ChangeWatch => {
  let connection: ReaderConnection | undefined
  let timer: NodeJS.Timeout | undefined
  let listener: ChangeListener | undefined
  let started = Promise.withResolvers<void>()
  let seen: Seen | undefined
  let seconds = 0
  let position: bigint | undefined
  /** By `performance.now()`; undefined while nothing is asked. */
  let askedAt: number | undefined
  let isFailing = false

  const lose = (error: Error): void => {
    if (!isFailing) log.warn({ err: error }, 'the change log could not be read; subscriptions wait')
    isFailing = true
    seen = undefined
  }

  const take = (changes: WatchedChanges): void => {
    const isGap = seen === undefined || changes.overrun || Math.abs(changes.seconds - seconds) > LONGEST_GAP_SECONDS
    seen = { snapshot: changes.snapshot, standby: false, known: [] }
    seconds = changes.seconds
    position = readPosition(changes.position)
    isFailing = false
    started.resolve()
    if (isGap) listener?.onGap()
    else if (changes.structure) listener?.onStructure()
    else if (changes.changed.length > 0) listener?.onChanges(changes.changed)
  }

  /** `use` returns whether there is more to ask. */
  const ask = (statement: TextStatement, use: (text: string) => boolean): void => {
    askedAt = performance.now()
    const before = seen
    connection?.send(statement, (error, text) => {
      askedAt = undefined
      if (error !== undefined) lose(error)
      else if (seen === before && use(text)) askForChanges()
    })
  }

  const askForChanges = (): void =>
    ask(watchStatement(seen), text => {
      take(readWatched(text))
      return false
    })

  /** The server is frozen, or the network lost what was sent. */
  const dropIfStuck = (since: number): void => {
    if (performance.now() - since > STUCK_MS) connection?.drop()
  }

  const look = (): void => {
    if (askedAt !== undefined) dropIfStuck(askedAt)
    else if (connection?.ready !== true) return
    else if (seen === undefined) askForChanges()
    else ask(snapshotStatement, text => text !== seen?.snapshot)
  }

  const open = (): ReaderConnection =>
    createReaderConnection({
      connection: target,
      log,
      statementTimeoutMs: STATEMENT_MS,
      lockTimeoutMs: STATEMENT_MS,
      // It may lead to another server, or to the same with another past.
      onReady: () => {
        seen = undefined
        askedAt = undefined
        look()
      },
    })

  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
    listener = undefined
    seen = undefined
  }

  return {
    start: wanted => {
      listener = wanted
      if (timer !== undefined) return started.promise
      started = Promise.withResolvers()
      connection ??= open()
      timer = setInterval(look, everyMs).unref()
      look()
      return started.promise
    },
    stop,
    get position() {
      return position
    },
    close: async () => {
      stop()
      await connection?.close()
    },
  }
}
