// Prayer times for a test: calculated directly, without the service and its thread.

import { setTimeout as delay } from 'node:timers/promises'
import { type DayNumber, dayNumberOf } from '../../src/base/civil-date.ts'
import type { Database } from '../../src/db/database.ts'
import { readEngineVersion } from '../../src/prayer/calculation/engine-version.ts'
import { fillTimes } from '../../src/prayer/job/fill-times.ts'
import { countStaleMasjids, type Goal } from '../../src/prayer/job/stale-masjids.ts'

export interface TestStretch {
  readonly schema?: 'public' | 'sandbox'
  readonly from: string
  readonly days: number
}

/** A minute, at least. */
const MOST_TRIES = 1200
const PAUSE_MS = 50

const isDuplicate = (error: unknown): boolean => (error as { readonly code?: unknown }).code === '23505'

/**
 * Fills only these days, for every masjid that is due. Returns the number of masjids written. The job of a running service has a
 * lock against others of its kind, not against this: what it has filled meanwhile is found filled the second time, and what it is
 * filling is waited for.
 */
export const fillDays = async (database: Database, { schema = 'public', from, days }: TestStretch): Promise<number> => {
  const first: DayNumber = dayNumberOf(from)
  const goal: Goal = {
    schema,
    reach: 'all',
    first,
    last: first + days - 1,
    engine: readEngineVersion(),
    olderEngines: [],
  }
  const fill = () => fillTimes({ database, goal })
  const filled = () => fill().catch(error => (isDuplicate(error) ? fill() : Promise.reject(error)))
  let written = await filled()
  for (let tries = 0; tries < MOST_TRIES && (await countStaleMasjids(database, goal)) > 0; tries += 1) {
    await delay(PAUSE_MS)
    written += await filled()
  }
  return written
}
