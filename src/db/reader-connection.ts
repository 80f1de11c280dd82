// One pipelined connection of the reading role: statements in, texts out, in order; it comes back by itself when lost.
import { Socket } from 'node:net'
import pg from 'pg'
import type { Logger } from '../base/log.ts'
import { cancelBackend } from './cancel-backend.ts'
import type { Connection } from './connection.ts'
import { type Done, openTextChannel, type TextChannel, type TextStatement } from './text-channel.ts'
import { createReusingSocket } from './wire/reusing-socket.ts'

/** What is called when nobody waits for the answer any more. */
export interface Abandonment {
  add(listener: () => void): void
  delete(listener: () => void): void
}

export interface ReaderConnection {
  readonly ready: boolean
  /** How much is ahead of a new statement; a statement that has been running for long counts for many. */
  readonly load: number
  read(statement: TextStatement, abandoned: Abandonment | undefined, done: Done): void
  close(): Promise<void>
}

/** Somebody else's statement was cancelled, and this one was hit: it may be sent again. */
export class HitByCancel extends Error {}

export interface ReaderConnectionOptions {
  readonly connection: Connection
  readonly log: Logger
  readonly statementTimeoutMs: number
  readonly onReady: () => void
  /** How long a statement itself ran, without waiting for others. */
  readonly onRan: (statement: TextStatement, milliseconds: number) => void
}

const SETTINGS =
  '-c jit=off -c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c default_transaction_read_only=on'
const LONG_MS = 50
/** The share of the time allowed from which on a statement that was ended is taken to have used it up. */
const IN_TIME = 0.8
const LONG_LOAD = 1000
/** Most statements whose client has left are over by themselves before that. */
const CANCEL_AFTER_MS = 20
const RETRY_MS = [50, 100, 250, 500, 1000, 2000] as const

interface Entry {
  headSince: number
  abandoned: boolean
}

interface State {
  client: pg.Client | undefined
  channel: TextChannel | undefined
  readonly line: Entry[]
  closed: boolean
  /** One at a time: clients that leave in crowds must not open connections in crowds. */
  cancelling: boolean
  attempts: number
  timer: NodeJS.Timeout | undefined
}

/** A secured connection wraps its socket in one that reads for itself. */
const socketFor = ({ ssl }: { readonly ssl?: unknown }): Socket => (ssl ? new Socket() : createReusingSocket())

const clientOf = ({ connection, statementTimeoutMs }: ReaderConnectionOptions): pg.Client =>
  new pg.Client({
    ...connection,
    stream: socketFor as () => Socket,
    statement_timeout: statementTimeoutMs,
    options: SETTINGS,
    application_name: 'minaret reader',
    connectionTimeoutMillis: 5000,
  })

/** Cancelled, or out of time: PostgreSQL has one code for both, and tells them apart in the language of the server only. */
const isEnded = (error: Error | undefined): boolean => (error as { code?: string } | undefined)?.code === '57014'

export const createReaderConnection = (options: ReaderConnectionOptions): ReaderConnection => {
  const { log, onReady, onRan } = options
  const state: State = {
    client: undefined,
    channel: undefined,
    line: [],
    closed: false,
    cancelling: false,
    attempts: 0,
    timer: undefined,
  }

  const lose = (client: pg.Client, error: unknown): void => {
    if (state.client !== client) return
    const { channel } = state
    state.client = undefined
    state.channel = undefined
    client.end().catch(() => undefined)
    channel?.fail(error instanceof Error ? error : new Error('the reading connection was closed'))
    if (state.closed) return
    log.warn({ err: error }, 'a reading connection was lost; it is made again')
    retry()
  }

  const retry = (): void => {
    const wait = RETRY_MS[Math.min(state.attempts, RETRY_MS.length - 1)]
    state.attempts += 1
    state.timer = setTimeout(open, wait)
    state.timer.unref()
  }

  const open = async (): Promise<void> => {
    const client = clientOf(options)
    client.on('error', error => lose(client, error))
    client.on('end', () => lose(client, undefined))
    try {
      await client.connect()
    } catch (error) {
      log.warn({ err: error }, 'a reading connection could not be made')
      client.end().catch(() => undefined)
      if (!state.closed) retry()
      return
    }
    if (state.closed) return void client.end().catch(() => undefined)
    state.client = client
    state.channel = openTextChannel(client)
    state.attempts = 0
    onReady()
  }

  const cancelHead = async (entry: Entry): Promise<void> => {
    const { client } = state
    if (client === undefined || state.line[0] !== entry) return
    const { processID } = client as unknown as { processID: number }
    await cancelBackend(options.connection, processID).catch(error =>
      log.warn({ err: error }, 'a statement was not cancelled'),
    )
  }

  /** Only the statement at the head runs; one behind it is cancelled when its turn comes. */
  const cancelIfHead = (entry: Entry): void => {
    if (state.cancelling || state.line[0] !== entry) return
    state.cancelling = true
    const later = setTimeout(async () => {
      await cancelHead(entry)
      state.cancelling = false
      const [head] = state.line
      if (head?.abandoned === true) cancelIfHead(head)
    }, CANCEL_AFTER_MS)
    later.unref()
  }

  const leave = (entry: Entry): number => {
    const now = performance.now()
    state.line.splice(state.line.indexOf(entry), 1)
    const [next] = state.line
    if (next !== undefined && next.headSince === 0) {
      next.headSince = now
      if (next.abandoned) cancelIfHead(next)
    }
    return now - entry.headSince
  }

  const read = (statement: TextStatement, abandoned: Abandonment | undefined, done: Done): void => {
    const { channel } = state
    if (channel === undefined) return void done(new Error('the reading connection is not ready'), '')
    const entry: Entry = { headSince: state.line.length === 0 ? performance.now() : 0, abandoned: false }
    const abandon = (): void => {
      entry.abandoned = true
      cancelIfHead(entry)
    }
    state.line.push(entry)
    channel.send(statement, (error, text) => {
      const ranMs = leave(entry)
      abandoned?.delete(abandon)
      const isOutOfTime = isEnded(error) && ranMs >= options.statementTimeoutMs * IN_TIME
      if (error === undefined || isOutOfTime) onRan(statement, ranMs)
      done(isEnded(error) && !isOutOfTime && !entry.abandoned ? new HitByCancel() : error, text)
    })
    // Told at once where the client is gone already: by then there is something to cancel.
    abandoned?.add(abandon)
  }

  open()
  return {
    get ready() {
      return state.client !== undefined
    },
    get load() {
      const [head] = state.line
      const long = head !== undefined && performance.now() - head.headSince > LONG_MS
      return state.line.length + (long ? LONG_LOAD : 0)
    },
    read,
    close: async () => {
      state.closed = true
      clearTimeout(state.timer)
      await state.client?.end().catch(() => undefined)
    },
  }
}
