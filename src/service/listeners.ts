// Config → the two bound listeners and their public addresses.
import type { Config } from '../config/config.ts'
import { type Binding, bind, bindLater, unbind } from '../http/bind.ts'
import type { Unwind } from './unwind.ts'

export interface Listeners {
  readonly main: Binding
  readonly sandbox: Binding
  readonly baseUrl: string
  readonly sandboxUrl: string
  /** Accepts connections: in production only once everything is ready, elsewhere from the beginning. */
  open(): Promise<void>
}

export const openListeners = async (config: Config, undo: Unwind): Promise<Listeners> => {
  const opening: (() => Promise<unknown>)[] = []
  const open = async (port: number): Promise<Binding> => {
    const options = { host: config.host, port, keepAliveMs: config.keepAliveSeconds * 1000 }
    if (config.mode === 'production' && port !== 0) {
      const later = bindLater(options)
      opening.push(later.open)
      undo.add(() => unbind(later))
      return later
    }
    const binding = await bind(options)
    undo.add(() => unbind(binding))
    return binding
  }
  const main = await open(config.port)
  const sandbox = await open(config.sandboxPort)
  return {
    main,
    sandbox,
    baseUrl: config.baseUrl ?? `http://localhost:${main.port}`,
    open: async () => {
      for (const one of opening) await one()
    },
    sandboxUrl: config.sandboxUrl ?? `http://localhost:${sandbox.port}`,
  }
}
