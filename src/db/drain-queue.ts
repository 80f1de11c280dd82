// Work that waits in a table → done in batches: when a notification comes, and now and then in case one was lost.
import type { Logger } from '../base/log.ts'
import { unwatched, type WatchJob } from '../metrics/job-book.ts'
import type { Listener } from './listener.ts'

export interface QueueDrain {
  /** Looks at the queue again. */
  wake(): void
  /** Ends after the batch in progress. */
  close(): Promise<void>
}

export interface QueueDrainOptions {
  readonly listener: Listener
  readonly log: Logger
  /** Notified when something was added to the queue. */
  readonly channel: string
  readonly pollMs: number
  /** @returns whether the batch was full, so that more may wait. */
  readonly runBatch: () => Promise<boolean>
  /** The log line if a batch cannot be run. */
  readonly failure: string
  /** Told about every run, under the name of the channel without its prefix. */
  readonly watch?: WatchJob | undefined
}

export const drainQueue = async (options: QueueDrainOptions): Promise<QueueDrain> => {
  const { listener, log, channel, pollMs, runBatch, failure, watch = unwatched } = options
  const job = channel.replace(/^minaret_/, '')
  let closed = false
  let working: Promise<void> = Promise.resolve()
  const drain = async (): Promise<void> => {
    while (!closed && (await watch(job, runBatch)));
  }
  const wake = (): void => {
    if (closed) return
    working = working.then(drain).catch(error => log.warn({ err: error }, failure))
  }
  await listener.on(channel, wake)
  listener.onReconnected(wake)
  const timer = setInterval(wake, pollMs)
  timer.unref()
  wake()
  return {
    wake,
    close: async () => {
      closed = true
      clearInterval(timer)
      await working
    },
  }
}
