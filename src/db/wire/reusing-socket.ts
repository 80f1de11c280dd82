// A socket that reads into one piece of memory, over and over: a fresh one for each read would keep the collector busy.
import { Socket } from 'node:net'

const READ_BYTES = 64 * 1024

type Sink = (bytes: Buffer) => void

const sinks = new WeakMap<Socket, { to: Sink }>()

/** Until somebody takes its bytes, they come as events, as from any other socket. */
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

/** The bytes are good until the call returns: what is to be kept must be copied. */
export const takeBytes = (socket: Socket, to: Sink): void => {
  socket.removeAllListeners('data')
  const sink = sinks.get(socket)
  if (sink === undefined) socket.on('data', to)
  else sink.to = to
}
