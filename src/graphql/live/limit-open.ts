// Whoever opens something that stays open → counted while it is; refused beyond a number.
import { Fault } from '../../base/fault.ts'

export interface OpenLimit {
  /** @throws {Fault} `too-many-subscriptions` */
  take(key: string): void
  release(key: string): void
}

const RETRY_SECONDS = 5

export const limitOpen = (most: number, wordsFor: (most: number) => string): OpenLimit => {
  const counts = new Map<string, number>()
  return {
    take: key => {
      const count = counts.get(key) ?? 0
      if (count >= most)
        throw new Fault({
          code: 'too-many-subscriptions',
          status: 429,
          message: wordsFor(most),
          headers: { 'retry-after': String(RETRY_SECONDS) },
        })
      counts.set(key, count + 1)
    },
    release: key => {
      const count = (counts.get(key) ?? 0) - 1
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
  }
}
