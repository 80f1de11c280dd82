// What a service is started with.
import type { Logger } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import type { Store } from '../db/store.ts'
import type { DeclaredRoute } from '../http/charges/charge-addresses.ts'
import type { ListenerName } from '../metrics/watching.ts'
import type { Dial } from '../outbound/guarded-fetch.ts'

export interface ServiceOptions {
  readonly config: Config
  readonly log: Logger
  /** A database opened, and later closed, by the caller. */
  readonly store?: Store | undefined
  /** Tests that do not use the sandbox skip its fixture data. */
  readonly sandboxData?: boolean
  /** How images and followed sheets are reached. Tests serve them themselves; otherwise they come from the public internet only. */
  readonly dial?: Dial | undefined
  /** Aborted when the process is told to stop while it is starting. */
  readonly stopping?: AbortSignal | undefined
  /** Told about the routes of each listener, with what they are charged. */
  readonly onRoutes?: (listener: ListenerName, routes: readonly DeclaredRoute[]) => void
  /** Progress, for the person at the terminal. */
  readonly onProgress?: (text: string) => void
}
