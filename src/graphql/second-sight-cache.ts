// A bounded cache that keeps what is requested again: a document that comes only once never leaves the young generation,
// so that a stream of different ones neither fills the cache nor evicts those that many request.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

export interface SecondSightCache<Value extends object> {
  get(key: string): Value | undefined
  /** Cached from the second time on. */
  set(key: string, value: Value): void
  /** The cached size, as computed by `bytesOf`. */
  readonly bytes: number
}

export interface SecondSightOptions<Value> {
  readonly maxBytes: number
  readonly bytesOf: (value: Value, key: string) => number
}

const MOST_SEEN = 10_000

/** A false match only caches something one time too early. */
const digestOf = (key: string): string => hash('sha1', key, 'base64').slice(0, 12)

export const createSecondSightCache = <Value extends object>({
  maxBytes,
  bytesOf,
}: SecondSightOptions<Value>): SecondSightCache<Value> => {
  const kept = new LRUCache<string, Value>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  const seen = new LRUCache<string, true>({ max: MOST_SEEN })
  return {
    get: key => kept.get(key),
    set: (key, value) => {
      const digest = digestOf(key)
      if (seen.has(digest)) kept.set(key, value)
      else seen.set(digest, true)
    },
    get bytes() {
      return kept.calculatedSize
    },
  }
}
