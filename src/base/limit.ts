// How often something was tried → whether it may be tried again; counted in this process, bounded in memory.
import { LRUCache } from 'lru-cache'
import type { Clock } from './clock.ts'
import { Fault } from './fault.ts'

export interface Limit {
  /** Counts one try. @throws {Fault} `too_many_requests` when there were too many. */
  take(key: string): void
  /** Forgets the tries: the right password was typed. */
  forget(key: string): void
}

export interface LimitRule {
  readonly tries: number
  readonly seconds: number
}

interface Count {
  readonly tries: number
  readonly endsAt: number
}

const MOST_KEYS = 50_000

const tooMany = (retryAfterSeconds: number): Fault =>
  new Fault({
    code: 'too_many_requests',
    status: 429,
    message: `Too many attempts. Try again in ${retryAfterSeconds} seconds.`,
    headers: { 'retry-after': String(retryAfterSeconds) },
  })

export const createLimit = (rule: LimitRule, clock: Clock): Limit => {
  const counts = new LRUCache<string, Count>({ max: MOST_KEYS })
  return {
    take: key => {
      const now = clock.now().getTime()
      const known = counts.get(key)
      const count = known !== undefined && known.endsAt > now ? known : { tries: 0, endsAt: now + rule.seconds * 1000 }
      if (count.tries >= rule.tries) throw tooMany(Math.max(1, Math.ceil((count.endsAt - now) / 1000)))
      counts.set(key, { ...count, tries: count.tries + 1 })
    },
    forget: key => void counts.delete(key),
  }
}

const unlimited: Limit = { take: () => undefined, forget: () => undefined }

/** A limit for each rule, or none where limits are switched off. */
export const createLimits = <Name extends string>(
  rules: Readonly<Record<Name, LimitRule>>,
  enabled: boolean,
  clock: Clock,
): Readonly<Record<Name, Limit>> =>
  Object.fromEntries(
    Object.entries<LimitRule>(rules).map(([name, rule]) => [name, enabled ? createLimit(rule, clock) : unlimited]),
  ) as Record<Name, Limit>
