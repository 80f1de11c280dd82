// How often something was tried → whether it may be tried again; counted in this process, bounded in memory.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'

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

/**
 * An address, an account, and the account from one address. The account alone is counted generously, so that a stranger
 * cannot easily lock its owner out. Unknown e-mail addresses count like known ones: the answer tells nothing.
 */
const rules = {
  signInPerAddress: { tries: 60, seconds: 600 },
  signInPerAccount: { tries: 100, seconds: 3600 },
  signInPerAccountAndAddress: { tries: 10, seconds: 900 },
  signUpPerAddress: { tries: 20, seconds: 3600 },
  mailPerRecipient: { tries: 5, seconds: 3600 },
  passwordPerUser: { tries: 10, seconds: 900 },
} as const satisfies Record<string, LimitRule>

export type Limits = Readonly<Record<keyof typeof rules, Limit>>

export const createLimits = (enabled: boolean, clock: Clock): Limits =>
  Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, enabled ? createLimit(rule, clock) : unlimited]),
  ) as unknown as Limits
