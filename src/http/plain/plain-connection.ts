// One connection on which plain requests come one at a time, each whole in one read; the first that is otherwise goes to
// Node's own server together with the connection, and stays there.
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Logger } from '../../base/log.ts'
import type { TrustedProxies } from '../../base/trusted-proxies.ts'
import type { Entrance, OutgoingResponse } from '../../graphql/entrance/transport.ts'
import { clientAddress } from '../client-address.ts'
import { createAbandonment } from '../graphql/abandonment-of.ts'
import { type Head, readHead } from './read-head.ts'
import { writeHead } from './write-head.ts'

export interface PlainOptions {
  /** The line that requests begin with. */
  readonly start: string
  readonly path: string
  readonly entrance: Entrance
  readonly trustedProxies: TrustedProxies
  readonly log: Logger
  /** Node's own server takes the connection. */
  readonly handOver: (socket: Socket) => void
  /** How long a connection may be silent: before its first request, and after an answer. */
  readonly firstMs: number
  readonly idleMs: number
  /** How long it may take nothing of an answer; 0 is for ever. */
  readonly unreadMs: number
  readonly isClosing: () => boolean
  /** The connection ended, or was handed over. */
  readonly onEnd: (connection: PlainConnection) => void
}

export interface PlainConnection {
  /** Ends it, if it has been silent for too long. */
  endIfSilent(now: number): void
  /** Ends it once all is written, unless a request is under way. */
  endIfIdle(): void
  end(): void
}

export const openPlainConnection = (socket: Socket, options: PlainOptions): PlainConnection => {
  const abandoned = createAbandonment(() => socket.destroyed)
  let head: Head | undefined
  let busy = false
  /** What came before the last answer was finished. */
  let early: Buffer | undefined
  /** Noted by whoever looks for silent connections, so that a request costs no look at the clock. */
  let silentSince: number | undefined
  let mostMs = options.firstMs

  /** Clients send the same head again and again: it is read once. */
  const headOf = (bytes: Buffer): Head | undefined => {
    if (head !== undefined && bytes.toString('latin1', 0, head.text.length) === head.text) return head
    head = readHead(bytes, options.start)
    return head
  }

  const take = (bytes: Buffer): void => {
    if (busy) {
      early = early === undefined ? bytes : Buffer.concat([early, bytes])
      return void socket.pause()
    }
    const found = headOf(bytes)
    if (found !== undefined && bytes.length === found.text.length + found.bodyLength) enter(found, bytes)
    else handOver(bytes)
  }

  const enter = ({ text, headers }: Head, bytes: Buffer): void => {
    busy = true
    const id = randomUUID()
    const body = { kind: 'bytes', bytes: bytes.subarray(text.length) } as const
    const addressOf = (): string => clientAddress({ headers, socket }, options.trustedProxies)
    options
      .entrance({ id, method: 'POST', url: options.path, headers, body, clientAddress: addressOf, abandoned })
      .then(send)
      .catch(error => {
        options.log.error({ err: error, requestId: id }, 'a response could not be sent')
        socket.destroy()
      })
  }

  const handOver = (bytes: Buffer): void => {
    leave()
    if (socket.readableEnded) return void socket.destroy()
    socket.pause()
    options.handOver(socket)
    socket.unshift(bytes)
    process.nextTick(() => socket.resume())
  }

  const goOn = (): void => {
    const bytes = early
    early = undefined
    if (socket.isPaused()) socket.resume()
    if (bytes !== undefined) take(bytes)
  }

  const write = (text: string, { body, encoding }: OutgoingResponse): boolean => {
    if (typeof body === 'string') return socket.write(text + body, encoding)
    socket.cork()
    socket.write(text, 'latin1')
    const flows = socket.write(body)
    socket.uncork()
    return flows
  }

  const send = (response: OutgoingResponse): void => {
    if (!socket.writable) return
    const closing = options.isClosing()
    const last = closing
      ? 'connection: close'
      : `connection: keep-alive\r\nkeep-alive: timeout=${options.idleMs / 1000}`
    const flows = write(writeHead(response.status, response.headers, last), response)
    busy = false
    silentSince = undefined
    mostMs = options.idleMs
    if (socket.writableLength > 0) socket.setTimeout(options.unreadMs)
    if (closing) socket.destroySoon()
    else if (flows) goOn()
    // Who does not read its answers is not asked for more.
    else socket.pause().once('drain', goOn)
  }

  /** Nothing came, and nothing of what waits was taken. */
  const onTimeout = (): void => void (socket.writableLength > 0 ? socket.destroy() : socket.setTimeout(0))
  const onEnd = (): void => void socket.end()
  const onClose = (): void => {
    options.onEnd(connection)
    abandoned.tell()
  }
  /** The close event follows. */
  const onError = (): void => undefined
  const leave = (): void => {
    socket.off('data', take).off('end', onEnd).off('close', onClose).off('error', onError).off('timeout', onTimeout)
    socket.setTimeout(0)
    options.onEnd(connection)
  }

  const isIdle = (): boolean => !busy && socket.writableLength === 0
  const connection: PlainConnection = {
    endIfSilent: now => {
      if (!isIdle()) silentSince = undefined
      else if (silentSince === undefined) silentSince = now
      else if (now - silentSince > mostMs) socket.destroy()
    },
    endIfIdle: () => {
      if (!busy) socket.destroySoon()
    },
    end: () => void socket.destroy(),
  }
  socket.on('data', take).on('end', onEnd).on('close', onClose).on('error', onError).on('timeout', onTimeout)
  return connection
}
