// A socket that reads into one reused buffer: a new one per read would keep the garbage collector busy.
import { Socket } from 'node:net'

const READ_BYTES = 64 * 1024

type Sink = (bytes: Buffer) => void

const sinks = new WeakMap<Socket, { to: Sink }>()

/** Until somebody takes over, bytes arrive as events, as on any other socket. */
export const createReusingSocket = (): Socket => {
  const sink: { to: Sink } = { to: bytes => void socket.emit('data', Buffer.from(bytes)) }
  const socket: Socket = new Socket({
    onread: {
      buffer: Buffer.allocUnsafe(READ_BYTES),
      callback: (count, bytes) => {
        sink.to((bytes as Buffer).subarray(0, count))
        return true
      },
    },
  })
  sinks.set(socket, sink)
  return socket
}

/** The bytes are valid until the call returns: copy what is to be kept. */
export const takeBytes = (socket: Socket, to: Sink): void => {
  socket.removeAllListeners('data')
  const sink = sinks.get(socket)
  if (sink === undefined) socket.on('data', to)
  else sink.to = to
}
