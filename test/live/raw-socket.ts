// A WebSocket without a client library: what comes is kept. Messages are those of graphql-transport-ws; over the older protocol the same is
// said in its words.
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
  /** Whether messages are in the words of the protocol already. */
  readonly asIs?: boolean
}

export const protocols = ['graphql-transport-ws', 'graphql-ws'] as const

const olderWords: Readonly<Record<string, string>> = { subscribe: 'start', complete: 'stop' }

const toOlder = (message: Message): Message =>
  typeof message === 'string' ? message : { ...message, type: olderWords[message.type] ?? message.type }

/** Nothing for its signs of life, and for what it says before it closes. */
const fromOlder = (message: Message): Message[] => {
  if (message.type === 'ka' || message.type === 'connection_error') return []
  if (message.type === 'data') return [{ ...message, type: 'next' }]
  return [message.type === 'error' ? { ...message, payload: message.payload.errors ?? [message.payload] } : message]
}

const PATIENCE_MS = 60_000

/** The first message is sent at once, the others after whatever answer it gets. */
export const openSocket = async (
  url: string,
  messages: readonly unknown[] = [],
  { protocol = 'graphql-transport-ws', asIs = protocol !== 'graphql-ws', ...options }: RawSocketWishes = {},
): Promise<RawSocket> => {
  const socket = new WebSocket(url, protocol === '' ? [] : protocol, {
    ...options,
    skipUTF8Validation: true,
  })
  const received: Message[] = []
  socket.on('message', data => {
    const message = JSON.parse(data.toString())
    received.push(...(asIs ? [message] : fromOlder(message)))
  })
  const closed = new Promise<{ code: number; reason: string }>(resolve => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  const opened = once(socket, 'open').catch(() => undefined)
  socket.on('error', () => undefined)
  await Promise.race([opened, closed])
  const send = (message: unknown): void => {
    const said = asIs ? message : toOlder(message)
    socket.send(typeof said === 'string' ? said : JSON.stringify(said))
  }
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
