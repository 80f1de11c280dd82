// A run that is called off → its processes end in time: those that catch the signal, as services do, are killed. The test runner sends
// one signal and reports the end at once, while the processes go on, with the database that is about to be removed.
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'

/** For a service to drain, and for hooks that remove what a test has made. */
const GRACE_MS = 5000

/** Node publishes every process that this one starts. */
const CHANNEL = 'child_process'

const isRunning = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null

const endAll = async (processes: readonly ChildProcess[]): Promise<void> => {
  const killing = setTimeout(() => {
    for (const one of processes) one.kill('SIGKILL')
  }, GRACE_MS)
  await Promise.all(processes.map(one => once(one, 'exit')))
  clearTimeout(killing)
}

/** Returns once `work` is done, and every process that it started has ended if the run is called off. */
export const endInTime = async <Result>(ending: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
  const started: ChildProcess[] = []
  const note = (message: unknown): void => {
    started.push((message as { readonly process: ChildProcess }).process)
  }
  subscribe(CHANNEL, note)
  try {
    return await work()
  } finally {
    unsubscribe(CHANNEL, note)
    if (ending.aborted) await endAll(started.filter(isRunning))
  }
}
