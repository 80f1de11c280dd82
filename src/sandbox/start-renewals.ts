// The clock → invented data for today: at the first start before requests are served, then every night.
import { Worker } from 'node:worker_threads'
import type { Clock } from '../base/clock.ts'
import type { Logger, LogLevel } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { unwatched, type WatchJob } from '../metrics/job-book.ts'
import { dayOf, readRenewedDay } from './renew-fixtures.ts'
import type { RenewalInput, RenewalMessage } from './renewal-thread.ts'

export interface RenewalsInput {
  readonly database: Database
  readonly log: Logger
  readonly clock: Clock
  /** Reports progress to the person who waits at the first start. */
  readonly onProgress?: (text: string) => void
  readonly watch?: WatchJob | undefined
}

export interface Renewals {
  stop(): Promise<void>
}

const DAY_MS = 86_400_000
/** A little after midnight UTC: processes whose clocks differ by seconds then agree on the day. */
const AFTER_MIDNIGHT_MS = 60_000
const RETRY_MS = 300_000

const untilNight = (now: Date): number => DAY_MS - (now.getTime() % DAY_MS) + AFTER_MIDNIGHT_MS

interface Thread {
  readonly loaded: Promise<void>
  readonly renewed: Promise<boolean>
  end(): Promise<unknown>
}

const startThread = ({ database, log, clock }: RenewalsInput, urgent: boolean): Thread => {
  const now = clock.now().getTime()
  const workerData: RenewalInput = { connection: database.connection, now, logLevel: log.level as LogLevel, urgent }
  const worker = new Worker(new URL('./renewal-thread.ts', import.meta.url), { workerData })
  const loaded = Promise.withResolvers<void>()
  const renewed = Promise.withResolvers<boolean>()
  const fail = (error: Error): void => {
    loaded.reject(error)
    renewed.reject(error)
  }
  worker.on('message', (message: RenewalMessage) => {
    if (message.kind === 'loaded') loaded.resolve()
    if (message.kind === 'done') renewed.resolve(message.renewed)
  })
  worker.once('error', fail)
  worker.once('exit', () => fail(new Error('the thread that renews the sandbox ended early')))
  for (const { promise } of [loaded, renewed]) promise.catch(() => undefined)
  return { loaded: loaded.promise, renewed: renewed.promise, end: () => worker.terminate() }
}

/** Resolves once there are data to query; the rest is loaded, and old data renewed, in the background. */
export const startRenewals = async (input: RenewalsInput): Promise<Renewals> => {
  const { database, log, clock, onProgress, watch = unwatched } = input
  let timer: NodeJS.Timeout | undefined
  let thread: Thread | undefined
  let stopped = false

  const wait = (pause: number): void => {
    if (!stopped) timer = setTimeout(() => renew(false), pause).unref()
  }

  const finish = async ({ renewed }: Thread): Promise<void> => {
    try {
      if (await watch('sandbox_renewal', () => renewed))
        log.info({ day: dayOf(clock.now()) }, 'the sandbox has been renewed for today')
      wait(untilNight(clock.now()))
    } catch (error) {
      if (stopped) return
      log.error({ err: error }, 'the sandbox could not be renewed; retrying later')
      wait(RETRY_MS)
    }
  }

  const renew = (urgent: boolean): Thread => {
    thread = startThread(input, urgent)
    finish(thread)
    return thread
  }

  const day = await readRenewedDay(database)
  if (day === undefined) {
    onProgress?.('Filling the sandbox with invented data')
    await renew(true).loaded
  } else if (day < dayOf(clock.now())) renew(false)
  else wait(untilNight(clock.now()))
  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await thread?.end()
    },
  }
}
