// A thread with a task and the CPU time it may take → a call when that is used up.
import { performance } from 'node:perf_hooks'
import type { Worker } from 'node:worker_threads'

const LOOK_EVERY_MS = 50
/** Whatever the CPU time says: native code does not answer, and nobody waits longer. */
const MOST_MS = 20_000

/** By the clock before Node 24.6, which cannot tell. */
const cpuMsOf = async (worker: Partial<Pick<Worker, 'cpuUsage'>>): Promise<number> => {
  const { user, system } = (await worker.cpuUsage?.()) ?? { user: performance.now() * 1000, system: 0 }
  return (user + system) / 1000
}

/** @returns a function that ends the watch. */
export const limitTask = async (worker: Worker, mostCpuMs: number, onOver: () => void): Promise<() => void> => {
  const [began, used] = [performance.now(), await cpuMsOf(worker)]
  let isAsking = false
  const look = async (): Promise<void> => {
    if (performance.now() - began > MOST_MS) return onOver()
    if (isAsking) return
    isAsking = true
    // A thread that has ended has no time; its end is told otherwise.
    const now = await cpuMsOf(worker).catch(() => used)
    isAsking = false
    if (now - used > mostCpuMs) onOver()
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  return () => clearInterval(timer)
}
