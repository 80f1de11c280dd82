// Runs of the job in a thread of their own. Changes come one after the other, and starting a thread takes half a second of a
// processor, so the thread is kept for a while. Long work gets a thread for itself: its priority cannot be raised again.
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../base/clock.ts'
import type { Logger, LogLevel } from '../../base/log.ts'
import type { Database } from '../../db/database.ts'
import type { Progress, RunOutcome } from './run-job.ts'
import type { Asked, ThreadInput, ThreadNews } from './thread.ts'

export interface ThreadOptions {
  readonly database: Database
  readonly log: Logger
  readonly clock: Clock
  readonly onProgress?: (progress: Progress) => void
}

export interface JobThread {
  /** One at a time. In the background, it rests while the main thread is busy with requests. */
  run(background: boolean): Promise<RunOutcome>
  /** Ends a run that is in progress. */
  end(): Promise<void>
}

const PACE_MS = 250
/** Chunks are small; more than this would be a bug, and must not take the service down. */
const HEAP_MB = 256
/** How long a thread waits for the next change. */
const KEPT_MS = 60_000
/** A database that does not answer must not hold up the end of the service. */
const END_MS = 2000
/** Above this the main thread counts as busy with requests, and the job works a tenth of the time. */
const BUSY_SHARE = 0.1
const REST_HUNDREDTHS = 900
/** What cannot be made is tried with every run, and said once in this time. */
const SAID_AGAIN_MS = 3_600_000
/** Bounds memory. */
const MOST_SAID = 1000

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

type Fault = Extract<ThreadNews, { kind: 'fault' }>

/** Logs a fault, unless it did so a short time ago. */
const createFaultLog = ({ log, clock }: ThreadOptions): ((fault: Fault) => void) => {
  const said = new Map<string, number>()
  return ({ what, message }) => {
    const now = clock.now().getTime()
    const key = `${what}: ${message}`
    if (now - (said.get(key) ?? Number.NEGATIVE_INFINITY) < SAID_AGAIN_MS) return
    if (said.size >= MOST_SAID) said.clear()
    said.set(key, now)
    log.warn({ fault: message }, `${what} could not be made`)
  }
}

interface Started {
  readonly worker: Worker
  readonly stopPace: () => void
  hasExited: boolean
  /** Of the run in progress. */
  pending: PromiseWithResolvers<RunOutcome> | undefined
}

const start = (
  { database, log, onProgress }: ThreadOptions,
  onFault: (fault: Fault) => void,
  background: boolean,
): Started => {
  const rest = new SharedArrayBuffer(4)
  const workerData: ThreadInput = {
    connection: database.connection,
    logLevel: log.level as LogLevel,
    background,
    rest,
  }
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    name: 'prayer job',
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const stopPace = background ? keepPace(rest) : () => undefined
  const started: Started = { worker, stopPace, hasExited: false, pending: undefined }
  worker.on('message', (news: ThreadNews) => {
    if (news.kind === 'progress') onProgress?.(news)
    else if (news.kind === 'fault') onFault(news)
    else started.pending?.resolve(news)
  })
  worker.once('error', error => started.pending?.reject(error))
  worker.once('exit', () => {
    started.hasExited = true
    started.pending?.reject(new Error("the prayer job's thread exited early"))
  })
  return started
}

const ended = (worker: Worker): Promise<void> => new Promise(resolve => void worker.once('exit', () => resolve()))

export const createJobThread = (options: ThreadOptions): JobThread => {
  const onFault = createFaultLog(options)
  let kept: Started | undefined
  let running: Started | undefined
  let timer: NodeJS.Timeout | undefined

  /** It closes its connections first. */
  const release = async ({ worker, stopPace, hasExited }: Started): Promise<void> => {
    stopPace()
    if (hasExited) return
    worker.postMessage({ kind: 'end' } satisfies Asked)
    const deadline = setTimeout(() => void worker.terminate(), END_MS)
    await ended(worker)
    clearTimeout(deadline)
  }

  const dismiss = async (): Promise<void> => {
    clearTimeout(timer)
    const idle = kept
    kept = undefined
    if (idle !== undefined) await release(idle)
  }

  /** Nothing is left to do, and only the next change can tell whether it is needed again. */
  const keep = (started: Started): void => {
    started.worker.unref()
    kept = started
    timer = setTimeout(() => void dismiss(), KEPT_MS).unref()
  }

  const take = (background: boolean): Started => {
    if (background) return start(options, onFault, background)
    clearTimeout(timer)
    const taken = kept
    kept = undefined
    if (taken === undefined || taken.hasExited) return start(options, onFault, background)
    taken.worker.ref()
    return taken
  }

  return {
    run: async background => {
      const started = take(background)
      const pending = Promise.withResolvers<RunOutcome>()
      started.pending = pending
      running = started
      started.worker.postMessage({ kind: 'run', now: options.clock.now().getTime() } satisfies Asked)
      try {
        const outcome = await pending.promise
        if (background) void release(started)
        else keep(started)
        return outcome
      } catch (error) {
        started.stopPace()
        void started.worker.terminate()
        throw error
      } finally {
        started.pending = undefined
        running = undefined
      }
    },
    end: async () => {
      await Promise.all([running?.worker.terminate(), dismiss()])
    },
  }
}
