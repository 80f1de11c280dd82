// A WebSocket → what is written to it, as far as its client keeps up, and how it is closed.
import type { WebSocket } from 'ws'
import { closeCodes, reasonOf } from './close-codes.ts'
import type { Dialect } from './dialects/dialect.ts'

export interface Outgoing {
  send(text: string | undefined): void
  close(code: number, words: string): void
  /** Goes on reading after a pause. */
  listen(): void
}

/** What may wait for a client that reads nothing. */
const MOST_UNREAD_BYTES = 1024 * 1024
/** For the client to answer a close. */
const CLOSE_MS = 1000

export const createOutgoing = (socket: WebSocket, dialect: Dialect): Outgoing => {
  const send = (text: string | undefined): void => {
    if (text === undefined || socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > MOST_UNREAD_BYTES) socket.terminate()
    else socket.send(text)
  }
  return {
    send,
    close: (code, words) => {
      if (code !== closeCodes.restart) send(dialect.complaint(words))
      socket.close(code, reasonOf(words))
      setTimeout(() => socket.terminate(), CLOSE_MS)
    },
    listen: () => {
      if (socket.isPaused && socket.readyState === socket.OPEN) socket.resume()
    },
  }
}
