// A WebSocket without a client library: messages are sent as they are, and what comes is kept.
import { once } from 'node:events'
import WebSocket from 'ws'
import { within } from '../support/oauth.ts'

// biome-ignore lint/suspicious/noExplicitAny: messages are of many kinds
type Message = any

export interface RawSocket {
  readonly socket: WebSocket
  readonly messages: Message[]
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  send(message: unknown): void
}

export interface RawSocketWishes {
  readonly protocol?: string
  readonly headers?: Record<string, string>
  readonly origin?: string
  /** Whether the WebSocket's own pings are answered, as by every client that is still there. */
  readonly autoPong?: boolean
}

const PATIENCE_MS = 60_000

/** The first message is sent at once, the others after whatever answer it gets. */
export const openSocket = async (
  url: string,
  messages: readonly unknown[] = [],
  { protocol = 'graphql-transport-ws', ...options }: RawSocketWishes = {},
): Promise<RawSocket> => {
  const socket = new WebSocket(url, protocol === '' ? [] : protocol, {
    ...options,
    skipUTF8Validation: true,
  })
  const received: Message[] = []
  socket.on('message', data => received.push(JSON.parse(data.toString())))
  const closed = new Promise<{ code: number; reason: string }>(resolve => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  const opened = once(socket, 'open').catch(() => undefined)
  socket.on('error', () => undefined)
  await Promise.race([opened, closed])
  const send = (message: unknown): void => socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  for (const [index, message] of messages.entries()) {
    if (index > 0)
      await within(
        PATIENCE_MS,
        'the first answer',
        async () => received.length > 0 || socket.readyState !== socket.OPEN,
      )
    if (socket.readyState === socket.OPEN) send(message)
  }
  return { socket, messages: received, closed, send }
}
