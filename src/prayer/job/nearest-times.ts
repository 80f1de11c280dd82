// Masjids without times for today and tomorrow → their nearest days, and those of their events, before the service
// reports that it is ready.
import { setTimeout as delay } from 'node:timers/promises'
import { dayNumberAt } from '../../base/civil-date.ts'
import { advisoryLocks } from '../../db/advisory-locks.ts'
import type { DataSchema } from '../../db/data-schema.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { materialiseEvents } from '../../events/materialise-events.ts'
import { readEngineVersion } from '../calculation/engine-version.ts'
import { fillTimes } from './fill-times.ts'
import { adoptStrays } from './run-job.ts'
import { lackNearestTimes, nearestGoal, readGoal } from './stale-masjids.ts'

export interface NearestTimes {
  readonly database: Database
  readonly schema: DataSchema
  readonly now: Date
  /** Called once, if there is something to do. */
  readonly onBegin?: () => void
}

/** Another process may be doing the work; it begins with the nearest days too. */
const LOOK_MS = 100
/** Startup must finish, whatever holds the lock; the job continues with what is missing. */
const LONGEST_WAIT_MS = 30_000

/** Hundreds of events are done by then; with more of them, startup does not wait any longer. */
const EVENTS_MS = 2000

/** Returns whether the nearest times exist. */
export const ensureNearestTimes = async ({ database, schema, now, onBegin }: NearestTimes): Promise<boolean> => {
  await adoptStrays(database)
  const goal = nearestGoal(await readGoal(database, { schema, today: dayNumberAt(now), engine: readEngineVersion() }))
  if (!(await lackNearestTimes(database, goal))) return true
  onBegin?.()
  const until = performance.now() + LONGEST_WAIT_MS
  while (performance.now() < until) {
    await database.transaction(async lock => {
      const row = await lock.first<{ free: boolean }>(
        sql`select pg_try_advisory_xact_lock(${advisoryLocks.prayerJob}) as free`,
      )
      if (row?.free !== true) return
      await fillTimes({ database, goal })
      await materialiseEvents({ database, schema, now, reach: 'nearest', forMs: EVENTS_MS })
    })
    if (!(await lackNearestTimes(database, goal))) return true
    await delay(LOOK_MS)
  }
  return false
}
