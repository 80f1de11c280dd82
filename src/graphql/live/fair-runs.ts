// Work of many apps → a few at a time, and apps take turns: one that has much to do holds up nobody else.

export interface FairRuns<T> {
  add(who: string, item: T): void
}

export interface FairRunsOptions<T> {
  /** In progress at a time: for all, and for one of them. */
  readonly atOnce: number
  readonly atOnceEach: number
  /** Never rejects. */
  readonly run: (item: T) => Promise<void>
}

interface Line<T> {
  running: number
  readonly waiting: T[]
}

export const createFairRuns = <T>({ atOnce, atOnceEach, run }: FairRunsOptions<T>): FairRuns<T> => {
  /** Those who had a turn last are at the end. */
  const lines = new Map<string, Line<T>>()
  let running = 0

  const end = (who: string, line: Line<T>): void => {
    running -= 1
    line.running -= 1
    if (line.running === 0 && line.waiting.length === 0) lines.delete(who)
    goOn()
  }

  const begin = (who: string, line: Line<T>): void => {
    const item = line.waiting.shift() as T
    running += 1
    line.running += 1
    lines.delete(who)
    lines.set(who, line)
    void run(item).finally(() => end(who, line))
  }

  const nextLine = (): [string, Line<T>] | undefined => {
    for (const entry of lines) if (entry[1].waiting.length > 0 && entry[1].running < atOnceEach) return entry
    return undefined
  }

  const goOn = (): void => {
    while (running < atOnce) {
      const next = nextLine()
      if (next === undefined) return
      begin(...next)
    }
  }

  return {
    add: (who, item) => {
      const line = lines.get(who) ?? { running: 0, waiting: [] }
      lines.set(who, line)
      line.waiting.push(item)
      goOn()
    },
  }
}
