// A server's change log → what has become visible in it since it was last read, over a connection of its own.
import type { Logger } from '../../base/log.ts'
import type { Connection } from '../connection.ts'
import { createReaderConnection, type ReaderConnection } from '../reader-connection.ts'
import type { TextStatement } from '../text-channel.ts'
import { type Changes, changesStatement, readChanges, snapshotStatement } from './check-statements.ts'
import { createProgress } from './progress.ts'

export interface Found {
  /** Undefined if nothing has become visible. */
  readonly changes: Changes | undefined
  /** Something may have been missed before: this is the first time, or the log no longer has all of it. */
  readonly isGap: boolean
}

export interface ChangeReader extends Pick<ReaderConnection, 'ready' | 'server' | 'drop'> {
  /** One at a time. Calls back with undefined if it failed, or if what it starts from was forgotten in the meantime. */
  read(done: (found: Found | undefined) => void): void
  /** Whatever was seen so far no longer counts. */
  forget(): void
  close(): Promise<void>
}

export interface ChangeReaderOptions {
  readonly connection: Connection
  readonly log: Logger
  /** What follows while the log cannot be read, in words. */
  readonly consequence: string
  readonly onForgotten: () => void
  readonly onReady: () => void
}

const STATEMENT_MS = 1000

export const createChangeReader = (options: ChangeReaderOptions): ChangeReader => {
  const { log, consequence, onForgotten, onReady } = options
  const progress = createProgress()
  let isFailing = false
  let closed = false

  const forget = (): void => {
    progress.forget()
    onForgotten()
  }

  /** The connection, or what it returned, cannot be relied on. */
  const fail = (error: Error): void => {
    if (!isFailing && !closed) log.warn({ err: error }, `the change log could not be read; ${consequence}`)
    isFailing = true
    forget()
  }

  type Done = (found: Found | undefined) => void

  const ask = (statement: TextStatement, done: Done, use: (text: string) => void): void => {
    const before = progress.seen
    connection.send(statement, (error, text) => {
      if (error !== undefined) fail(error)
      if (error !== undefined || progress.seen !== before) done(undefined)
      else use(text)
    })
  }

  const askForChanges = (done: Done): void =>
    ask(changesStatement(progress.seen), done, text => {
      const changes = readChanges(text, progress.seen)
      isFailing = false
      done({ changes, isGap: progress.take(changes) })
    })

  /** Cheaper, and mostly enough while little is written. */
  const askForSnapshot = (done: Done): void =>
    ask(snapshotStatement, done, text => {
      if (text === progress.seen?.snapshot) done({ changes: undefined, isGap: false })
      else askForChanges(done)
    })

  const connection = createReaderConnection({
    connection: options.connection,
    log,
    statementTimeoutMs: STATEMENT_MS,
    lockTimeoutMs: STATEMENT_MS,
    // It may lead to another server, or to the same with another past.
    onReady: () => {
      forget()
      onReady()
    },
  })

  return {
    get ready() {
      return connection.ready
    },
    get server() {
      return connection.server
    },
    read: done => (progress.isQuiet ? askForSnapshot(done) : askForChanges(done)),
    forget,
    drop: connection.drop,
    close: () => {
      closed = true
      return connection.close()
    },
  }
}
