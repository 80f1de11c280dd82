// How much was asked for → whether more may be; counted in this process, bounded in memory.
import { LRUCache } from 'lru-cache'
import type { Clock } from './clock.ts'
import { Fault } from './fault.ts'

/** What is left of an allowance, and when it is whole again. */
export interface Standing {
  readonly left: number
  readonly seconds: number
}

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

/** An allowance that is taken in parts of any size. */
export interface Budget {
  /** Takes it all or nothing. @returns whether there was enough. */
  spend(key: string, amount: number): boolean
  standing(key: string): Standing
  forget(key: string): void
}

interface Count {
  tries: number
  readonly endsAt: number
}

const MOST_KEYS = 50_000

export const createBudget = (rule: LimitRule, clock: Clock): Budget => {
  const counts = new LRUCache<string, Count>({ max: MOST_KEYS })
  const countOf = (key: string, now: number): Count => {
    const known = counts.get(key)
    if (known !== undefined && known.endsAt > now) return known
    const begun = { tries: 0, endsAt: now + rule.seconds * 1000 }
    counts.set(key, begun)
    return begun
  }
  return {
    spend: (key, amount) => {
      const count = countOf(key, clock.now().getTime())
      const isEnough = count.tries + amount <= rule.tries
      if (isEnough) count.tries += amount
      return isEnough
    },
    standing: key => {
      const now = clock.now().getTime()
      const { tries, endsAt } = countOf(key, now)
      return { left: rule.tries - tries, seconds: Math.max(1, Math.ceil((endsAt - now) / 1000)) }
    },
    forget: key => void counts.delete(key),
  }
}

export const tooMany = (message: string, { seconds }: Standing): Fault =>
  new Fault({ code: 'too_many_requests', status: 429, message, headers: { 'retry-after': String(seconds) } })

export const createLimit = (rule: LimitRule, clock: Clock): Limit => {
  const { spend, standing, forget } = createBudget(rule, clock)
  return {
    take: key => {
      if (spend(key, 1)) return
      const now = standing(key)
      throw tooMany(`Too many attempts. Try again in ${now.seconds} seconds.`, now)
    },
    forget,
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
