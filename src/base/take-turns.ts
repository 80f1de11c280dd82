// Work → the same work, so many at a time: what is costly waits in line and leaves the connections to others.

export type Turns = <T>(work: () => Promise<T>) => Promise<T>

export const createTurns = (atOnce: number): Turns => {
  const waiting: (() => void)[] = []
  let busy = 0
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) busy -= 1
    else next()
  }
  return async work => {
    // Whoever leaves hands the place over, so that nobody slips in between.
    if (busy < atOnce) busy += 1
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
