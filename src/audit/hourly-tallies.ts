// Equal events → an entry for the first, and one an hour with the count of those that follow.

/** How an entry came to be: of `count` events, the first of which was at `since`. */
export interface Tally<Event> {
  readonly event: Event
  readonly count: number
  readonly since: Date
}

interface Counting<Event> {
  readonly event: Event
  count: number
  since: Date
}

const HOUR_MS = 3_600_000
/** Bounds memory: beyond this, those that have been counted the longest get their entry early. */
const MOST_KEYS = 10_000

const asTally = <Event>({ event, count, since }: Counting<Event>): Tally<Event> => ({ event, count, since })

export const createHourlyTallies = <Event>(now: () => number = Date.now) => {
  /** By key, the hour that began first comes first. */
  const counting = new Map<string, Counting<Event>>()
  const ready: Tally<Event>[] = []

  const end = (key: string, counted: Counting<Event>): void => {
    counting.delete(key)
    if (counted.count === 0) return
    ready.push(asTally(counted))
  }

  const endOver = (): void => {
    for (const [key, counted] of counting) {
      if (counted.since.getTime() > now() - HOUR_MS) return
      end(key, counted)
      // What goes on is not announced again by its first event.
      if (counted.count > 0) counting.set(key, { event: counted.event, count: 0, since: new Date(now()) })
    }
  }

  return {
    add: (key: string, event: () => Event): void => {
      const known = counting.get(key)
      if (known !== undefined) {
        known.count += 1
        return
      }
      const [oldest] = counting
      if (counting.size >= MOST_KEYS && oldest !== undefined) end(...oldest)
      const first = { event: event(), count: 0, since: new Date(now()) }
      counting.set(key, first)
      ready.push({ ...asTally(first), count: 1 })
    },
    /** What is to be written now. */
    take: (): Tally<Event>[] => {
      endOver()
      return ready.splice(0)
    },
    /** And what would be later. */
    takeAll: (): Tally<Event>[] => {
      for (const [key, counted] of [...counting]) end(key, counted)
      return ready.splice(0)
    },
  }
}
