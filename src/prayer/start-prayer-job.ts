// Changed rows, the calendar and the clock → runs of the job in its own thread, one at a time, until stopped.
import { setTimeout as delay } from 'node:timers/promises'
import { unwatched, type WatchJob } from '../metrics/job-book.ts'
import { createAlarm } from './job/alarm.ts'
import { createJobThread, type ThreadOptions } from './job/job-thread.ts'
import { adoptStrays, findWorkDue, isJobFree, isWorkDue, type RunOutcome } from './job/run-job.ts'
import { FEW, watchChanges } from './job/watch-changes.ts'
import { forgetAsked } from './on-demand/forget-asked.ts'

export interface PrayerJobInput extends ThreadOptions {
  /** How often to look for changed rows. */
  readonly lookMs?: number
  /** How often to look for everything else that may be due. */
  readonly reviewMs?: number
  /** How long days stay stored that somebody asked for. */
  readonly askedDays?: number
  readonly watch?: WatchJob | undefined
}

export interface PrayerJob {
  /** Resolves when everything due at the start is done. */
  readonly ready: Promise<void>
  /** Resolves when nothing is due any more and no run is in progress. */
  settled(): Promise<void>
  stop(): Promise<void>
}

const ASKED_DAYS = 30
const LOOK_MS = 500
/** The first pause while somebody waits for the job to finish. */
const SETTLE_MS = 100
/** Times run out by the day. */
const REVIEW_MS = 60_000
/** How many reviews for one search for rows without a state: they come from restores, and finding them takes a scan. */
const REVIEWS_PER_ADOPTION = 10
/** Another process is watching or doing the work: check again until it is done. */
const BUSY_MS = 1500
/** Shorter than that: each look of whoever waits wakes the job, which then need not wake up by itself as well. */
const LONGEST_SETTLE_MS = 1000
const FAILED_MS = 5000

export const startPrayerJob = (input: PrayerJobInput): PrayerJob => {
  const {
    database,
    log,
    clock,
    lookMs = LOOK_MS,
    reviewMs = REVIEW_MS,
    askedDays = ASKED_DAYS,
    watch = unwatched,
  } = input
  const { sleep, ring } = createAlarm()
  const state = { stopped: false, reviewAt: 0, adoptAt: 0 }
  const thread = createJobThread(input)
  let running: Promise<RunOutcome> | undefined

  const isOver = (): boolean => state.stopped || performance.now() >= state.reviewAt

  /** Every masjid and event that is due, for whatever reason. */
  const review = async (): Promise<number> => {
    const now = performance.now()
    state.reviewAt = now + reviewMs
    if (now >= state.adoptAt) {
      state.adoptAt = now + reviewMs * REVIEWS_PER_ADOPTION
      await adoptStrays(database)
    }
    await forgetAsked(database, { now: clock.now(), days: askedDays })
    const { masjids, events } = await findWorkDue(database, clock.now())
    // Until nothing is due: a run leaves out what somebody is changing at the time.
    if (masjids + events > 0) state.reviewAt = 0
    return masjids + events
  }

  /** One run, if there is something to do. Returns how long to pause afterwards. */
  const run = async (due: number): Promise<number> => {
    if (due === 0 || state.stopped) return 0
    if (!(await isJobFree(database))) return BUSY_MS
    const started = thread.run(due > FEW)
    running = started
    const { masjids, events } = await watch('prayer_times', () => started)
    if (masjids + events > 0) log.info({ masjids, events }, 'prayer times and occurrences are up to date')
    // Something is due but unavailable: another process is doing it, or someone holds a lock on the row.
    return masjids + events > 0 ? 0 : BUSY_MS
  }

  const turn = async (): Promise<number> => {
    if (isOver()) return run(await review())
    const changed = await watchChanges({ database, everyMs: lookMs, sleep, isOver })
    return changed === 'taken' ? BUSY_MS : run(changed)
  }

  const failed = (error: unknown): number => {
    if (!state.stopped) log.error({ err: error }, 'the prayer job failed; retrying')
    return FAILED_MS
  }

  const loop = async (): Promise<void> => {
    while (!state.stopped) {
      const pause = await watch('prayer_watch', turn).catch(failed)
      if (pause > 0 && !state.stopped) await sleep(pause)
    }
  }

  /**
   * Checking reads every masjid and event. It is not done while the job runs, and less and less often while another process
   * does the work: at a first start with thousands of masjids it took the database longer than storing their times.
   */
  const settled = async (): Promise<void> => {
    for (let pause = SETTLE_MS; !state.stopped && (await isWorkDue(database, clock.now())); pause *= 2) {
      state.reviewAt = 0
      ring()
      await delay(Math.min(pause, LONGEST_SETTLE_MS))
      await running?.catch(() => undefined)
    }
    await running?.catch(() => undefined)
  }

  const looping = loop()
  return {
    ready: settled().catch(() => undefined),
    settled,
    stop: async () => {
      state.stopped = true
      ring()
      await thread.end()
      await looping
    },
  }
}
