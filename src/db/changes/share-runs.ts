// Many who ask for a result from after they asked → few runs: at most one at a time, each for all who asked before it began.

export interface SharedRuns<T> {
  /** The result of a run that begins after this call; undefined if it fails or takes too long. */
  ask(): Promise<T | undefined>
  /** Whether nobody is waiting and nothing is running. */
  readonly isIdle: boolean
  close(): void
}

export interface SharingOptions<T> {
  /** Calls back once. */
  readonly run: (done: (result: T | undefined) => void) => void
  /** How long anybody waits for a run. */
  readonly patienceMs: number
  /** Called when a run has taken a second longer than that: it has to be made to end. */
  readonly onStuck: () => void
  /** How long a run waits for those whom the one before has served: most clients ask again as soon as they are answered. */
  readonly gatherMs?: number
}

const STUCK_MS = 1000
const GATHER_MS = 0.3

type Waiter<T> = (result: T | undefined) => void

export const shareRuns = <T>({ run, patienceMs, onStuck, gatherMs = GATHER_MS }: SharingOptions<T>): SharedRuns<T> => {
  let waiting: Waiter<T>[] = []
  let served: Waiter<T>[] | undefined
  let isLate = false
  let timer: NodeJS.Timeout | undefined
  let isPlanned = false
  let expected = 0
  let gatherUntil = 0

  const serve = (waiters: readonly Waiter<T>[], result: T | undefined): void => {
    for (const waiter of waiters) waiter(result)
  }

  const finish = (result: T | undefined): void => {
    const done = served ?? []
    served = undefined
    isLate = false
    clearTimeout(timer)
    expected = done.length
    gatherUntil = performance.now() + gatherMs
    serve(done, result)
    if (waiting.length > 0) plan()
  }

  const plan = (): void => {
    if (isPlanned) return
    isPlanned = true
    setImmediate(begin)
  }

  const isGathering = (): boolean => waiting.length < expected && performance.now() < gatherUntil

  const begin = (): void => {
    isPlanned = false
    if (served !== undefined || waiting.length === 0) return
    if (isGathering()) {
      plan()
      return
    }
    served = waiting
    waiting = []
    timer = setTimeout(giveUp, patienceMs).unref()
    run(finish)
  }

  /** Nobody waits any longer, nor for the next one; but the run goes on. */
  const giveUp = (): void => {
    const abandoned = [...(served ?? []), ...waiting]
    served = []
    waiting = []
    isLate = true
    timer = setTimeout(onStuck, STUCK_MS).unref()
    serve(abandoned, undefined)
  }

  return {
    ask: () =>
      new Promise(resolve => {
        if (isLate) return resolve(undefined)
        waiting.push(resolve)
        // Whoever asks in the same turn of the event loop is served by the same run.
        if (served === undefined) plan()
      }),
    get isIdle() {
      return served === undefined && waiting.length === 0
    },
    close: () => {
      clearTimeout(timer)
      const abandoned = [...(served ?? []), ...waiting]
      served = []
      waiting = []
      serve(abandoned, undefined)
    },
  }
}
