// In the first of several processes: the ports that node:cluster opened for the workers, so that they are closed as carefully
// as a single process closes its own. The module itself closes them when the last worker leaves, and resets connections.
import { createHook } from 'node:async_hooks'
import cluster from 'node:cluster'
import { closePort, type ListeningHandle } from '../http/close-port.ts'

/** Node's handle of an accepted connection. */
export interface Connection {
  close(...parameters: unknown[]): void
  getsockname(out: { port?: number }): number
}

export interface SharedPorts {
  /** Calls back with each connection that is accepted from now on, before a worker is chosen for it. */
  onAccept(listener: (connection: Connection) => void): void
  /** Passes a connection to a worker, as if it had just been accepted. @returns false while its port is not open */
  give(connection: Connection): boolean
  /** Workers still get every connection that was made before. */
  close(): Promise<void>
}

type Distribute = (error: number, connection?: Connection) => void

interface SharedHandle extends ListeningHandle {
  close(): void
  /** Set by node:cluster. */
  onconnection?: Distribute
}

const portOf = (handle: ListeningHandle | Connection): number | undefined => {
  const name: { port?: number } = {}
  return (handle as Connection).getsockname?.(name) === 0 ? name.port : undefined
}

/** To be called before the first worker is started. */
export const watchSharedPorts = (): SharedPorts => {
  const handles: SharedHandle[] = []
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'TCPSERVERWRAP') handles.push(resource as SharedHandle)
    },
  }).enable()
  return {
    onAccept: listener => {
      const followed = new WeakSet<SharedHandle>()
      // Only now node:cluster has set its own.
      cluster.on('listening', () => {
        for (const handle of handles) {
          const distribute = handle.onconnection
          if (distribute === undefined || followed.has(handle)) continue
          followed.add(handle)
          handle.onconnection = (error, connection) => {
            if (connection !== undefined) listener(connection)
            distribute(error, connection)
          }
        }
      })
    },
    give: connection => {
      const port = portOf(connection)
      const listening = handles.find(handle => port !== undefined && portOf(handle) === port)
      listening?.onconnection?.(0, connection)
      return listening?.onconnection !== undefined
    },
    close: async () => {
      hook.disable()
      for (const handle of handles) await closePort(handle, () => handle.close())
    },
  }
}
