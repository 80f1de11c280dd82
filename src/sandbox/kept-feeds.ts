// The texts of the sandbox's feeds, in bounded memory: invented data change only when they are renewed, or their structure.
import { LRUCache } from 'lru-cache'
import type { Kept } from '../base/keep-in-turns.ts'
import type { FeedText } from '../feeds/feed-text.ts'

export interface KeptFeeds extends Kept<FeedText> {
  /** Belongs into every name: a text that was begun before the data were renewed is not found after that. */
  era(): string
  clear(): void
}

const MOST_BYTES = 32 * 1024 * 1024
const ENTRY_OVERHEAD = 500
const KEPT_MS = 600_000

/** @param version of the schema that the texts are made from */
export const createKeptFeeds = (version: () => string): KeptFeeds => {
  const kept = new LRUCache<string, FeedText>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bytes }) => bytes.byteLength + ENTRY_OVERHEAD,
    ttl: KEPT_MS,
  })
  let renewals = 0
  return {
    era: () => `${renewals} ${version()}`,
    get: name => kept.get(name),
    set: (name, text) => void kept.set(name, text),
    clear: () => {
      renewals += 1
      kept.clear()
    },
  }
}
