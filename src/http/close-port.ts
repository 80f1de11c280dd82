// A listening port → closed without resetting anybody's connection.
//
// Closing a port resets connections that the kernel has made and nobody has accepted: between the last accept and the close
// there is always a moment for one. So we first fill the queue of the port with connections of our own. While it is full, the
// kernel ignores attempts to connect; clients repeat them a second later, and are refused, which balancers understand. Then
// closing resets our own connections only. All of that happens in one turn of the event loop, in which nothing is accepted.
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { thisPlatform } from '../platform/this-platform.ts'
import { readPortQueue } from './port-queue.ts'

/** Node's handle of a listening socket. Its methods are not documented, so their absence is expected. */
export interface ListeningHandle {
  listen?(backlog: number): number
  getsockname?(out: Partial<SocketName>): number
}

interface SocketName {
  readonly address: string
  readonly port: number
}

/** Few, so that it is quickly filled; not so few that the kernel falls back to SYN cookies, which its table does not show. */
const BACKLOG = 16
/** The kernel accepts one more than the backlog. */
const FILLING = BACKLOG + 1
/**
 * By time: each attempt reads the kernel's table of connections, which is long after many of them. An idle machine needs a tenth of
 * a second, even with clients that connect all the time; a busy one may need two.
 */
const ATTEMPTS_MS = 5000
const PAUSE_MS = 10

const addressOf = (handle: ListeningHandle): SocketName | undefined => {
  const name: Partial<SocketName> = {}
  if (handle.listen === undefined || handle.getsockname?.(name) !== 0) return undefined
  const { address, port } = name
  if (address === undefined || port === undefined) return undefined
  return { address: address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address, port }
}

/** Resolves in the same turn of the event loop, when Node has asked the kernel to connect. */
const asked = (): Promise<void> => new Promise(resolve => process.nextTick(() => process.nextTick(resolve)))

const isFilledBy = (sockets: readonly Socket[], port: number): boolean => {
  const queue = readPortQueue(thisPlatform.readTcpTable(), port)
  if (queue === undefined || queue.halfOpen > 0 || queue.waiting !== queue.from.size) return false
  const own = new Set(sockets.map(({ localPort }) => localPort))
  return queue.waiting === FILLING && [...queue.from].every(remote => own.has(remote))
}

const open = ({ address, port }: SocketName): Socket => connect({ host: address, port }).on('error', () => undefined)

const tryOnce = async (name: SocketName, close: () => void): Promise<boolean> => {
  const sockets = Array.from({ length: FILLING }, () => open(name))
  await asked()
  const isFilled = isFilledBy(sockets, name.port)
  if (isFilled) close()
  for (const socket of sockets) socket.destroy()
  return isFilled
}

/** Calls `close` once, in time. @returns whether nobody's connection can have been reset. */
export const closePort = async (
  handle: ListeningHandle,
  close: () => void,
  attemptsMs = ATTEMPTS_MS,
): Promise<boolean> => {
  const name = addressOf(handle)
  if (name !== undefined && readPortQueue(thisPlatform.readTcpTable(), name.port) !== undefined) {
    handle.listen?.(BACKLOG)
    const until = performance.now() + attemptsMs
    while (performance.now() < until) {
      if (await tryOnce(name, close)) return true
      // What waits is accepted meanwhile, ours included.
      await delay(PAUSE_MS)
    }
  }
  close()
  return false
}
