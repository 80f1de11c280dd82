// Marks and the calendar → announced times as rows, one masjid after another, in the background.
import { setTimeout as delay } from 'node:timers/promises'
import { dayNumberAt } from '../../base/civil-date.ts'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import { dataSchemas } from '../../db/data-schema.ts'
import type { Database } from '../../db/database.ts'
import { drainQueue, type QueueDrain } from '../../db/drain-queue.ts'
import type { Listener } from '../../db/listener.ts'
import type { Counter } from '../../metrics/counter.ts'
import type { WatchJob } from '../../metrics/job-book.ts'
import { checkNext, keepNext, type Reach } from './keep-times.ts'

interface KeepingInput {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
  readonly clock: Clock
  /** How many days ahead have rows. */
  readonly announcedDays: number
  /** Rows that did not agree with the definition. */
  readonly counter: Counter
  readonly watch?: WatchJob | undefined
}

const LOOK_EVERY_MS = 1000
/** As long as the work: at a first start, or after a new version of the time zones, requests get the other half of a core. */
const REST_PER_WORK = 1

const check = async ({ database, log, counter }: KeepingInput, reach: Reach): Promise<void> => {
  const checked = await checkNext(database, reach)
  if (checked === undefined || checked.wrong === 0) return
  counter.add(reach.schema)
  log.warn({ masjid: checked.masjid_id, rows: checked.wrong }, 'announced times did not agree with the rules; mended')
}

const createTurn = (input: KeepingInput): (() => Promise<boolean>) => {
  const { database, clock, announcedDays } = input
  return async () => {
    const started = performance.now()
    const until = dayNumberAt(clock.now()) + announcedDays
    for (const schema of dataSchemas)
      if (await keepNext(database, { schema, until })) {
        await delay(REST_PER_WORK * (performance.now() - started))
        return true
      }
    for (const schema of dataSchemas) await check(input, { schema, until })
    return false
  }
}

export const startKeepingTimes = (input: KeepingInput): Promise<QueueDrain> =>
  drainQueue({
    ...input,
    channel: 'minaret_announced_times',
    pollMs: LOOK_EVERY_MS,
    runBatch: createTurn(input),
    failure: 'announced times could not be kept',
  })
