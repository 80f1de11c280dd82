// Work of many apps → a few runs at a time, and apps take turns: one that has much to do holds up nobody else. What can be done
// together is, if it waits at the same time.

export interface FairRuns<T> {
  add(who: string, item: T): void
}

export interface FairRunsOptions<T> {
  /** Runs in progress: for all, and for one of them. */
  readonly atOnce: number
  readonly atOnceEach: number
  /** Items of the same group may share a run. */
  readonly groupOf: (item: T) => string
  /** In one run. */
  readonly mostTogether: number
  /** Never rejects. */
  readonly run: (items: readonly T[]) => Promise<void>
}

interface Line<T> {
  running: number
  /** By group; those that had a turn last are at the end. */
  readonly waiting: Map<string, T[]>
}

export const createFairRuns = <T>(options: FairRunsOptions<T>): FairRuns<T> => {
  const { atOnce, atOnceEach, groupOf, mostTogether, run } = options
  /** Those who had a turn last are at the end. */
  const lines = new Map<string, Line<T>>()
  let running = 0
  let isPlanned = false

  const end = (who: string, line: Line<T>): void => {
    running -= 1
    line.running -= 1
    if (line.running === 0 && line.waiting.size === 0) lines.delete(who)
    goOn()
  }

  const take = ({ waiting }: Line<T>): readonly T[] => {
    const [[group, items]] = waiting as unknown as [[string, T[]]]
    waiting.delete(group)
    if (items.length <= mostTogether) return items
    waiting.set(group, items.slice(mostTogether))
    return items.slice(0, mostTogether)
  }

  const begin = (who: string, line: Line<T>): void => {
    const items = take(line)
    running += 1
    line.running += 1
    lines.delete(who)
    lines.set(who, line)
    void run(items).finally(() => end(who, line))
  }

  const nextLine = (): [string, Line<T>] | undefined => {
    for (const entry of lines) if (entry[1].waiting.size > 0 && entry[1].running < atOnceEach) return entry
    return undefined
  }

  const goOn = (): void => {
    isPlanned = false
    while (running < atOnce) {
      const next = nextLine()
      if (next === undefined) return
      begin(...next)
    }
  }

  /** What is added in the same turn of the event loop may go together. */
  const plan = (): void => {
    if (!isPlanned) queueMicrotask(goOn)
    isPlanned = true
  }

  return {
    add: (who, item) => {
      const line = lines.get(who) ?? { running: 0, waiting: new Map<string, T[]>() }
      lines.set(who, line)
      const group = groupOf(item)
      const items = line.waiting.get(group)
      if (items === undefined) line.waiting.set(group, [item])
      else items.push(item)
      plan()
    },
  }
}
