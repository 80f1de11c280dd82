// While a response is made: what it is read from → whether it can be known later that nothing of that has changed.
//
// It travels with the request, so that pages need not pass it on. Whatever is read in a way that says nothing here makes the response one
// that is not kept: forgetting to say it costs speed, never truth.
import { AsyncLocalStorage } from 'node:async_hooks'

/** Something that was read, and how to find out whether it would still be read the same. */
export interface KnownRead {
  isTrue(): Promise<boolean>
  /** What it takes in memory. */
  readonly bytes: number
}

interface Trace {
  readonly reads: KnownRead[]
  isComplete: boolean
}

/** Undefined if some of it may change unnoticed. */
export type KnownReads = readonly KnownRead[] | undefined

const storage = new AsyncLocalStorage<Trace | undefined>()

export const knownReads = {
  isTracing: (): boolean => storage.getStore() !== undefined,
  trace: async <T>(work: () => Promise<T> | T): Promise<{ readonly result: T; readonly reads: KnownReads }> => {
    const trace: Trace = { reads: [], isComplete: true }
    const result = await storage.run(trace, work)
    return { result, reads: trace.isComplete ? trace.reads : undefined }
  },
  /** For work that others share, or that whoever does it accounts for. */
  untraced: <T>(work: () => T): T => storage.run(undefined, work),
  note: (reads: KnownReads): void => {
    const trace = storage.getStore()
    if (trace === undefined) return
    if (reads === undefined) trace.isComplete = false
    else trace.reads.push(...reads)
  },
}
