// What clients have not read of their responses stays in memory. Each connection has its own bounds; all of them together have this one.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface UnreadRule {
  /** For all connections of a listener together. */
  readonly mostBytes: number
  /** How long a client may take for a response while there is more than that. */
  readonly mostMs: number
  readonly lookEveryMs: number
}

const MEBIBYTE = 1024 * 1024
const usual: UnreadRule = { mostBytes: 128 * MEBIBYTE, mostMs: 5000, lookEveryMs: 1000 }

/** Small remainders are not worth a look. */
const LEAST_BYTES = 16 * 1024

/** Those that read nothing for long are closed anyway; this is for many that read a little now and then. The slowest go first. */
export const boundUnread = (server: Server, { mostBytes, mostMs, lookEveryMs }: UnreadRule = usual): void => {
  const open = new Set<Socket>()
  /** Since when each has had something unread, the longest first. */
  const since = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      since.delete(socket)
    })
  })

  const note = (now: number): number => {
    let bytes = 0
    for (const socket of open) {
      const { writableLength } = socket
      if (writableLength < LEAST_BYTES) since.delete(socket)
      else if (!since.has(socket)) since.set(socket, now)
      bytes += writableLength
    }
    return bytes
  }

  const look = (): void => {
    const now = performance.now()
    let bytes = note(now)
    for (const [socket, started] of since) {
      if (bytes <= mostBytes || (now - started < mostMs && bytes <= mostBytes * 2)) return
      bytes -= socket.writableLength
      socket.destroy()
    }
  }

  const looking = setInterval(look, lookEveryMs).unref()
  server.once('close', () => clearInterval(looking))
}
