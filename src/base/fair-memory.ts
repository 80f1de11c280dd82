// Values of many owners → as many of them as fit within one limit of bytes. When it is full, whoever has most there gives way, by what was
// used least recently: so nobody who asks for very much displaces what others use.

interface FairMemoryRule<V> {
  readonly maxBytes: number
  /** What takes more than this is not kept. */
  readonly maxEntryBytes: number
  readonly bytesOf: (value: V, key: string) => number
}

interface FairMemory<V> {
  /** It is the one used last then. */
  get(key: string): V | undefined
  has(key: string): boolean
  set(key: string, value: V, owner: string): void
  /** Nothing happens if there is another value meanwhile. */
  delete(key: string, value: V): void
  readonly size: number
  readonly bytes: number
}

interface Entry<V> {
  readonly value: V
  readonly owner: string
  readonly bytes: number
}

/** The keys of an owner, the one used last at the end. */
interface Share {
  bytes: number
  readonly keys: Set<string>
}

export const createFairMemory = <V>({ maxBytes, maxEntryBytes, bytesOf }: FairMemoryRule<V>): FairMemory<V> => {
  const entries = new Map<string, Entry<V>>()
  const shares = new Map<string, Share>()
  let total = 0

  const remove = (key: string): void => {
    const entry = entries.get(key)
    const share = entry && shares.get(entry.owner)
    if (entry === undefined || share === undefined) return
    entries.delete(key)
    share.keys.delete(key)
    share.bytes -= entry.bytes
    total -= entry.bytes
    if (share.keys.size === 0) shares.delete(entry.owner)
  }

  const add = (key: string, entry: Entry<V>): void => {
    const share = shares.get(entry.owner) ?? { bytes: 0, keys: new Set() }
    shares.set(entry.owner, share)
    entries.set(key, entry)
    share.keys.add(key)
    share.bytes += entry.bytes
    total += entry.bytes
  }

  const largestShare = (): Share | undefined => {
    let largest: Share | undefined
    for (const share of shares.values()) if (largest === undefined || share.bytes > largest.bytes) largest = share
    return largest
  }

  const makeRoom = (): void => {
    while (total > maxBytes) for (const key of largestShare()?.keys.values().take(1) ?? []) remove(key)
  }

  return {
    get: key => {
      const entry = entries.get(key)
      const keys = entry && shares.get(entry.owner)?.keys
      if (keys?.delete(key)) keys.add(key)
      return entry?.value
    },
    has: key => entries.has(key),
    set: (key, value, owner) => {
      remove(key)
      const bytes = bytesOf(value, key)
      if (bytes > maxEntryBytes) return
      add(key, { value, owner, bytes })
      makeRoom()
    },
    delete: (key, value) => {
      if (entries.get(key)?.value === value) remove(key)
    },
    get size() {
      return entries.size
    },
    get bytes() {
      return total
    },
  }
}
