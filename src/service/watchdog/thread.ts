// The watchdog's thread: looks at the turns of the main thread's event loop, and ends the process once one of them has taken too much
// CPU time. It imports little, as every process has one of these threads; the log is loaded when there is something to say.
import { setTimeout as delay } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import type { LogLevel } from '../../base/log.ts'
import { reachMainThread } from './ask-main.ts'
import { cpuTimeReader } from './cpu-time.ts'
import { createPatience } from './patience.ts'
import type { Testimony } from './witness.ts'

export interface WatchdogInput {
  /** One number, which changes with the turns of the event loop. */
  readonly turns: Int32Array
  /** Tells the CPU time of the main thread; undefined where there is no such file. */
  readonly file: string | undefined
  readonly logLevel: LogLevel
  readonly isTerminal: boolean
  readonly signal: NodeJS.Signals
}

/** CPU time that one turn may take. */
const LIMIT_MS = 5000
/** From here on the main thread is asked what it is doing. */
const DOUBT_MS = 2000
const LOOK_EVERY_MS = 500
/** For the last line, however slow the machine or whoever reads it. */
const WRITING_MS = 5000
const DYING_MS = 500
/** What a shell reports for the signal. */
const STATUS = 154

const { turns, file, logLevel, isTerminal, signal } = workerData as WatchdogInput
const readCpuTime = cpuTimeReader(file)
const patience = createPatience(2 * LOOK_EVERY_MS)
const main = reachMainThread()
let testimony: Testimony | undefined

const writeLastLine = async (): Promise<void> => {
  const { lastLine } = await import('./last-line.ts')
  await lastLine({ testimony, logLevel, isTerminal, seconds: LIMIT_MS / 1000 })
}

/** Not process.exit, which ends a thread. */
const end = async (): Promise<void> => {
  clearInterval(timer)
  await Promise.race([writeLastLine().catch(() => undefined), delay(WRITING_MS)])
  process.kill(process.pid, signal)
  await delay(DYING_MS)
  process.kill(process.pid, 'SIGKILL')
  // The first process of a container gets no signals from inside. When it exits, it waits until it is no longer asked anything.
  for (;;) {
    await delay(DYING_MS)
    main.exit(STATUS)
    await delay(DYING_MS)
    main.leave()
  }
}

/** Many short requests in one turn are no reason to end anything. */
const askWhatItDoes = (): void =>
  main.ask(answer => {
    if (testimony !== undefined && !answer.isSame) patience.startAgain()
    testimony = answer
  })

const look = (): void => {
  const used = patience.look(Atomics.load(turns, 0), readCpuTime)
  if (used === 0 && testimony !== undefined) {
    testimony = undefined
    main.leave()
  }
  if (used >= LIMIT_MS) void end()
  else if (used >= DOUBT_MS) askWhatItDoes()
}

const timer = setInterval(look, LOOK_EVERY_MS)
