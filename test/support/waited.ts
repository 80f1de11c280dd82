// Work → how long it took, without what a busy machine added: for tests that say how long something may take.
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

/** Milliseconds that the main thread could run and had no processor; 0 where Linux does not say, or once the process is gone. */
const waitedForCpu = (pid: number | 'thread-self'): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

const TICK_MS = 10
const STEAL = 8

/** Milliseconds that the host took away, for each processor; none where Linux does not say. */
const stolenMs = (): readonly number[] => {
  try {
    const lines = readFileSync('/proc/stat', 'utf8').split('\n')
    return lines.filter(line => /^cpu\d/.test(line)).map(line => Number(line.split(' ')[STEAL]) * TICK_MS)
  } catch {
    return []
  }
}

const missed = new BigInt64Array(new SharedArrayBuffer(8))
/** One that nothing writes to, and one that the thread writes to once it counts. */
const cells = new Int32Array(new SharedArrayBuffer(8))
let isWatching = false

/** Milliseconds for which even a thread that does nothing was not run. */
const missedMs = (): number => {
  if (!isWatching) {
    isWatching = true
    const options = { workerData: [missed, cells], execArgv: [] }
    new Worker(new URL('./standstill-thread.ts', import.meta.url), options).unref()
  }
  return Number(Atomics.load(missed, 0))
}

/** Its thread takes a while to start. */
export const countsStandstills = (): boolean => Atomics.load(cells, 1) === 1

export interface Machine {
  /** How long this thread waited for a processor. */
  readonly waited: number
  readonly missed: number
  readonly stolen: readonly number[]
}

const readMachine = (pid: number | 'thread-self'): Machine => ({
  waited: waitedForCpu(pid),
  missed: missedMs(),
  stolen: stolenMs(),
})

/** The request, the service and the database each wait for a processor about as long as one of them does. */
const WAITERS = 3

/** What the machine added between two moments. A standstill may show as time missed, as time stolen, or as both. */
export const addedMs = (before: Machine, after: Machine): number => {
  const stolen = after.stolen.map((ms, cpu) => ms - (before.stolen[cpu] ?? ms))
  return WAITERS * (after.waited - before.waited) + Math.max(after.missed - before.missed, ...stolen)
}

/** Counts milliseconds as on an idle machine. */
export const startWatch = (): (() => number) => {
  const before = readMachine('thread-self')
  const started = performance.now()
  return () => Math.max(0, performance.now() - started - addedMs(before, readMachine('thread-self')))
}

const OFTEN_MS = 10

/** For a process that is about to end: the milliseconds that a busy machine added until then, its workers and database included. */
export const watchEnding = (pid: number): (() => number) => {
  const before = readMachine(pid)
  let { waited } = before
  const timer = setInterval(() => {
    waited = Math.max(waited, waitedForCpu(pid))
  }, OFTEN_MS)
  return () => {
    clearInterval(timer)
    return addedMs(before, { ...readMachine(pid), waited })
  }
}
