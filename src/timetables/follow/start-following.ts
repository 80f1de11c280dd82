// The job that fetches followed sources when they are due.
import type { Logger } from '../../base/log.ts'
import { drainQueue, type QueueDrain } from '../../db/drain-queue.ts'
import type { Listener } from '../../db/listener.ts'
import type { WatchJob } from '../../metrics/job-book.ts'
import { type FollowInput, followSource } from './follow-source.ts'
import { claimDue } from './followed.ts'

const BATCH = 4
const LOOK_EVERY_MS = 60_000

export interface FollowJobInput extends FollowInput {
  readonly listener: Listener
  readonly log: Logger
  readonly watch?: WatchJob | undefined
}

/** @returns whether the batch was full. */
const runBatch = async (input: FollowJobInput): Promise<boolean> => {
  const due = await claimDue(input.database, BATCH)
  const results = await Promise.allSettled(due.map(source => followSource(input, source)))
  for (const result of results)
    if (result.status === 'rejected') input.log.warn({ err: result.reason }, 'a followed source could not be stored')
  return due.length === BATCH
}

export const startFollowing = (input: FollowJobInput): Promise<QueueDrain> =>
  drainQueue({
    ...input,
    channel: 'minaret_followed_sources',
    pollMs: LOOK_EVERY_MS,
    runBatch: () => runBatch(input),
    failure: 'followed sources could not be fetched',
  })
