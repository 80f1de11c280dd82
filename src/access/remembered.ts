// A slow lookup → a cached one, used only while change notifications arrive and do not invalidate it.
import { LRUCache } from 'lru-cache'

export interface RememberedOptions {
  readonly max: number
  /** False while notifications may be missed: every lookup then goes to the source. */
  readonly inTouch: () => boolean
}

export interface Remembered<Value extends object> {
  get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>
  /** The cached value, if it can be trusted at this moment. */
  known(key: string): Value | undefined
  /** Drops matching entries, or all. */
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
      // A notification during the lookup may concern this value, so it is not cached.
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
