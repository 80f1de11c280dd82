// An address → whether it may ask once more this minute.

import type { Clock } from '../base/clock.ts'
import { createLimit, type Limit } from '../base/limit.ts'

export const REQUESTS_PER_MINUTE = 1200

/** Undefined where limits are switched off. */
export const createRequestLimit = (enabled: boolean, clock: Clock): Limit | undefined =>
  enabled ? createLimit({ tries: REQUESTS_PER_MINUTE, seconds: 60 }, clock) : undefined
