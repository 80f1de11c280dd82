// In the first of several processes: a connection that was handed to a worker which ended before it took it → another worker.
// node:cluster forgets such connections, and their clients would wait for ever. A worker says that it takes a connection before it
// reads anything of it, what it said arrives before its end, and until then the first process has the connection open too.
import cluster, { type Worker } from 'node:cluster'
import type { Connection, SharedPorts } from './shared-ports.ts'

export interface HandedConnections {
  /** To be called when the worker is started, before it is handed anything. */
  watch(worker: Worker): void
  /** What no worker takes from now on is closed. */
  close(): void
}

/** What node:cluster sends, and what it is told. */
interface ClusterMessage {
  readonly act?: string
  readonly seq?: number
  readonly ack?: number
}

type Send = (message: ClusterMessage, handle?: unknown, ...rest: unknown[]) => boolean

type Place =
  | { readonly kind: 'queued' }
  | { readonly kind: 'handed'; readonly worker: Worker; readonly seq: number | undefined }
  /** The last worker is gone, and the next one is not there yet. */
  | { readonly kind: 'left' }

/** What an ended worker had sent is still being read. */
const READ_EVERY_MS = 10

export const watchHandedConnections = (ports: SharedPorts): HandedConnections => {
  const places = new Map<Connection, Place>()
  let closing = false

  /** node:cluster closes a connection when a worker has taken it, but also all that are queued when the last worker leaves. */
  const followClosing = (connection: Connection): void => {
    const { close } = connection
    connection.close = (...parameters) => {
      if (places.get(connection)?.kind === 'queued' && !closing) return void places.set(connection, { kind: 'left' })
      places.delete(connection)
      close.apply(connection, parameters)
    }
  }

  const queue = (connection: Connection): void => {
    if (!places.has(connection)) followClosing(connection)
    places.set(connection, { kind: 'queued' })
  }

  const giveAgain = (connection: Connection): void => {
    if (ports.give(connection)) return
    places.set(connection, { kind: 'left' })
    if (closing) connection.close()
  }

  const giveAll = (which: (place: Place) => boolean): void => {
    for (const [connection, place] of [...places]) if (which(place)) giveAgain(connection)
  }

  const onEnd = (worker: Worker): void => {
    if (worker.isConnected()) setTimeout(onEnd, READ_EVERY_MS, worker)
    else giveAll(place => place.kind === 'handed' && place.worker === worker)
  }

  ports.onAccept(queue)
  cluster.on('listening', () => giveAll(({ kind }) => kind === 'left'))
  return {
    watch: worker => {
      const asked = new Map<number | undefined, Connection>()
      const send = worker.process.send as Send
      const watchedSend: Send = (message, handle, ...rest) => {
        const connection = handle as Connection
        if (message.act === 'newconn' && places.has(connection)) {
          places.set(connection, { kind: 'handed', worker, seq: message.seq })
          asked.set(message.seq, connection)
        }
        return send.call(worker.process, message, handle, ...rest)
      }
      worker.process.send = watchedSend as typeof worker.process.send
      // After node:cluster itself: what was refused is queued again, unless it is closed by now, or with another worker.
      worker.process.on('internalMessage', ({ ack }: ClusterMessage) => {
        const connection = ack === undefined ? undefined : asked.get(ack)
        if (connection === undefined) return
        asked.delete(ack)
        const place = places.get(connection)
        if (place?.kind === 'handed' && place.seq === ack) places.set(connection, { kind: 'queued' })
      })
      // Writing to a worker that is just ending fails, which its end tells as well.
      worker.on('error', () => undefined)
      worker.once('exit', () => onEnd(worker))
    },
    close: () => {
      closing = true
      giveAll(({ kind }) => kind === 'left')
    },
  }
}
