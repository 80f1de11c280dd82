// Whole responses in memory that are always true: pages, calendars, what screens show. Like answers, each is sent again only after a check,
// sent when the request had arrived, found no change of what it was read from; and never after the moment when it says something else
// by itself. What is read in a way that cannot be checked is not kept.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { type KnownRead, type KnownReads, knownReads } from '../../db/changes/known-reads.ts'
import { ENTRY_OVERHEAD, PACKED_SHARE } from './answers.ts'
import { createSightings } from './sightings.ts'

/** A response, and for how many milliseconds it holds if nothing is changed; 0 if it is not kept. */
export interface Held<T> {
  readonly value: T
  readonly holdsMs: number
}

type Make<T> = () => Promise<Held<T>>

/** Runs it when it is the turn of whoever asks. */
type InTurn = <R>(work: () => Promise<R>) => Promise<R>

interface Entry {
  readonly value: unknown
  readonly bytes: number
  readonly reads: readonly KnownRead[]
  readonly madeAt: number
  readonly until: number
}

interface Made extends Held<unknown>, Pick<Entry, 'bytes' | 'madeAt'> {
  readonly reads: KnownReads
}

export interface Shelf<T> {
  /**
   * As it was kept, if that is still true, or made. Whoever asks for what is being made waits for it, and takes it if it is true by then:
   * it may have been read before they asked.
   */
  get(key: string, make: Make<T>, inTurn?: InTurn): Promise<Held<T>>
}

interface ShelfOptions<T> {
  /** Of all shelves, it is the only one with this name. */
  readonly name: string
  readonly bytesOf: (value: T) => number
}

/** How well the memory serves, for those who watch the service. */
interface KeptFigures {
  readonly hits: number
  /** Kept, but changed since, or no longer what it says by itself. */
  readonly changed: number
  readonly misses: number
  readonly kept: number
  readonly entries: number
  readonly bytes: number
  readonly maxBytes: number
}

export interface KeptResponses {
  shelf<T>(options: ShelfOptions<T>): Shelf<T>
  figures(): KeptFigures
}

/** A calendar of 400 days with its compressed copies has to fit. */
const LARGEST_SHARE = 1 / 8

const areTrue = async (reads: readonly KnownRead[]): Promise<boolean> =>
  (await Promise.all(reads.map(read => read.isTrue()))).every(is => is)

const sizeOf = ({ bytes, reads }: Entry, key: string): number =>
  Math.ceil(bytes * PACKED_SHARE) + reads.reduce((sum, read) => sum + read.bytes, 0) + key.length + ENTRY_OVERHEAD

export const createKeptResponses = (maxBytes: number, clock: Clock): KeptResponses => {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes * LARGEST_SHARE),
    sizeCalculation: sizeOf,
  })
  /** What is being read now; not what waits for its turn, which somebody else may hold up. */
  const making = new Map<string, Promise<Entry | undefined>>()
  const sightings = createSightings()
  const counts = { hits: 0, changed: 0, misses: 0, kept: 0 }
  const now = (): number => clock.now().getTime()

  const isTrue = async ({ madeAt, until, reads }: Entry): Promise<boolean> => {
    const holds = (): boolean => now() >= madeAt && now() < until
    return holds() && (await areTrue(reads)) && holds()
  }

  const find = async (key: string): Promise<Entry | undefined> => {
    const known = entries.get(key)
    if (known !== undefined && (await isTrue(known))) return known
    if (known !== undefined) counts.changed += 1
    if (entries.peek(key) === known) entries.delete(key)
    const made = await making.get(key)
    return made !== undefined && (await isTrue(made)) ? made : undefined
  }

  const keep = (key: string, { value, reads, bytes, holdsMs, madeAt }: Made): Entry | undefined => {
    if (reads === undefined || holdsMs <= 0) return undefined
    const entry = { value, bytes, reads, madeAt, until: madeAt + holdsMs }
    entries.set(key, entry)
    counts.kept += 1
    return entry
  }

  const shelf = <T>({ name, bytesOf }: ShelfOptions<T>): Shelf<T> => {
    const held = ({ value, until }: Entry): Held<T> => ({ value: value as T, holdsMs: until - now() })

    const makeAndKeep = async (key: string, make: Make<T>): Promise<Held<T>> => {
      const { promise, resolve } = Promise.withResolvers<Entry | undefined>()
      making.set(key, promise)
      const madeAt = now()
      let entry: Entry | undefined
      try {
        const { result, reads } = await knownReads.trace(make)
        entry = keep(key, { ...result, reads, madeAt, bytes: bytesOf(result.value) })
        return result
      } finally {
        resolve(entry)
        if (making.get(key) === promise) making.delete(key)
      }
    }

    return {
      get: async (asked, make, inTurn = work => work()) => {
        const key = `${name} ${asked}`
        if (!sightings.note(key)) {
          counts.misses += 1
          return inTurn(make)
        }
        const known = await find(key)
        if (known === undefined) counts.misses += 1
        else counts.hits += 1
        if (known !== undefined) return held(known)
        return inTurn(async () => {
          const meanwhile = making.has(key) || entries.has(key) ? await find(key) : undefined
          return meanwhile === undefined ? makeAndKeep(key, make) : held(meanwhile)
        })
      },
    }
  }

  return {
    shelf,
    figures: () => ({ ...counts, entries: entries.size, bytes: entries.calculatedSize, maxBytes }),
  }
}

/** Nothing is kept. */
export const keepNoResponses: KeptResponses = {
  shelf: () => ({ get: (_key, make, inTurn = work => work()) => inTurn(make) }),
  figures: () => ({ hits: 0, changed: 0, misses: 0, kept: 0, entries: 0, bytes: 0, maxBytes: 0 }),
}
