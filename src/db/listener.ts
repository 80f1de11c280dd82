// NOTIFY → handlers, on a dedicated connection that reconnects by itself and reports when it was down.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../base/log.ts'
import { type Connection, connectMs, toPrimary } from './connection.ts'
import { endWithHost } from './end-with-host.ts'
import { processNumber, showPresence } from './presence.ts'
import { NothingArrives, proveListening } from './prove-listening.ts'
import { renewAfter } from './renew.ts'
import { quoteIdentifier } from './sql.ts'

export interface Listener {
  /** Unique: a notification with this payload was caused by whoever has this listener. */
  readonly id: string
  /** Of this process: `isPresent` in the database while it is connected. */
  readonly number: number
  /** Calls `handler` with each payload. Once the promise resolves, none is missed while `connected`. */
  on(channel: string, handler: (payload: string) => void): Promise<void>
  /** Called at every reconnection, before `connected` is true: news may have been missed, so caches must be rebuilt. */
  onReconnected(handler: () => void): void
  /** False while no news can arrive; caches must then ask the database. */
  readonly connected: boolean
  close(): Promise<void>
}

const RETRY_MS = 250
/** A start goes on with a database that is slow to answer; after that, only the service itself would go on trying. */
const FIRST_ATTEMPTS = 5
/** Together less than the second within which a revocation must take effect. */
const HEARTBEAT_MS = 300
const PATIENCE_MS = 500

interface State {
  client: pg.Client | undefined
  connected: boolean
  closed: boolean
  timer: NodeJS.Timeout | undefined
  /** Attempts since it was connected. */
  failed: number
}

export const openListener = async (connection: Connection, log: Logger): Promise<Listener> => {
  const handlers = new Map<string, ((payload: string) => void)[]>()
  const reconnected: (() => void)[] = []
  const number = processNumber()
  const state: State = { client: undefined, connected: false, closed: false, timer: undefined, failed: 0 }

  const lose = (client: pg.Client): void => {
    if (state.client !== client) return
    state.client = undefined
    state.connected = false
    clearTimeout(state.timer)
    client.end().catch(() => undefined)
    if (state.closed) return
    log.warn('the listening connection to the database was lost; reconnecting')
    state.timer = setTimeout(retry, RETRY_MS)
  }

  // A dead network gives no error, but a query that gets no response shows it.
  const beat = (client: pg.Client): void => {
    state.timer = setTimeout(() => {
      let answered = false
      // This process may have been too busy to read: process what has arrived before giving up the connection.
      const giveUp = (): void => void (answered || lose(client))
      const patience = setTimeout(() => setImmediate(() => setImmediate(giveUp)), PATIENCE_MS)
      client.query('select 1').then(
        () => {
          answered = true
          clearTimeout(patience)
          if (state.client === client && !state.closed) beat(client)
        },
        () => {
          clearTimeout(patience)
          lose(client)
        },
      )
    }, HEARTBEAT_MS)
    state.timer.unref()
  }

  const open = async (announce: () => void): Promise<void> => {
    const client = new pg.Client({
      ...toPrimary(connection),
      application_name: 'minaret listener',
      connectionTimeoutMillis: connectMs(connection, state.failed),
      query_timeout: connectMs(connection, state.failed),
    })
    endWithHost(client, connection)
    client.on('error', () => lose(client))
    client.on('end', () => lose(client))
    client.on('notification', ({ channel, payload }) => {
      for (const handler of handlers.get(channel) ?? []) handler(payload ?? '')
    })
    try {
      await client.connect()
      await proveListening(client, connection)
      await showPresence(client, number)
      for (const channel of handlers.keys()) await client.query(`listen ${quoteIdentifier(channel)}`)
    } catch (error) {
      state.failed += 1
      client.end().catch(() => undefined)
      renewAfter(error, connection)
      throw error
    }
    if (state.closed) return void (await client.end())
    state.client = client
    announce()
    state.connected = true
    state.failed = 0
    beat(client)
  }

  const retry = (): void => {
    const announce = (): void => {
      for (const handler of reconnected) handler()
    }
    open(announce).catch(() => {
      if (!state.closed) state.timer = setTimeout(retry, RETRY_MS)
    })
  }

  const openFirst = async (attempts: number): Promise<void> => {
    try {
      await open(() => undefined)
    } catch (error) {
      if (error instanceof NothingArrives || attempts === 1) throw error
      await delay(RETRY_MS)
      await openFirst(attempts - 1)
    }
  }

  await openFirst(FIRST_ATTEMPTS)
  return {
    id: randomUUID(),
    number,
    on: async (channel, handler) => {
      const known = handlers.get(channel)
      if (known !== undefined) return void known.push(handler)
      handlers.set(channel, [handler])
      const { client } = state
      await client?.query(`listen ${quoteIdentifier(channel)}`).catch(() => lose(client))
    },
    onReconnected: handler => void reconnected.push(handler),
    get connected() {
      return state.connected
    },
    close: async () => {
      state.closed = true
      clearTimeout(state.timer)
      await state.client?.end().catch(() => undefined)
    },
  }
}
