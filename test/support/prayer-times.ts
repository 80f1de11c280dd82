// Prayer times for a test: calculated directly, without the service and its thread.

import { type DayNumber, dayNumberOf } from '../../src/base/civil-date.ts'
import type { Database } from '../../src/db/database.ts'
import { readEngineVersion } from '../../src/prayer/calculation/engine-version.ts'
import { fillTimes } from '../../src/prayer/job/fill-times.ts'
import type { Goal } from '../../src/prayer/job/stale-masjids.ts'

export interface TestStretch {
  readonly schema?: 'public' | 'sandbox'
  readonly from: string
  readonly days: number
}

const isDuplicate = (error: unknown): boolean => (error as { readonly code?: unknown }).code === '23505'

/**
 * Fills only these days, for every masjid that is due. Returns the number of masjids written. The job of a running service has a
 * lock against others of its kind, not against this: what it has filled meanwhile is found filled the second time.
 */
export const fillDays = (database: Database, { schema = 'public', from, days }: TestStretch): Promise<number> => {
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
  return fill().catch(error => (isDuplicate(error) ? fill() : Promise.reject(error)))
}
