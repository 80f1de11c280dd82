// One connection of a writing role: one transaction at a time. Opened when first needed, and again after it was lost.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../../base/log.ts'
import { cancelBackend } from '../cancel-backend.ts'
import { type Connection, connectMs, toPrimary } from '../connection.ts'
import { endWithHost } from '../end-with-host.ts'
import { createDriverClient } from '../wire/driver-seam.ts'
import { withinDeadline } from '../within-deadline.ts'
import {
  openTransactionChannel,
  type Transaction,
  type TransactionChannel,
  type TransactionResult,
} from './transaction-channel.ts'

interface WriterTimes {
  readonly statementTimeoutMs: number
  /** How long a statement waits for a row that another transaction holds. */
  readonly lockTimeoutMs: number
  /** How long a transaction may stay open without a statement. */
  readonly idleMs: number
}

export interface WriterConnectionOptions {
  readonly connection: Connection
  readonly log: Logger
  readonly times: WriterTimes
}

export interface WriterConnection {
  /** Rejects only if nothing was sent: the database could not be reached. Ends within `ms`. */
  run(transaction: Transaction, ms: number): Promise<TransactionResult>
  close(): Promise<void>
}

/** Nothing has been sent yet, so connecting may be tried again: a server that restarts is back within a moment. */
const RETRY_MS = [100, 400] as const
/** A transaction is cancelled this long before its time is up; if that does not end it, its connection is closed. */
const CANCEL_MS = 500

interface Opened {
  readonly client: pg.Client
  readonly channel: TransactionChannel
  readonly processId: number
}

/** Nothing we send leaves a transaction open between packets; the limit is for what we did not think of. */
const sessionOptions = ({ lockTimeoutMs, idleMs }: WriterTimes): string =>
  [
    'jit=off',
    'TimeZone=UTC',
    'DateStyle=ISO',
    'IntervalStyle=postgres',
    `lock_timeout=${lockTimeoutMs}`,
    `idle_in_transaction_session_timeout=${idleMs}`,
  ]
    .map(setting => `-c ${setting}`)
    .join(' ')

/** The time limit is set last: with it, a busy machine might not even manage to connect. */
const connect = async (client: pg.Client, statementTimeoutMs: number): Promise<Opened> => {
  await client.connect()
  const { rows } = await client.query<{ id: number }>(
    "select pg_backend_pid() as id, set_config('statement_timeout', $1, false)",
    [String(statementTimeoutMs)],
  )
  return { client, processId: rows[0]?.id ?? 0, channel: openTransactionChannel(client) }
}

export const createWriterConnection = ({ connection, log, times }: WriterConnectionOptions): WriterConnection => {
  let opened: Opened | undefined
  let opening: Promise<Opened> | undefined

  const lose = (client: pg.Client, error: unknown): void => {
    if (opened?.client !== client) return
    const { channel } = opened
    opened = undefined
    client.end().catch(() => undefined)
    if (channel.busy) log.warn({ err: error }, 'a writer connection was lost during a transaction')
    channel.fail(error instanceof Error ? error : new Error('the writer connection was closed'))
  }

  const open = async (failed = 0): Promise<Opened> => {
    const client = createDriverClient({
      ...toPrimary(connection),
      statement_timeout: connectMs(connection, failed),
      options: sessionOptions(times),
      application_name: 'minaret writer',
      connectionTimeoutMillis: connectMs(connection, failed),
    })
    endWithHost(client, connection)
    client.on('error', error => lose(client, error))
    client.on('end', () => lose(client, undefined))
    try {
      opened = await connect(client, times.statementTimeoutMs)
      return opened
    } catch (error) {
      client.end().catch(() => undefined)
      throw error
    }
  }

  const openPatiently = async (): Promise<Opened> => {
    for (const [failed, wait] of RETRY_MS.entries()) {
      try {
        return await open(failed)
      } catch (error) {
        log.warn({ err: error }, 'a writer connection could not be opened')
        await delay(wait)
      }
    }
    return open(RETRY_MS.length)
  }

  /** One attempt at a time, also if nobody waits for it any more. */
  const openOnce = (): Promise<Opened> => {
    opening ??= openPatiently().finally(() => {
      opening = undefined
    })
    return opening
  }

  const cancel = ({ processId }: Opened): Promise<void> =>
    cancelBackend(connection, processId).catch(error =>
      log.warn({ err: error }, 'a transaction could not be cancelled'),
    )

  /** A connection that was cancelled is not used again: a late cancel request must not hit the next transaction. */
  const runOnce = async (transaction: Transaction, ms: number): Promise<TransactionResult> => {
    const until = performance.now() + ms
    const current = opened ?? (await withinDeadline(ms, openOnce()))
    const left = until - performance.now()
    let cancelled = false
    const cancelling = setTimeout(() => {
      cancelled = true
      void cancel(current)
    }, left - CANCEL_MS)
    const closing = setTimeout(() => current.channel.destroy(new Error(`not done within ${ms} ms`)), left)
    const result = await current.channel.run(transaction)
    clearTimeout(cancelling)
    clearTimeout(closing)
    if (cancelled) lose(current.client, undefined)
    return result
  }

  /** A server that restarted may have closed the connection while nothing was going on. */
  const run = async (transaction: Transaction, ms: number): Promise<TransactionResult> => {
    const until = performance.now() + ms
    const result = await runOnce(transaction, ms)
    if (!result.failure?.unseen) return result
    return runOnce(transaction, until - performance.now())
  }

  return {
    run,
    close: async () => {
      await opened?.client.end().catch(() => undefined)
    },
  }
}
