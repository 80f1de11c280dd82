// Pipelined requests of a connection → handled one after the other, each when the response before it has left. Node would
// handle all at once and keep the responses in memory, for as long as the client does not read them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Handler } from './handler.ts'

type Waiting = readonly [IncomingMessage, ServerResponse]

export const inTurn = (handler: Handler): Handler => {
  /** Connections with a request in progress, and what waits behind it. */
  const lines = new WeakMap<Socket, Waiting[]>()

  const handle = (socket: Socket, [request, response]: Waiting): void => {
    response.once('close', () => goOn(socket))
    handler(request, response)
  }

  const goOn = (socket: Socket): void => {
    const next = lines.get(socket)?.shift()
    if (next === undefined || socket.destroyed) lines.delete(socket)
    else handle(socket, next)
  }

  return (request, response) => {
    const { socket } = request
    const line = lines.get(socket)
    if (line !== undefined) return void line.push([request, response])
    lines.set(socket, [])
    handle(socket, [request, response])
  }
}
