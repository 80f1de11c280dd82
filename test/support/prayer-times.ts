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

/** Fills only these days, for every masjid that is due. Returns the number of masjids written. */
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
  return fillTimes({ database, goal })
}
