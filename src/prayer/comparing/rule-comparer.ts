// A masjid's parameters → its rules for high latitudes compared, on a thread of its own: masjids take turns, and the same question of a
// day is answered from memory.
import { LRUCache } from 'lru-cache'
import { createFairTurns } from '../../base/fair-turns.ts'
import { keepInTurns } from '../../base/keep-in-turns.ts'
import { createSideThread } from '../../threads/side-thread.ts'
import type { ComparedMasjid, RuleComparison } from './compare-rules.ts'
import type { ComparingTasks } from './comparing-thread.ts'

export interface RuleComparer {
  /** @throws {TookTooMuch} @throws {Fault} if too many wait */
  compare(masjidId: string, masjid: ComparedMasjid): Promise<RuleComparison>
  end(): Promise<void>
}

/** A few kilobytes each. */
const MOST_KEPT = 500
const TURNS = { atOnce: 1, atOnceEach: 1, mostWaiting: 100, mostWaitingEach: 5, mostMs: 15_000 }

export const createRuleComparer = (): RuleComparer => {
  const thread = createSideThread<ComparingTasks>({
    script: new URL('./comparing-thread.ts', import.meta.url),
    name: 'rules compared',
  })
  const kept = new LRUCache<string, RuleComparison>({ max: MOST_KEPT })
  const keep = keepInTurns<RuleComparison>(createFairTurns(TURNS), kept)
  return {
    compare: (masjidId, masjid) =>
      keep(masjidId, JSON.stringify(masjid), () => thread.run(masjidId, 'compare', masjid)),
    end: thread.end,
  }
}
