// Marks and the calendar → announced times as rows, one masjid after another, in the background.
import { setTimeout as delay } from 'node:timers/promises'
import { type DayNumber, dayNumberAt } from '../../base/civil-date.ts'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import { type DataSchema, dataSchemas } from '../../db/data-schema.ts'
import type { Database } from '../../db/database.ts'
import { drainQueue, type QueueDrain } from '../../db/drain-queue.ts'
import type { Listener } from '../../db/listener.ts'
import type { Counter } from '../../metrics/counter.ts'
import type { WatchJob } from '../../metrics/job-book.ts'
import { checkNext, findDue, keepTimes, type Reach } from './keep-times.ts'

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
/** All masjids are checked once a day: a hundred thousand take a third of it. */
const REST_PER_CHECK = 4

/** Returns whether there was one to be checked. */
const check = async ({ database, log, counter }: KeepingInput, reach: Reach): Promise<boolean> => {
  const checked = await checkNext(database, reach)
  if (checked === undefined) return false
  if (checked.wrong > 0) {
    counter.add(reach.schema)
    log.warn({ masjid: checked.masjid_id, rows: checked.wrong }, 'announced times did not agree with the rules; mended')
  }
  return true
}

interface Due {
  readonly schema: DataSchema
  readonly masjid: string
}

const listDue = async (database: Database, until: DayNumber): Promise<Due[]> => {
  const lists = dataSchemas.map(async schema =>
    (await findDue(database, { schema, until })).map(masjid => ({ schema, masjid })),
  )
  return (await Promise.all(lists)).flat()
}

/** Of those that are due, one. Another one that fails, or that another process is keeping, holds up none. */
const keepOne = async (database: Database, due: Due[], until: DayNumber): Promise<boolean> => {
  for (let next = due.shift(); next !== undefined; next = due.shift())
    if (await keepTimes(database, { schema: next.schema, until }, next.masjid)) return true
  return false
}

const createTurn = (input: KeepingInput): (() => Promise<boolean>) => {
  const { database, clock, announcedDays } = input
  let due: Due[] = []
  return async () => {
    const started = performance.now()
    const until = dayNumberAt(clock.now()) + announcedDays
    if (due.length === 0) due = await listDue(database, until)
    const isKept = await keepOne(database, due, until)
    let isChecked = false
    if (!isKept) for (const schema of dataSchemas) isChecked = (await check(input, { schema, until })) || isChecked
    const rest = isKept ? REST_PER_WORK : REST_PER_CHECK
    if (isKept || isChecked) await delay(rest * (performance.now() - started))
    return isKept || isChecked
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
