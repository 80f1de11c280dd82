// One pipelined connection of the reader role: statements in, texts out, in order. Reopens itself when lost.
import type pg from 'pg'
import type { Logger } from '../base/log.ts'
import { cancelBackend } from './cancel-backend.ts'
import { type Connection, connectMs, toPrimary } from './connection.ts'
import { endWithHost, whenPrimaryMoves } from './end-with-host.ts'
import { SilentServer } from './reading-errors.ts'
import { type Done, openTextChannel, type TextChannel, type TextStatement } from './text-channel.ts'
import { createDriverClient } from './wire/driver-seam.ts'

/** Called when nobody waits for the result any more. */
export interface Abandonment {
  add(listener: () => void): void
  delete(listener: () => void): void
}

export interface ReaderConnection {
  /** Whether it accepts statements: not while it is down, or while one of its statements is being cancelled. */
  readonly ready: boolean
  /** When its first statement started running; 0 if there is none. */
  readonly headSince: number
  /** Which server it is connected to: the same text for all connections to it, another after it was restarted. */
  readonly server: string | undefined
  send(statement: TextStatement, done: Done): void
  /** Cancels the running statement. For connections that have one statement at a time. */
  cancel(): void
  /** Gives the connection up, as its server does not answer; it is reopened. */
  drop(): void
  close(): Promise<void>
}

export interface ReaderConnectionOptions {
  readonly connection: Connection
  readonly log: Logger
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  /** SQL that is run once when it is opened, whatever becomes of it: what it reads of the catalogue, no visitor waits for. */
  readonly rehearsal?: string | undefined
  readonly onReady: () => void
}

/** Set once connected, not as parameters of the connection: poolers refuse those that they do not know. */
const settings: readonly (readonly [name: string, value: string])[] = [
  ['jit', 'off'],
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO'],
  ['IntervalStyle', 'postgres'],
  ['default_transaction_read_only', 'on'],
]
const RETRY_MS = [50, 100, 250, 500, 1000, 2000] as const

interface Wanted {
  readonly limits: typeof settings
  readonly rehearsal: string | undefined
}

interface Opened {
  readonly client: pg.Client
  readonly channel: TextChannel
  readonly processId: number
  readonly server: string
}

/** A failover, a restore or a balancer may lead the next connection to another server. */
const SERVER = `concat_ws(' ', extract(epoch from pg_postmaster_start_time()), inet_server_addr(), inet_server_port())`

/** The time limits are set last: with them, a busy machine might not even manage to connect. */
const connect = async (client: pg.Client, { limits, rehearsal }: Wanted): Promise<Opened> => {
  await client.connect()
  const all = [...settings, ...limits]
  const set = all.map((_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, false)`)
  const { rows } = await client.query<{ id: number; server: string }>(
    `select pg_backend_pid() as id, ${SERVER} as server, ${set.join(', ')}`,
    all.flat(),
  )
  const [{ id, server } = { id: 0, server: '' }] = rows
  // After an error the server has one more message for the driver: another statement waits for it, so that it is nobody's answer.
  if (rehearsal !== undefined) await client.query(rehearsal).catch(() => client.query('select'))
  return { client, processId: id, server, channel: openTextChannel(client) }
}

export const createReaderConnection = (options: ReaderConnectionOptions): ReaderConnection => {
  const { connection, log, onReady, statementTimeoutMs, lockTimeoutMs, rehearsal } = options
  const limits = [
    ['lock_timeout', String(lockTimeoutMs)],
    ['statement_timeout', String(statementTimeoutMs)],
  ] as const
  let opened: Opened | undefined
  let cancelling = false
  let closed = false
  let attempts = 0
  let timer: NodeJS.Timeout | undefined

  const retry = (): void => {
    const wait = RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)]
    attempts += 1
    timer = setTimeout(open, wait)
    timer.unref()
  }

  /** Nothing that failed before says anything about the new primary. */
  const forgetMoves = whenPrimaryMoves(connection, () => {
    attempts = 0
    if (timer === undefined) return
    clearTimeout(timer)
    void open()
  })

  const stop = (): void => {
    closed = true
    clearTimeout(timer)
    forgetMoves()
  }

  const lose = (client: pg.Client, error: unknown): void => {
    if (opened?.client !== client) return
    const { channel } = opened
    opened = undefined
    client.end().catch(() => undefined)
    channel.fail(error instanceof Error ? error : new Error('the reader connection was closed'))
    if (closed) return
    log.warn({ err: error }, 'a reader connection was lost; reopening it')
    retry()
  }

  const open = async (): Promise<void> => {
    timer = undefined
    const patienceMs = connectMs(connection, attempts)
    const client = createDriverClient({
      ...toPrimary(connection),
      application_name: 'minaret reader',
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
    })
    endWithHost(client, connection)
    client.on('error', error => lose(client, error))
    client.on('end', () => lose(client, undefined))
    try {
      opened = await connect(client, { limits, rehearsal })
    } catch (error) {
      log.warn({ err: error }, 'a reader connection could not be opened')
      client.end().catch(() => undefined)
      if (!closed) retry()
      return
    }
    if (closed) return void client.end().catch(() => undefined)
    attempts = 0
    onReady()
  }

  /** Ready again only once the cancel request has finished: it must not hit the next statement. */
  const cancel = (): void => {
    if (cancelling || opened === undefined || opened.channel.length === 0) return
    cancelling = true
    cancelBackend(connection, opened.processId)
      .catch(error => log.warn({ err: error }, 'a statement could not be cancelled'))
      .finally(() => {
        cancelling = false
        if (opened !== undefined) onReady()
      })
  }

  open()
  return {
    get ready() {
      return opened !== undefined && !cancelling
    },
    get headSince() {
      return opened?.channel.headSince ?? 0
    },
    get server() {
      return opened?.server
    },
    send: (statement, done) => {
      if (opened === undefined) done(new Error('the reader connection is not ready'), '', 0)
      else opened.channel.send(statement, done)
    },
    cancel,
    drop: () => opened?.channel.drop(new SilentServer()),
    close: async () => {
      stop()
      await opened?.client.end().catch(() => undefined)
    },
  }
}
