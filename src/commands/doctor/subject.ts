// What the checks look at: the configuration, the database that answered, and one open connection to it.
import type pg from 'pg'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Store } from '../../db/store.ts'
import type { Finding } from './finding.ts'

export interface Subject {
  readonly config: Config
  readonly clock: Clock
  readonly store: Store
  /** Of the owner, directly or as DATABASE_LISTEN_URL says. */
  readonly client: pg.Client
  /** Whether our tables are there, and may be read. */
  readonly isMigrated: boolean
}

export interface Check {
  readonly name: string
  /** One finding for each thing that was looked at. An error that it throws becomes a fault. */
  readonly look: (subject: Subject) => Promise<readonly Finding[]>
}
