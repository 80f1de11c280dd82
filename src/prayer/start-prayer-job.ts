// Notifications, the calendar and the clock → runs of the job in its own thread, one at a time, until stopped.
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../base/clock.ts'
import type { Logger, LogLevel } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import { adoptStrays, findWorkDue, isJobFree, isWorkDue, type Progress, type RunOutcome } from './job/run-job.ts'
import type { ThreadInput, ThreadNews } from './job/thread.ts'

export interface PrayerJobInput {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
  readonly clock: Clock
  readonly onProgress?: (progress: Progress) => void
  /** How often the tables are polled when no notification comes. */
  readonly pollMs?: number
}

export interface PrayerJob {
  /** Resolves when everything due at the start is done. */
  readonly ready: Promise<void>
  /** Resolves when nothing is due any more and no run is in progress. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** The state is in the tables, so a lost notification loses nothing: polling finds it. */
const POLL_MS = 60_000
/** Another process is doing the work: check again until it is done. */
const BUSY_MS = 1000
const FAILED_MS = 5000
const SETTLE_MS = 100
const PACE_MS = 250
/** Chunks are small; more than this would be a bug, and must not take the service down. */
const HEAP_MB = 256
/** This many are done quickly while someone waits; more are done in the background. */
const FEW = 20
/** Above this the main thread counts as busy with requests, and the job works a tenth of the time. */
const BUSY_SHARE = 0.1
const REST_HUNDREDTHS = 900

/** Requests come first: the busier the main thread, the longer the job rests between chunks. */
const keepPace = (rest: SharedArrayBuffer): (() => void) => {
  const hundredths = new Int32Array(rest)
  let last = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    Atomics.store(
      hundredths,
      0,
      performance.eventLoopUtilization(now, last).utilization > BUSY_SHARE ? REST_HUNDREDTHS : 0,
    )
    last = now
  }, PACE_MS)
  timer.unref()
  return () => clearInterval(timer)
}

interface Thread {
  readonly outcome: Promise<RunOutcome>
  end(): Promise<unknown>
}

const startThread = (input: PrayerJobInput, background: boolean): Thread => {
  const rest = new SharedArrayBuffer(4)
  const workerData: ThreadInput = {
    connection: input.database.connection,
    now: input.clock.now().getTime(),
    logLevel: input.log.level as LogLevel,
    background,
    rest,
  }
  const worker = new Worker(new URL('./job/thread.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const stopPace = keepPace(rest)
  const outcome = new Promise<RunOutcome>((resolve, reject) => {
    worker.on('message', (news: ThreadNews) => {
      if (news.kind === 'progress') input.onProgress?.(news)
      else if (news.kind === 'fault') input.log.warn({ fault: news.message }, `${news.what} could not be made`)
      else resolve(news)
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error("the prayer job's thread exited early")))
  }).finally(stopPace)
  outcome.catch(() => undefined)
  return { outcome, end: () => worker.terminate() }
}

export const startPrayerJob = (input: PrayerJobInput): PrayerJob => {
  const { database, listener, log, clock, pollMs = POLL_MS } = input
  const state = { stopped: false, running: false, again: false }
  let timer: NodeJS.Timeout | undefined
  let thread: Thread | undefined
  let turn: Promise<void> = Promise.resolve()

  /** One run, if there is something to do. Returns the time until the next poll. */
  const work = async (): Promise<number> => {
    await adoptStrays(database)
    const found = await findWorkDue(database, clock.now())
    const due = found.masjids + found.events
    if (due === 0 || state.stopped) return pollMs
    if (!(await isJobFree(database))) return BUSY_MS
    thread = startThread(input, due > FEW)
    const { masjids, events } = await thread.outcome
    if (masjids + events > 0) log.info({ masjids, events }, 'prayer times and occurrences are up to date')
    // Something is due but unavailable: another process is doing it, or someone holds a lock on the row.
    return masjids + events > 0 ? 0 : BUSY_MS
  }

  const failed = (error: unknown): number => {
    if (!state.stopped) log.error({ err: error }, 'the prayer job failed; retrying')
    return FAILED_MS
  }

  const loop = async (): Promise<void> => {
    while (!state.stopped) {
      state.again = false
      const pause = await work().catch(failed)
      if (pause === 0 || (pause === pollMs && state.again)) continue
      if (!state.stopped) timer = setTimeout(wake, pause).unref()
      return
    }
  }

  const wake = (): void => {
    state.again = true
    if (state.running || state.stopped) return
    state.running = true
    clearTimeout(timer)
    turn = loop().finally(() => {
      state.running = false
    })
  }

  const settled = async (): Promise<void> => {
    while (!state.stopped && (await isWorkDue(database, clock.now()))) {
      wake()
      await turn
      await delay(SETTLE_MS)
    }
    await turn
  }

  listener.on('minaret_prayer', wake).catch(failed)
  listener.onReconnected(wake)
  wake()
  return {
    // Not only on the first run: another process may have had the lock.
    ready: turn.then(settled).catch(() => undefined),
    settled,
    stop: async () => {
      state.stopped = true
      clearTimeout(timer)
      await thread?.end()
      await turn
    },
  }
}
