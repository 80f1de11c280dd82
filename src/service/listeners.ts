// Config → the two bound listeners and their public addresses.
import type { Config } from '../config.ts'
import { type Binding, bind, unbind } from '../http/bind.ts'
import type { Unwind } from './unwind.ts'

export interface Listeners {
  readonly main: Binding
  readonly sandbox: Binding
  readonly baseUrl: string
  readonly sandboxUrl: string
}

export const openListeners = async (config: Config, undo: Unwind): Promise<Listeners> => {
  const open = async (port: number): Promise<Binding> => {
    const binding = await bind(config.host, port)
    undo.add(() => unbind(binding))
    return binding
  }
  const main = await open(config.port)
  const sandbox = await open(config.sandboxPort)
  return {
    main,
    sandbox,
    baseUrl: config.baseUrl ?? `http://localhost:${main.port}`,
    sandboxUrl: config.sandboxUrl ?? `http://localhost:${sandbox.port}`,
  }
}
