// One connection on which plain requests arrive one at a time, each complete in one read. At the first request that is
// anything else, the connection goes to Node's own server and stays there.
import type { Socket } from 'node:net'
import type { Logger } from '../../base/log.ts'
import { underWay } from '../../base/under-way.ts'
import type { Entrance, OutgoingResponse } from '../../graphql/entrance/transport.ts'
import type { Observe } from '../../metrics/watching.ts'
import { createAbandonment } from '../graphql/abandonment-of.ts'
import type { Proxies } from '../proxies/proxies.ts'
import type { Head, ReadHead } from './read-head.ts'
import { writeHead } from './write-head.ts'

/** A path, and what answers a POST to it. */
export interface PlainPath {
  readonly path: string
  readonly entrance: Entrance
  /** Whether a client may be answered with a stream of events: Node's server handles those. */
  readonly streams: boolean
}

export interface PlainOptions {
  readonly readHead: ReadHead<PlainPath>
  readonly proxies: Proxies
  readonly log: Logger
  /** Undefined if nobody wants to know: then the clock is not read either. */
  readonly observe?: Observe | undefined
  /** Node's own server takes the connection. */
  readonly handOver: (socket: Socket) => void
  /** How long a connection may be idle: before its first request, and after a response. */
  readonly firstMs: number
  readonly idleMs: number
  /** How long the client may read nothing of a response; 0 is forever. */
  readonly unreadMs: number
  readonly isClosing: () => boolean
  /** The connection was closed or handed over. */
  readonly onEnd: (connection: PlainConnection) => void
}

export interface PlainConnection {
  /** Closes it if it has been idle for too long. */
  endIfSilent(now: number): void
  /** Closes it once everything is written, unless a request is in progress. */
  endIfIdle(): void
  /** Its next response is its last. */
  endWithNext(): void
  end(): void
}

type PlainHead = Head<PlainPath>

/** A subscription, or a persisted query that may be one. */
const mayBeStreamed = ({ accepts, at }: PlainHead, bytes: Buffer): boolean =>
  at.streams &&
  accepts !== 'answers' &&
  (accepts === 'events' || bytes.includes('subscription') || bytes.includes('persistedQuery'))

export const openPlainConnection = (socket: Socket, options: PlainOptions): PlainConnection => {
  const abandoned = createAbandonment(() => socket.destroyed)
  let head: PlainHead | undefined
  let busy = false
  /** What arrived before the last response was finished. */
  let early: Buffer | undefined
  /** Set by the sweep for idle connections, so that a request need not read the clock. */
  let silentSince: number | undefined
  let mostMs = options.firstMs
  let isEnding = false

  /** Most clients repeat the same head on a connection: then it is not even looked for. */
  const headOf = (bytes: Buffer): PlainHead | undefined => {
    if (head !== undefined && bytes.toString('latin1', 0, head.text.length) === head.text) return head
    head = options.readHead(bytes)
    return head
  }

  const take = (bytes: Buffer): void => {
    if (busy) {
      early = early === undefined ? bytes : Buffer.concat([early, bytes])
      return void socket.pause()
    }
    const found = headOf(bytes)
    const isWhole = found !== undefined && bytes.length === found.text.length + found.bodyLength
    if (isWhole && !mayBeStreamed(found, bytes)) enter(found, bytes)
    else handOver(bytes)
  }

  const enter = ({ text, headers, at }: PlainHead, bytes: Buffer): void => {
    busy = true
    const arrived = { headers, socket }
    const id = options.proxies.receive(arrived)
    const body = { kind: 'bytes', bytes: bytes.subarray(text.length) } as const
    const addressOf = (): string => options.proxies.clientAddress(arrived)
    const request = { id, method: 'POST', url: at.path, headers, body, clientAddress: addressOf, abandoned } as const
    underWay
      .run({ method: 'POST', route: at.path, id }, () => at.entrance(request))
      .then(options.observe === undefined ? send : sendObserved(id, { headers, at }, options.observe))
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
    const closing = isEnding || options.isClosing()
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
    // A client that does not read its responses is not read from.
    else socket.pause().once('drain', goOn)
  }

  const sendObserved = (
    id: string,
    { headers, at }: Pick<PlainHead, 'headers' | 'at'>,
    observe: Observe,
  ): ((response: OutgoingResponse) => void) => {
    const started = performance.now()
    const traceparent = headers.traceparent as string | undefined
    return response => {
      send(response)
      const { status } = response
      observe({ id, method: 'POST', route: at.path, status, ms: performance.now() - started, traceparent })
    }
  }

  /** Nothing arrived, and the client read nothing of what is pending. */
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
    endWithNext: () => {
      isEnding = true
    },
    end: () => void socket.destroy(),
  }
  socket.on('data', take).on('end', onEnd).on('close', onClose).on('error', onError).on('timeout', onTimeout)
  return connection
}
