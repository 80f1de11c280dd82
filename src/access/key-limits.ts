// An API key with a limit of its own → its requests, counted by the minute in all processes together.
import { Fault } from '../base/fault.ts'
import { counted, durationInWords } from '../base/in-words.ts'
import type { Counting } from '../base/limit.ts'
import type { Grant } from './grant.ts'

/** More than any program needs. The database allows no higher limit. */
export const MOST_REQUESTS_PER_MINUTE = 60_000

const SECONDS = 60

type LimitHeaders = Readonly<Record<'ratelimit-policy' | 'ratelimit', string>>

export interface KeyLimits {
  /** Counts one request. @throws {Fault} `too_many_requests` over the limit of the key. */
  take(grant: Grant): void
  /** Undefined for a credential without a limit. https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
  headers(grant: Grant): LimitHeaders | undefined
}

export const createKeyLimits = (counting: Counting): KeyLimits => {
  const budget = counting('keyRequests', { tries: MOST_REQUESTS_PER_MINUTE, seconds: SECONDS })
  const headersFor = (keyId: string, most: number): LimitHeaders => {
    const { left, seconds } = budget.standing(keyId, most)
    return { 'ratelimit-policy': `"key";q=${most};w=${SECONDS}`, ratelimit: `"key";r=${left};t=${seconds}` }
  }
  return {
    take: ({ keyId, requestsPerMinute: most }) => {
      if (most === undefined || keyId === undefined || budget.spend(keyId, 1, most)) return
      const { seconds } = budget.standing(keyId, most)
      throw new Fault({
        code: 'too_many_requests',
        status: 429,
        message: `This API key is limited to ${counted(most, 'request')} a minute by the team of its app. Try again in ${durationInWords(seconds, 'second')}, or raise the limit of the key in the console.`,
        headers: { 'retry-after': String(seconds), ...headersFor(keyId, most) },
      })
    },
    headers: ({ keyId, requestsPerMinute: most }) =>
      most === undefined || keyId === undefined ? undefined : headersFor(keyId, most),
  }
}
