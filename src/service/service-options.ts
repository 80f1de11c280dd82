// What a service is started with.
import type { Logger } from '../base/log.ts'
import type { Config } from '../config.ts'
import type { Store } from '../db/store.ts'

export interface ServiceOptions {
  readonly config: Config
  readonly log: Logger
  /** A database that somebody else opened and will close. */
  readonly store?: Store | undefined
  /** Tests that ask the sandbox nothing do without its invented data. */
  readonly sandboxData?: boolean
  /** What is being done now, for the person who waits. */
  readonly onProgress?: (text: string) => void
}
