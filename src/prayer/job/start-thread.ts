// Starts one run of the job in its own thread, which rests while the main thread is busy with requests.
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../base/clock.ts'
import type { Logger, LogLevel } from '../../base/log.ts'
import type { Database } from '../../db/database.ts'
import type { Progress, RunOutcome } from './run-job.ts'
import type { ThreadInput, ThreadNews } from './thread.ts'

export interface ThreadOptions {
  readonly database: Database
  readonly log: Logger
  readonly clock: Clock
  readonly onProgress?: (progress: Progress) => void
}

export interface Thread {
  readonly outcome: Promise<RunOutcome>
  end(): Promise<unknown>
}

const PACE_MS = 250
/** Chunks are small; more than this would be a bug, and must not take the service down. */
const HEAP_MB = 256
/** Above this the main thread counts as busy with requests, and the job works a tenth of the time. */
const BUSY_SHARE = 0.1
const REST_HUNDREDTHS = 900

/** Requests come first: the busier the main thread, the longer the job rests between chunks. */
const keepPace = (rest: SharedArrayBuffer): (() => void) => {
  const hundredths = new Int32Array(rest)
  let last = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    Atomics.store(hundredths, 0, utilization > BUSY_SHARE ? REST_HUNDREDTHS : 0)
    last = now
  }, PACE_MS)
  timer.unref()
  return () => clearInterval(timer)
}

export const startThread = ({ database, log, clock, onProgress }: ThreadOptions, background: boolean): Thread => {
  const rest = new SharedArrayBuffer(4)
  const workerData: ThreadInput = {
    connection: database.connection,
    now: clock.now().getTime(),
    logLevel: log.level as LogLevel,
    background,
    rest,
  }
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const stopPace = keepPace(rest)
  const outcome = new Promise<RunOutcome>((resolve, reject) => {
    worker.on('message', (news: ThreadNews) => {
      if (news.kind === 'progress') onProgress?.(news)
      else if (news.kind === 'fault') log.warn({ fault: news.message }, `${news.what} could not be made`)
      else resolve(news)
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error("the prayer job's thread exited early")))
  }).finally(stopPace)
  outcome.catch(() => undefined)
  return { outcome, end: () => worker.terminate() }
}
