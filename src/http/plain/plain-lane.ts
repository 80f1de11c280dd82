// A server → its connections, taken before Node's parser sees them. Plain requests to a few paths are handled here, at two
// thirds of the cost; everything else goes to Node's own server, which handles all of HTTP.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../../base/log.ts'
import type { Observe } from '../../metrics/watching.ts'
import type { Proxies } from '../proxies/proxies.ts'
import { openPlainConnection, type PlainConnection, type PlainPath } from './plain-connection.ts'
import { createHeadReader } from './read-head.ts'

export interface PlainRoutes {
  readonly paths: readonly PlainPath[]
  readonly proxies: Proxies
  readonly log: Logger
  readonly observe?: Observe | undefined
}

export interface PlainLane {
  /** From now on every response is the last on its connection. */
  drain(): void
  /** Each connection that is open now ends with its next response. */
  renew(): void
  /** From now on no connection waits for another request, and those in use close after their response. */
  close(): void
  /** Closes all connections, whatever they are doing. */
  end(): void
}

const nothing = (): void => undefined
/** For a server without plain connections. */
export const noLane: PlainLane = { drain: nothing, renew: nothing, close: nothing, end: nothing }

const LOOK_EVERY_MS = 1000

export const openPlainLane = (server: Server, routes: PlainRoutes): PlainLane => {
  const connections = new Set<PlainConnection>()
  const next = server.listeners('connection')
  let closing = false
  const options = {
    ...routes,
    readHead: createHeadReader(new Map(routes.paths.map(one => [`POST ${one.path} HTTP/1.1`, one]))),
    handOver: (socket: Socket) => {
      for (const listener of next) listener.call(server, socket)
    },
    firstMs: server.headersTimeout,
    idleMs: server.keepAliveTimeout,
    unreadMs: server.timeout,
    isClosing: () => closing,
    onEnd: (connection: PlainConnection) => void connections.delete(connection),
  }
  const look = setInterval(() => {
    const now = performance.now()
    for (const connection of connections) connection.endIfSilent(now)
  }, LOOK_EVERY_MS).unref()
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => connections.add(openPlainConnection(socket, options)))
  const drain = (): void => {
    closing = true
  }
  return {
    drain,
    renew: () => {
      for (const connection of connections) connection.endWithNext()
    },
    close: () => {
      drain()
      clearInterval(look)
      for (const connection of connections) connection.endIfIdle()
    },
    end: () => {
      for (const connection of connections) connection.end()
    },
  }
}
