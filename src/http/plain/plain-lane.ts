// A server → its connections, taken before Node's parser sees them: plain requests to one path are answered from here, at
// two thirds of the cost; everything else goes on to Node's own server, which stays the one that knows all of HTTP.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../../base/log.ts'
import type { TrustedProxies } from '../../base/trusted-proxies.ts'
import type { Entrance } from '../../graphql/entrance/transport.ts'
import { openPlainConnection, type PlainConnection } from './plain-connection.ts'

export interface PlainRoute {
  readonly path: string
  readonly entrance: Entrance
  readonly trustedProxies: TrustedProxies
  readonly log: Logger
}

export interface PlainLane {
  /** From now on: no connection waits for another request, and those at work end with their answer. */
  close(): void
  /** Ends all connections, whatever they do. */
  end(): void
}

/** Of a server that has none. */
export const noLane: PlainLane = { close: () => undefined, end: () => undefined }

const LOOK_EVERY_MS = 1000

export const openPlainLane = (server: Server, { path, entrance, trustedProxies, log }: PlainRoute): PlainLane => {
  const connections = new Set<PlainConnection>()
  const next = server.listeners('connection')
  let closing = false
  const options = {
    start: `POST ${path} HTTP/1.1`,
    path,
    entrance,
    trustedProxies,
    log,
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
  return {
    close: () => {
      closing = true
      clearInterval(look)
      for (const connection of connections) connection.endIfIdle()
    },
    end: () => {
      for (const connection of connections) connection.end()
    },
  }
}
