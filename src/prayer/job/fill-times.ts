// Masjids that are due → stored times, chunk by chunk: while two chunks are written, the next is calculated.
import { setTimeout as delay } from 'node:timers/promises'
import { dateOf } from '../../base/civil-date.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { identifier, type Sql, sql } from '../../db/sql.ts'
import { calculateDays, createAlmanac } from '../calculation/calculate-days.ts'
import { createRowIds } from './row-ids.ts'
import { countStaleMasjids, type Goal, nextStaleMasjids, type StaleMasjid } from './stale-masjids.ts'
import { type CalculatedMasjid, removeTimes, storeTimes, type Written } from './store-times.ts'

export interface FillOptions {
  readonly database: Database
  readonly goal: Goal
  readonly onProgress?: (done: number, total: number) => void
  /** How long to rest after a batch that took this many milliseconds. */
  readonly restFor?: (workedMs: number) => number
  readonly onFault?: (masjidId: string, error: unknown) => void
}

/** A transaction of a tenth of a second or two, and a few megabytes; a change in the meantime is next. */
const ROWS_PER_CHUNK = 5000
const MOST_MASJIDS = 250
/** With only one, the database would wait for each calculation, and the calculation for each write. */
const WRITTEN_AT_ONCE = 2
/** Anyone who looks back further than a month can run the calculation. */
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
  const almanac = createAlmanac()
  return masjids =>
    masjids.flatMap(masjid => {
      try {
        const stretch = { first: masjid.from, days: goal.last - masjid.from + 1 }
        return [{ masjid, days: calculateDays(masjid, stretch, almanac) }]
      } catch (error) {
        onFault?.(masjid.id, error)
        return []
      }
    })
}

/** All of the work except sending, so that the database need not wait for it. */
const createPreparation = (options: FillOptions): ((chunk: readonly StaleMasjid[]) => Sql[]) => {
  const { goal } = options
  const calculate = createCalculator(options)
  const nextId = createRowIds()
  return chunk => {
    const deleted = chunk.filter(masjid => masjid.deleted)
    const calculated = calculate(chunk.filter(masjid => !masjid.deleted))
    const statements: Sql[] = []
    if (deleted.length > 0) statements.push(removeTimes(goal, deleted))
    if (calculated.length > 0) statements.push(storeTimes({ goal, calculated, nextId }))
    return statements
  }
}

/** Returns the number of masjids written. Those locked or changed in the meantime are left for the next run. */
export const fillTimes = async (options: FillOptions): Promise<number> => {
  const { database, goal, onProgress = () => undefined, restFor = () => 0 } = options
  const prepare = createPreparation(options)
  const total = await countStaleMasjids(database, goal)
  const passedOver: string[] = []
  const underWay = new Map<readonly StaleMasjid[], Promise<void>>()
  let done = 0

  const write = async (chunk: readonly StaleMasjid[], statements: readonly Sql[]): Promise<void> => {
    const written = new Set<string>()
    for (const statement of statements)
      for (const { masjid_id } of await database.query<Written>(statement)) written.add(masjid_id)
    passedOver.push(...chunk.map(({ id }) => id).filter(id => !written.has(id)))
    done += written.size
    onProgress(done, total)
  }

  const begin = (chunk: readonly StaleMasjid[], statements: readonly Sql[]): void => {
    const writing = write(chunk, statements).then(() => void underWay.delete(chunk))
    underWay.set(chunk, writing)
    // Awaited in a later iteration; without this an earlier rejection would count as unhandled.
    writing.catch(() => undefined)
  }

  for (;;) {
    const started = performance.now()
    const skip = [...[...underWay.keys()].flat().map(({ id }) => id), ...passedOver]
    const due = await nextStaleMasjids(database, goal, { skip, limit: MOST_MASJIDS })
    const chunk = due.slice(0, chunkSize(goal, due))
    if (chunk.length === 0 && underWay.size === 0) return done
    const statements = prepare(chunk)
    if (chunk.length === 0 || underWay.size === WRITTEN_AT_ONCE) await Promise.race(underWay.values())
    if (chunk.length > 0) begin(chunk, statements)
    const rest = restFor(performance.now() - started)
    if (rest > 0) await Promise.all(underWay.values()).then(() => delay(rest))
  }
}

export const removeOldTimes = async (database: Queryable, goal: Goal): Promise<number> =>
  database.run(sql`
    delete from ${identifier(goal.schema, 'pc_calculated_times')} where date < ${dateOf(goal.first - DAYS_KEPT)}::date`)

/** After many new rows the planner must not wait for autovacuum: until it has statistics it guesses, and may scan a whole table. */
export const learnTimes = async (database: Queryable, goal: Goal): Promise<number> =>
  database.run(sql`analyze (skip_locked) ${identifier(goal.schema, 'pc_calculated_times')}`)
