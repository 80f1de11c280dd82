// A statement of an operation and how long it took, for whoever wants to know: traces, Server-Timing, the log of slow statements.
import type { Settings } from '../db/prepared-statements.ts'
import type { StatementTiming } from '../db/statement-timing.ts'
import type { CachedPlan } from './structure.ts'

export interface TimedStatement extends StatementTiming {
  readonly cached: CachedPlan
  readonly settings: Settings | undefined
}

export const timedStatement = (cached: CachedPlan, settings: Settings | undefined): TimedStatement => ({
  cached,
  settings,
  submittedAt: 0,
  endedAt: 0,
  ranMs: 0,
})
