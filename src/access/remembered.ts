// Slow answers → remembered ones, for as long as the news of changes arrives and says nothing against them.
import { LRUCache } from 'lru-cache'

export interface RememberedOptions {
  readonly max: number
  /** False while news may be missed: then every question goes to the source. */
  readonly inTouch: () => boolean
}

export interface Remembered<Value extends object> {
  get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>
  /** What is remembered and may be relied on at this moment. */
  known(key: string): Value | undefined
  /** Drops what matches, or all. */
  forget(matches?: (value: Value) => boolean): void
}

export const createRemembered = <Value extends object>({ max, inTouch }: RememberedOptions): Remembered<Value> => {
  const cache = new LRUCache<string, Value>({ max })
  let generation = 0
  const known = (key: string): Value | undefined => (inTouch() ? cache.get(key) : undefined)
  return {
    known,
    get: async (key, load) => {
      if (!inTouch()) return load()
      const found = known(key)
      if (found !== undefined) return found
      const before = generation
      const value = await load()
      // News that came while the source was answering may be about this very value: then it is not kept.
      if (value !== undefined && before === generation && inTouch()) cache.set(key, value)
      return value
    },
    forget: matches => {
      generation += 1
      if (matches === undefined) return cache.clear()
      for (const [key, value] of cache.entries()) if (matches(value)) cache.delete(key)
    },
  }
}
