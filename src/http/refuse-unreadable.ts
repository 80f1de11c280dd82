// Bytes that are no HTTP request, or one that never ends → a response that says so, and the end of the connection.
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { STATUS_CODES } from './node-http.ts'

type Unreadable = Error & { readonly code?: string | undefined }

const statusOf = ({ code }: Unreadable): number => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
}

const descriptions: Readonly<Record<number, string>> = {
  400: 'The request cannot be read.',
  408: 'The request did not arrive in time.',
  431: 'The headers of the request are too large.',
}

/** Nothing of it can be trusted, so its id is a new one. */
export const refuseUnreadable = (error: Unreadable, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = statusOf(error)
  const body = JSON.stringify({ error: 'bad_request', error_description: descriptions[status] })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    'cache-control: no-store',
    `x-request-id: ${randomUUID()}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}
