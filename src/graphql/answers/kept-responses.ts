// Whole responses in memory that are always true: pages, calendars, what screens show. Like answers, each is sent again only after a check,
// sent when the request had arrived, found no change of what it was read from; and never after the moment when it says something else
// by itself. What is read in a way that cannot be checked is not kept.
import type { Clock } from '../../base/clock.ts'
import { createFairMemory } from '../../base/fair-memory.ts'
import { withinPatience } from '../../base/within-patience.ts'
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

interface Asker {
  /** Whose share of the memory it takes: the same text for the same app or address. */
  readonly who: string
  /** By default at once. */
  readonly inTurn?: InTurn | undefined
}

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
  get(key: string, make: Make<T>, asker: Asker): Promise<Held<T>>
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
/** Most are made in a fraction of that. Who waits longer makes it for themselves: what holds it up may concern its maker alone. */
const PATIENCE_MS = 1000

/** `not kept`: it was made, and whoever makes it next will not keep it either. */
type Found = Entry | 'nothing' | 'not kept'

const atOnce: InTurn = work => work()

const areTrue = async (reads: readonly KnownRead[]): Promise<boolean> =>
  (await Promise.all(reads.map(read => read.isTrue()))).every(is => is)

const sizeOf = ({ bytes, reads }: Entry, key: string): number =>
  Math.ceil(bytes * PACKED_SHARE) + reads.reduce((sum, read) => sum + read.bytes, 0) + key.length + ENTRY_OVERHEAD

export const createKeptResponses = (maxBytes: number, clock: Clock): KeptResponses => {
  const maxEntryBytes = Math.ceil(maxBytes * LARGEST_SHARE)
  const entries = createFairMemory<Entry>({ maxBytes, maxEntryBytes, bytesOf: sizeOf })
  /** What is being read now; not what waits for its turn, which somebody else may hold up. */
  const making = new Map<string, Promise<Entry | undefined>>()
  const sightings = createSightings()
  const counts = { hits: 0, changed: 0, misses: 0, kept: 0 }
  const now = (): number => clock.now().getTime()

  const isTrue = async ({ madeAt, until, reads }: Entry): Promise<boolean> => {
    const holds = (): boolean => now() >= madeAt && now() < until
    return holds() && (await areTrue(reads)) && holds()
  }

  const whatIsMade = async (key: string): Promise<Found> => {
    const being = making.get(key)
    if (being === undefined) return 'nothing'
    const made = await withinPatience(being, PATIENCE_MS)
    if (made === undefined) return 'not kept'
    return (await isTrue(made)) ? made : 'nothing'
  }

  const find = async (key: string): Promise<Found> => {
    const known = entries.get(key)
    if (known === undefined) return whatIsMade(key)
    if (await isTrue(known)) return known
    counts.changed += 1
    entries.delete(key, known)
    return whatIsMade(key)
  }

  const keep = (key: string, who: string, { value, reads, bytes, holdsMs, madeAt }: Made): Entry | undefined => {
    if (reads === undefined || holdsMs <= 0) return undefined
    const entry = { value, bytes, reads, madeAt, until: madeAt + holdsMs }
    entries.set(key, entry, who)
    counts.kept += 1
    return entry
  }

  const shelf = <T>({ name, bytesOf }: ShelfOptions<T>): Shelf<T> => {
    const held = ({ value, until }: Entry): Held<T> => ({ value: value as T, holdsMs: until - now() })

    const makeAndKeep = async (key: string, make: Make<T>, who: string): Promise<Held<T>> => {
      const { promise, resolve } = Promise.withResolvers<Entry | undefined>()
      making.set(key, promise)
      const madeAt = now()
      let entry: Entry | undefined
      try {
        const { result, reads } = await knownReads.trace(make)
        entry = keep(key, who, { ...result, reads, madeAt, bytes: bytesOf(result.value) })
        return result
      } finally {
        resolve(entry)
        if (making.get(key) === promise) making.delete(key)
      }
    }

    /** Once is not often enough to be kept. What is there already is sent to everybody. */
    const isWanted = (key: string): boolean => sightings.note(key) || entries.has(key) || making.has(key)

    return {
      get: async (asked, make, { who, inTurn = atOnce }) => {
        const key = `${name} ${asked}`
        const found = isWanted(key) ? await find(key) : undefined
        if (typeof found === 'object') {
          counts.hits += 1
          return held(found)
        }
        counts.misses += 1
        if (found === undefined) return inTurn(make)
        return inTurn(async () => {
          const isThere = found === 'nothing' && (making.has(key) || entries.has(key))
          const meanwhile = isThere ? await find(key) : found
          return typeof meanwhile === 'object' ? held(meanwhile) : makeAndKeep(key, make, who)
        })
      },
    }
  }

  return {
    shelf,
    figures: () => ({ ...counts, entries: entries.size, bytes: entries.bytes, maxBytes }),
  }
}

/** Nothing is kept. */
export const keepNoResponses: KeptResponses = {
  shelf: () => ({ get: (_key, make, { inTurn = atOnce }) => inTurn(make) }),
  figures: () => ({ hits: 0, changed: 0, misses: 0, kept: 0, entries: 0, bytes: 0, maxBytes: 0 }),
}
