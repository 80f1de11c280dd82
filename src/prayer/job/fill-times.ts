// Masjids that are due → stored times, chunk by chunk: while one chunk is written, the next is calculated.
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Queryable } from '../../db/database.ts'
import { identifier, sql } from '../../db/sql.ts'
import { calculateDays } from '../calculation/calculate-days.ts'
import { dateOf } from '../calculation/civil-date.ts'
import { createHijriCalendar } from '../calculation/hijri.ts'
import { createRowIds } from './row-ids.ts'
import { countStaleMasjids, type Goal, nextStaleMasjids, type StaleMasjid } from './stale-masjids.ts'
import { type CalculatedMasjid, type Chunk, removeTimes, storeTimes } from './store-times.ts'

export interface FillOptions {
  readonly database: Database
  readonly goal: Goal
  readonly onProgress?: (done: number, total: number) => void
  /** How long to rest after a piece of work of so many milliseconds. */
  readonly restFor?: (workedMs: number) => number
  readonly onFault?: (masjidId: string, error: unknown) => void
}

/** A transaction of a tenth of a second or two, and a few megabytes; a change that comes meanwhile is next. */
const ROWS_PER_CHUNK = 5000
const MOST_MASJIDS = 250
/** Who looks back further than a month asks the calculation itself. */
const DAYS_KEPT = 31

const chunkSize = (goal: Goal, masjids: readonly StaleMasjid[]): number => {
  let rows = 0
  const end = masjids.findIndex(masjid => {
    rows += goal.last - masjid.from + 1
    return rows > ROWS_PER_CHUNK
  })
  return end === -1 ? masjids.length : Math.max(1, end)
}

const createCalculator = ({
  goal,
  onFault,
}: FillOptions): ((masjids: readonly StaleMasjid[]) => CalculatedMasjid[]) => {
  const hijriOf = createHijriCalendar()
  return masjids =>
    masjids.flatMap(masjid => {
      try {
        const stretch = { first: masjid.from, days: goal.last - masjid.from + 1 }
        return [{ masjid, days: calculateDays(masjid, stretch, hijriOf) }]
      } catch (error) {
        onFault?.(masjid.id, error)
        return []
      }
    })
}

const write = async (database: Queryable, deleted: readonly StaleMasjid[], chunk: Chunk): Promise<Set<string>> => {
  const removed = deleted.length === 0 ? [] : await removeTimes(database, chunk.goal, deleted)
  const stored = chunk.calculated.length === 0 ? [] : await storeTimes(database, chunk)
  return new Set([...removed, ...stored])
}

/** Returns how many masjids were written. Those that somebody held or changed meanwhile are left for the next run. */
export const fillTimes = async (options: FillOptions): Promise<number> => {
  const { database, goal, onProgress = () => undefined, restFor = () => 0 } = options
  const calculate = createCalculator(options)
  const nextId = createRowIds()
  const total = await countStaleMasjids(database, goal)
  const passedOver: string[] = []
  let done = 0
  let underWay: readonly StaleMasjid[] = []
  let writing: Promise<void> = Promise.resolve()

  const begin = (chunk: readonly StaleMasjid[], calculated: readonly CalculatedMasjid[]): void => {
    underWay = chunk
    const deleted = chunk.filter(masjid => masjid.deleted)
    writing = write(database, deleted, { goal, calculated, nextId }).then(written => {
      passedOver.push(...chunk.map(({ id }) => id).filter(id => !written.has(id)))
      done += written.size
      onProgress(done, total)
    })
    // Awaited at the next turn; without this a fault before then would count as unhandled.
    writing.catch(() => undefined)
  }

  for (;;) {
    const started = performance.now()
    const skip = [...underWay.map(({ id }) => id), ...passedOver]
    const due = await nextStaleMasjids(database, goal, { skip, limit: MOST_MASJIDS })
    const chunk = due.slice(0, chunkSize(goal, due))
    const calculated = calculate(chunk.filter(masjid => !masjid.deleted))
    await writing
    if (chunk.length > 0) begin(chunk, calculated)
    else if (underWay.length === 0) return done
    else underWay = []
    const rest = restFor(performance.now() - started)
    if (rest > 0) await writing.then(() => delay(rest))
  }
}

export const removeOldTimes = async (database: Queryable, goal: Goal): Promise<number> =>
  database.run(sql`
    delete from ${identifier(goal.schema, 'pc_calculated_times')} where date < ${dateOf(goal.first - DAYS_KEPT)}::date`)

/** After many new rows the planner must not wait for autovacuum to learn of them: until then it guesses, and may read all of a table. */
export const learnTimes = async (database: Queryable, goal: Goal): Promise<number> =>
  database.run(sql`analyze ${identifier(goal.schema, 'pc_calculated_times')}`)
