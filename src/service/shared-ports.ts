// In the first of several processes: the ports that node:cluster opened for the workers, so that they are closed as carefully
// as a single process closes its own. The module itself closes them when the last worker leaves, and resets connections.
import { createHook } from 'node:async_hooks'
import { closePort, type ListeningHandle } from '../http/close-port.ts'

export interface SharedPorts {
  /** Workers still get every connection that was made before. */
  close(): Promise<void>
}

interface ClosableHandle extends ListeningHandle {
  close(): void
}

/** To be called before the first worker is started. */
export const watchSharedPorts = (): SharedPorts => {
  const handles: ClosableHandle[] = []
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'TCPSERVERWRAP') handles.push(resource as ClosableHandle)
    },
  }).enable()
  return {
    close: async () => {
      hook.disable()
      for (const handle of handles) await closePort(handle, () => handle.close())
    },
  }
}
