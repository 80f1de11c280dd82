// Rate limits, counted in bounded memory.
import { LRUCache } from 'lru-cache'
import type { Clock } from './clock.ts'
import { Fault } from './fault.ts'
import { durationInWords } from './in-words.ts'

/** What is left of an allowance, and when it resets. */
export interface Standing {
  readonly left: number
  readonly seconds: number
}

export interface Limit {
  /** Counts one attempt. @throws {Fault} `too_many_requests` over the limit. */
  take(key: string): void
  /** Resets the count, for example after a successful sign-in. */
  forget(key: string): void
}

export interface LimitRule {
  readonly tries: number
  readonly seconds: number
}

/** An allowance that can be spent in any amounts. */
export interface Budget {
  /** All or nothing. @param most a lower allowance of this key @returns whether enough was left. */
  spend(key: string, amount: number, most?: number): boolean
  standing(key: string, most?: number): Standing
  forget(key: string): void
}

/** What one key has used, and when it expires; processes that share counts update it for each other. */
export interface Count {
  tries: number
  endsAt: number
}

/** Notified of everything counted, to share it with other processes. */
export interface Sharing {
  took(key: string, count: Count, amount: number): void
  forgot(key: string): void
}

/** Makes counters; each has a name, the same in every process. */
export type Counting = (name: string, rule: LimitRule) => Budget

const MOST_KEYS = 50_000

/** How far the clocks of two processes may differ. A period that ends later was begun by a clock that has since been set back. */
export const SKEW_MS = 60_000

const unshared: Sharing = { took: () => undefined, forgot: () => undefined }

export const createBudget = (rule: LimitRule, clock: Clock, sharing: Sharing = unshared): Budget => {
  let counts: LRUCache<string, Count> | undefined
  const countOf = (key: string, now: number): Count => {
    // Reserves all its memory at once, and most limits are never used.
    counts ??= new LRUCache<string, Count>({ max: MOST_KEYS })
    const known = counts.get(key)
    if (known !== undefined && known.endsAt > now && known.endsAt <= now + rule.seconds * 1000 + SKEW_MS) return known
    const begun = { tries: 0, endsAt: now + rule.seconds * 1000 }
    counts.set(key, begun)
    return begun
  }
  return {
    spend: (key, amount, most = rule.tries) => {
      const count = countOf(key, clock.now().getTime())
      if (count.tries + amount > Math.min(most, rule.tries)) return false
      count.tries += amount
      sharing.took(key, count, amount)
      return true
    },
    standing: (key, most = rule.tries) => {
      const now = clock.now().getTime()
      const { tries, endsAt } = countOf(key, now)
      return {
        left: Math.max(0, Math.min(most, rule.tries) - tries),
        seconds: Math.max(1, Math.ceil((endsAt - now) / 1000)),
      }
    },
    forget: key => {
      counts?.delete(key)
      sharing.forgot(key)
    },
  }
}

export const tooMany = (message: string, { seconds }: Standing): Fault =>
  new Fault({ code: 'too_many_requests', status: 429, message, headers: { 'retry-after': String(seconds) } })

export const createLimit = ({ spend, standing, forget }: Budget): Limit => ({
  take: key => {
    if (spend(key, 1)) return
    const now = standing(key)
    throw tooMany(`Too many attempts. Try again in ${durationInWords(now.seconds, 'second')}.`, now)
  },
  forget,
})

const unlimited: Limit = { take: () => undefined, forget: () => undefined }

/** A limit for each rule. Undefined `counting`: limits are switched off. */
export const createLimits = <Name extends string>(
  rules: Readonly<Record<Name, LimitRule>>,
  counting: Counting | undefined,
): Readonly<Record<Name, Limit>> =>
  Object.fromEntries(
    Object.entries<LimitRule>(rules).map(([name, rule]) => [
      name,
      counting === undefined ? unlimited : createLimit(counting(name, rule)),
    ]),
  ) as Record<Name, Limit>
