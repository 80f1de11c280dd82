// Planned changes of prayers whose time has come → made, one after another, by whichever process is first.

import type { Logger } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { drainQueue, type QueueDrain } from '../db/drain-queue.ts'
import type { Listener } from '../db/listener.ts'
import { sql } from '../db/sql.ts'
import type { WatchJob } from '../metrics/job-book.ts'

/** How late a change may be. What was missed while nothing ran is made at the next start. */
const LOOK_EVERY_MS = 5000

interface PlannedChangesInput {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
  readonly watch?: WatchJob | undefined
}

/** One at a time: a transaction that held the locks of two masjids could wait in a circle with another. */
const runNext = async (database: Database): Promise<boolean> => {
  const row = await database.first<{ ran: number }>(sql`select public.run_planned_changes(1) as ran`)
  return row?.ran === 1
}

export const startPlannedChanges = ({ database, ...input }: PlannedChangesInput): Promise<QueueDrain> =>
  drainQueue({
    ...input,
    channel: 'minaret_planned_changes',
    pollMs: LOOK_EVERY_MS,
    runBatch: () => runNext(database),
    failure: 'planned changes of prayers could not be made',
  })
