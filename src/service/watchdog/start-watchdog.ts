// Starts the thread that ends this process if its event loop is stuck: if it makes no turn during 5 s of its own CPU time. Of a clock
// it would also be late when it was stopped, starved or waiting for a disk, and then ending it would help nobody.
import { Worker } from 'node:worker_threads'
import type { Logger, LogLevel } from '../../base/log.ts'
import { thisPlatform } from '../../platform/this-platform.ts'
import { STUCK_SIGNAL } from './stuck-signal.ts'
import type { WatchdogInput } from './thread.ts'
import { callWitness } from './witness.ts'

const BEAT_MS = 250
/** The thread needs a few; what it writes at the end loads the log. */
const HEAP_MB = 64

/** To be called once the process serves: loading it and filling an empty database may take longer turns. */
export const startWatchdog = (log: Logger): void => {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  setInterval(() => Atomics.add(turns, 0, 1), BEAT_MS).unref()
  callWitness()
  const workerData: WatchdogInput = {
    turns,
    file: thisPlatform.mainThreadFile,
    logLevel: log.level as LogLevel,
    isTerminal: process.stderr.isTTY === true,
    signal: STUCK_SIGNAL,
  }
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    name: 'watchdog',
    workerData,
    // What the process is told to load first, such as the instruments of an operator, is for the main thread.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  thread.unref()
  thread.once('error', error => log.error({ err: error }, 'the watchdog ended; a stuck event loop would stay stuck'))
}
