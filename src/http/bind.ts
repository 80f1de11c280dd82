// Host and port → a listening socket. Until a handler is attached, it responds that the service is starting.
import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { StartFault } from '../db/embedded/start-fault.ts'
import { boundUnread } from './bound-unread.ts'
import { closePort, type ListeningHandle } from './close-port.ts'
import type { Handler } from './handler.ts'
import { inTurn } from './in-turn.ts'
import type { Upgrades } from './live/sockets.ts'
import { createServer } from './node-http.ts'
import { openCheckedLane } from './plain/open-checked-lane.ts'
import { noLane, type PlainLane, type PlainRoutes } from './plain/plain-lane.ts'

export interface Binding {
  readonly server: Server
  readonly port: number
  lane: PlainLane
  /** Which requests may upgrade their connection. */
  readonly upgrades: { accepts(request: IncomingMessage): boolean }
  /** Connections without a request so far: Node does not count them as idle. */
  readonly fresh: ReadonlySet<Socket>
  /** All connections that Node's own server handles. */
  readonly connected: ReadonlySet<Socket>
  /** Responses in progress. */
  readonly answering: Set<ServerResponse>
  /** Every response asks its client to connect anew: by then a balancer sends it elsewhere. */
  draining: boolean
  /** Connections that are to end with their next response. */
  ending: WeakSet<Socket>
}

export interface BindOptions {
  readonly host: string
  readonly port: number
  /** How long a connection may be idle between two requests. */
  readonly keepAliveMs: number
}

const starting: Handler = (request, response) => {
  const alive = request.url === '/healthz'
  const headers = { 'content-type': 'application/json', 'retry-after': '1', 'x-request-id': randomUUID() }
  response.writeHead(alive ? 200 : 503, headers)
  response.end(alive ? '{"status":"alive"}' : '{"status":"starting"}')
}

const explain = (error: NodeJS.ErrnoException, host: string, port: number): Error => {
  if (error.code === 'EADDRINUSE')
    return new StartFault(
      `Port ${port} on ${host} is used by another program. Stop it, or choose other ports with PORT and SANDBOX_PORT.`,
      error,
    )
  if (error.code === 'EACCES')
    return new StartFault(
      `This user may not listen on port ${port}. Choose ports of 1024 or above with PORT and SANDBOX_PORT.`,
      error,
    )
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN' || error.code === 'EADDRNOTAVAIL')
    return new StartFault(
      `HOST is ${host}, which is no address of this machine. Set it to one, or to 0.0.0.0 or :: for all of them.`,
      error,
    )
  return new StartFault(`The address ${host}:${port} cannot be bound: ${error.message}`, error)
}

/** A connection that is inactive for this long, with a request or response in progress, is closed. */
const SILENT_MS = 60_000

const create = (keepAliveMs: number): Omit<Binding, 'port'> => {
  // Without listeners for it, an upgrade is a request like any other; with them, only if this says so.
  const server = createServer({ shouldUpgradeCallback: request => upgrades.accepts(request) }, starting)
  const upgrades = { accepts: (_request: IncomingMessage): boolean => false }
  server.timeout = SILENT_MS
  server.keepAliveTimeout = keepAliveMs
  const fresh = new Set<Socket>()
  const connected = new Set<Socket>()
  server.on('connection', socket => {
    fresh.add(socket)
    connected.add(socket)
    socket.once('close', () => {
      fresh.delete(socket)
      connected.delete(socket)
    })
  })
  server.on('request', ({ socket }) => fresh.delete(socket))
  server.on('upgrade', ({ socket }) => fresh.delete(socket))
  const state = { lane: noLane, draining: false, ending: new WeakSet<Socket>(), answering: new Set<ServerResponse>() }
  return { server, fresh, connected, upgrades, ...state }
}

const listen = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', error => reject(explain(error, host, port)))
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })

export const bind = async ({ host, port, keepAliveMs }: BindOptions): Promise<Binding> => {
  const created = create(keepAliveMs)
  return { ...created, port: await listen(created.server, host, port) }
}

/** Refuses connections until `open` is called: every balancer understands that a process is not there yet. */
export const bindLater = ({ host, port, keepAliveMs }: BindOptions): Binding & { open(): Promise<unknown> } => {
  const created = create(keepAliveMs)
  return { ...created, port, open: () => listen(created.server, host, port) }
}

export interface Attached {
  readonly handler: Handler
  readonly plain?: PlainRoutes | undefined
  readonly upgrades?: Upgrades | undefined
}

/** Its connection ends with it: the client is told so, if nothing was sent yet. */
const endWith = (response: ServerResponse): void => {
  const { socket } = response
  if (response.headersSent) response.once('finish', () => socket?.destroySoon())
  else response.setHeader('connection', 'close')
}

/** From now on `handler` responds, also on connections that are already open. */
export const attach = async (binding: Binding, { handler, plain, upgrades }: Attached): Promise<void> => {
  binding.server.removeListener('request', starting)
  const answer = inTurn((request, response) => {
    if (binding.draining || binding.ending.has(request.socket)) endWith(response)
    binding.answering.add(response)
    response.once('close', () => void binding.answering.delete(response))
    handler(request, response)
  })
  binding.server.on('request', answer)
  if (upgrades !== undefined) {
    binding.upgrades.accepts = upgrades.accepts
    binding.server.on('upgrade', (request, socket, head) => upgrades.handle(request, socket as Socket, head))
  }
  if (plain !== undefined) binding.lane = await openCheckedLane(binding.server, plain)
  boundUnread(binding.server)
}

/** Goes on listening and answering; each answer is the last on its connection. */
export const drain = (binding: Binding): void => {
  binding.draining = true
  binding.lane.drain()
}

/** Each connection that is open now ends with its next response: its client connects anew, perhaps to another process. */
export const renewConnections = (binding: Binding): void => {
  binding.ending = new WeakSet(binding.connected)
  binding.lane.renew()
}

/** A request that was sent before its client knew is answered: closing a connection on it would be a reset. */
const LINGER_MS = 1000

/** Accepts and reads what has arrived by now. */
const nextTurn = (): Promise<void> => new Promise(resolve => void setImmediate(resolve))

/** Unlike the method of Node's HTTP server, this leaves idle connections alone. */
const stopListening = async ({ server, draining }: Binding): Promise<{ readonly closed: Promise<void> }> => {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const close = (): void => void NetServer.prototype.close.call(server, () => resolve())
  const handle = (server as unknown as { _handle?: ListeningHandle | null })._handle
  if (draining && !cluster.isWorker) await closePort(handle ?? {}, close)
  else close()
  return { closed }
}

/** No new connections; requests in progress may finish until the deadline. */
export const unbind = async (binding: Binding, deadlineMs = 10_000): Promise<void> => {
  const { server, fresh } = binding
  if (!server.listening) return
  const { closed } = await stopListening(binding)
  const deadline = setTimeout(() => {
    binding.lane.end()
    server.closeAllConnections()
  }, deadlineMs)
  if (binding.draining) await delay(LINGER_MS).then(nextTurn)
  binding.draining = true
  binding.lane.close()
  server.closeIdleConnections()
  for (const socket of fresh) socket.destroySoon()
  for (const response of binding.answering) endWith(response)
  await closed
  clearTimeout(deadline)
  // Ends the timer with which Node looks for silent connections: it would keep the server in memory.
  server.close()
}
