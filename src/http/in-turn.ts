// Pipelined requests of a connection → handled one after the other, each when the response before it has left. Node would
// handle all at once and keep the responses in memory, for as long as the client does not read them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Handler } from './handler.ts'

type Waiting = readonly [IncomingMessage, ServerResponse]

interface Line {
  readonly waiting: Waiting[]
  /** Keeps the connection paused: Node resumes it after each request that it has parsed. */
  hold: (() => void) | undefined
}

/** With this many waiting, nothing more is read from the connection. */
const MOST_WAITING = 16
/** One read may contain more; a client that sends so many small ones at once is disconnected. */
const MOST_PARSED = 256

const pause = (socket: Socket, line: Line): void => {
  if (line.hold !== undefined) return
  line.hold = () => void socket.pause()
  socket.on('resume', line.hold).pause()
}

const resume = (socket: Socket, line: Line): void => {
  if (line.hold === undefined || line.waiting.length >= MOST_WAITING) return
  socket.off('resume', line.hold)
  line.hold = undefined
  socket.resume()
}

export const inTurn = (handler: Handler): Handler => {
  /** Of connections with a request in progress. */
  const lines = new WeakMap<Socket, Line>()

  const handle = (socket: Socket, [request, response]: Waiting): void => {
    response.once('close', () => goOn(socket))
    handler(request, response)
  }

  const goOn = (socket: Socket): void => {
    const line = lines.get(socket)
    const next = line?.waiting.shift()
    if (line !== undefined) resume(socket, line)
    if (next === undefined || socket.destroyed) lines.delete(socket)
    else handle(socket, next)
  }

  const wait = (socket: Socket, line: Line, waiting: Waiting): void => {
    if (socket.destroyed) return
    line.waiting.push(waiting)
    if (line.waiting.length >= MOST_PARSED) socket.destroy()
    else if (line.waiting.length >= MOST_WAITING) pause(socket, line)
  }

  return (request, response) => {
    const { socket } = request
    const line = lines.get(socket)
    if (line !== undefined) return wait(socket, line, [request, response])
    lines.set(socket, { waiting: [], hold: undefined })
    handle(socket, [request, response])
  }
}
