// Accounts whose time has come → erased, one after another, by whichever process is first.
import type { Logger } from '../../base/log.ts'
import type { Database } from '../../db/database.ts'
import { drainQueue, type QueueDrain } from '../../db/drain-queue.ts'
import type { Listener } from '../../db/listener.ts'
import type { WatchJob } from '../../metrics/job-book.ts'
import { runNextErasure } from './run-erasure.ts'

/** Nobody waits for it to the minute. */
const LOOK_EVERY_MS = 60_000

interface ErasingInput {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
  readonly watch?: WatchJob | undefined
}

export const startErasing = ({ database, ...input }: ErasingInput): Promise<QueueDrain> =>
  drainQueue({
    ...input,
    channel: 'minaret_erasures',
    pollMs: LOOK_EVERY_MS,
    runBatch: () => runNextErasure(database),
    failure: 'an account could not be erased; it is tried again',
  })
