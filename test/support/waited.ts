// Work → how long it took, without what a busy machine added.
import { readFileSync } from 'node:fs'

/** Milliseconds that the main thread could run and had no processor; 0 where Linux does not say, or once the process is gone. */
const waitedForCpu = (pid: number | 'thread-self'): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

/** The request, the service and the database each wait for a processor about as long as this process does. */
const WAITERS = 3

/** For tests of how long something may take: counts milliseconds on an idle machine. */
export const startWatch = (): (() => number) => {
  const started = performance.now()
  const waited = waitedForCpu('thread-self')
  return () => Math.max(0, performance.now() - started - WAITERS * (waitedForCpu('thread-self') - waited))
}

const OFTEN_MS = 10

/** For a process that is about to end: the milliseconds that a busy machine added until then, its workers and database included. */
export const watchEnding = (pid: number): (() => number) => {
  const before = waitedForCpu(pid)
  let last = before
  const timer = setInterval(() => {
    last = Math.max(last, waitedForCpu(pid))
  }, OFTEN_MS)
  return () => {
    clearInterval(timer)
    return WAITERS * (last - before)
  }
}
