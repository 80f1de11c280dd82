// An address → whether it may ask once more this minute.

import { type Counting, createLimit, type Limit } from '../base/limit.ts'

export const REQUESTS_PER_MINUTE = 1200

/** Undefined where limits are switched off. */
export const createRequestLimit = (counting: Counting | undefined): Limit | undefined =>
  counting && createLimit(counting('sandboxPerAddress', { tries: REQUESTS_PER_MINUTE, seconds: 60 }))
