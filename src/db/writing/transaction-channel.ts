// A connected driver client → whole transactions in, the text of each statement out. Settings and statements leave in one
// packet that ends in one sync, so that a transaction of any length takes one round trip.
// https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
import type pg from 'pg'
import { createPreparedStatements, type SentStatement, type Settings } from '../prepared-statements.ts'
import { isUnconfirmed, unconfirmed } from '../unconfirmed-commit.ts'
import { takeSocket } from '../wire/driver-seam.ts'
import { createIncoming } from '../wire/incoming.ts'
import { createOutgoing } from '../wire/outgoing.ts'

/** Commits if every statement succeeds; otherwise nothing of it remains. */
export interface Transaction {
  /** Local to the transaction. */
  readonly settings: Settings
  readonly statements: readonly SentStatement[]
}

export interface Failure {
  readonly error: Error
  /** The index of the statement that failed; the number of statements if the commit did. */
  readonly at: number
  /** The connection was lost before the outcome was known: it may have been committed. */
  readonly unknown: boolean
  /** The server closed the connection before it came to the transaction, which can be sent again. */
  readonly unseen: boolean
}

export interface TransactionResult {
  /** The first column of the last row of each finished statement; '' if it returned none. */
  readonly texts: readonly string[]
  readonly failure: Failure | undefined
}

export interface TransactionChannel {
  readonly busy: boolean
  /** One at a time. */
  run(transaction: Transaction): Promise<TransactionResult>
  /** Ends the running transaction, if there is one: the connection is lost. */
  fail(error: Error): void
  destroy(error: Error): void
}

interface Running {
  readonly transaction: Transaction
  readonly finish: (result: TransactionResult) => void
  readonly parsing: string[]
  readonly texts: string[]
  /** Finished statements; the settings are the first. */
  completed: number
  text: string
  error: Error | undefined
  /** It is committed here, but a failover would lose it. */
  isUnconfirmed: boolean
}

/** The settings are not one of the caller's statements; an error in them counts as one of the first. */
const indexOf = ({ completed }: Running): number => Math.max(0, completed - 1)

const isFatal = (error: Error): boolean => (error as pg.DatabaseError).severity !== 'ERROR'

export const openTransactionChannel = (client: pg.Client): TransactionChannel => {
  const outgoing = createOutgoing()
  const statements = createPreparedStatements(outgoing)
  let running: Running | undefined

  const finish = (failure: Failure | undefined): void => {
    const ended = running
    running = undefined
    ended?.finish({ texts: ended.texts, failure })
  }

  const complete = (): void => {
    if (running === undefined) return
    if (running.completed > 0) running.texts.push(running.text)
    running.completed += 1
    running.text = ''
  }

  const take = createIncoming({
    parsed: () => void running?.parsing.shift(),
    row: text => {
      if (running !== undefined) running.text = text
    },
    completed: complete,
    failed: error => {
      if (running === undefined) return
      running.error ??= error
      const used = running.transaction.statements.map(({ name }) => name)
      statements.forget(running.parsing, used, error)
    },
    noticed: notice => {
      if (running !== undefined && isUnconfirmed(notice)) running.isUnconfirmed = true
    },
    ready: () => {
      if (running === undefined) return
      const { error } = running
      const at = indexOf(running)
      if (running.isUnconfirmed) return finish({ error: unconfirmed(), at, unknown: true, unseen: false })
      finish(error === undefined ? undefined : { error, at, unknown: false, unseen: false })
    },
  })
  // Bytes that cannot be parsed end only this connection; it is reopened.
  const socket = takeSocket(client, bytes => {
    try {
      take(bytes)
    } catch (error) {
      socket.destroy(error as Error)
    }
  })

  /** PostgreSQL answers in order: if it gave up before the last statement was finished, it never came to the commit. */
  const gaveUpEarly = (lost: Running): boolean =>
    lost.error !== undefined && isFatal(lost.error) && indexOf(lost) < lost.transaction.statements.length

  return {
    get busy() {
      return running !== undefined
    },
    run: transaction =>
      new Promise(resolve => {
        running = {
          transaction,
          finish: resolve,
          parsing: [],
          texts: [],
          completed: 0,
          text: '',
          error: undefined,
          isUnconfirmed: false,
        }
        statements.writeSettings(transaction.settings, running.parsing)
        for (const statement of transaction.statements) statements.write(statement, running.parsing)
        outgoing.sync()
        socket.write(outgoing.take())
      }),
    fail: error => {
      if (running === undefined) return
      const early = gaveUpEarly(running)
      finish({
        error: running.error ?? error,
        at: indexOf(running),
        unknown: !early,
        unseen: early && running.completed === 0,
      })
    },
    destroy: error => socket.destroy(error),
  }
}
