// One connection of a writing role: one transaction at a time. Opened when first needed, and again after it was lost.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../../base/log.ts'
import { cancelBackend } from '../cancel-backend.ts'
import type { Connection } from '../connection.ts'
import { createDriverClient } from '../wire/driver-seam.ts'
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
  /** How long a whole transaction may take. */
  readonly deadlineMs: number
}

export interface WriterConnectionOptions {
  readonly connection: Connection
  readonly log: Logger
  readonly times: WriterTimes
}

export interface WriterConnection {
  /** Rejects only if nothing was sent: the database could not be reached. */
  run(transaction: Transaction): Promise<TransactionResult>
  close(): Promise<void>
}

const CONNECT_MS = 5000
/** Nothing has been sent yet, so connecting may be tried again: a server that restarts is back within a moment. */
const RETRY_MS = [100, 400] as const
/** If cancelling does not end a transaction within this time, its connection is closed. */
const CANCEL_MS = 2000

interface Opened {
  readonly client: pg.Client
  readonly channel: TransactionChannel
  readonly processId: number
}

/** Nothing we send leaves a transaction open between packets; the limit is for what we did not think of. */
const sessionOptions = ({ lockTimeoutMs, deadlineMs }: WriterTimes): string =>
  [
    'jit=off',
    'TimeZone=UTC',
    'DateStyle=ISO',
    'IntervalStyle=postgres',
    `lock_timeout=${lockTimeoutMs}`,
    `idle_in_transaction_session_timeout=${deadlineMs}`,
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

  const lose = (client: pg.Client, error: unknown): void => {
    if (opened?.client !== client) return
    const { channel } = opened
    opened = undefined
    client.end().catch(() => undefined)
    if (channel.busy) log.warn({ err: error }, 'a writer connection was lost during a transaction')
    channel.fail(error instanceof Error ? error : new Error('the writer connection was closed'))
  }

  const open = async (): Promise<Opened> => {
    const client = createDriverClient({
      ...connection,
      statement_timeout: CONNECT_MS,
      options: sessionOptions(times),
      application_name: 'minaret writer',
      connectionTimeoutMillis: CONNECT_MS,
    })
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
    for (const wait of RETRY_MS) {
      try {
        return await open()
      } catch (error) {
        log.warn({ err: error }, 'a writer connection could not be opened')
        await delay(wait)
      }
    }
    return open()
  }

  /** The next transaction waits for this: a late cancel request must not hit it. */
  const cancel = async ({ processId, channel }: Opened): Promise<void> => {
    await cancelBackend(connection, processId).catch(error =>
      log.warn({ err: error }, 'a transaction could not be cancelled'),
    )
    if (!channel.busy) return
    setTimeout(() => {
      if (channel.busy) channel.destroy(new Error('a transaction went on after it was cancelled'))
    }, CANCEL_MS).unref()
  }

  const run = async (transaction: Transaction): Promise<TransactionResult> => {
    const current = opened ?? (await openPatiently())
    let cancelling: Promise<void> | undefined
    const timer = setTimeout(() => {
      cancelling = cancel(current)
    }, times.deadlineMs)
    const result = await current.channel.run(transaction)
    clearTimeout(timer)
    await cancelling
    return result
  }

  return {
    run,
    close: async () => {
      await opened?.client.end().catch(() => undefined)
    },
  }
}
