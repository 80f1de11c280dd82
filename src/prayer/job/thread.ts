// The job's own thread: one run, far from the thread that answers requests, and behind it in line for the processor.
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createLogger, type LogLevel } from '../../base/log.ts'
import type { Connection } from '../../db/connection.ts'
import { openDatabase } from '../../db/database.ts'
import { type Progress, type RunOutcome, runJob } from './run-job.ts'

export interface ThreadInput {
  readonly connection: Connection
  readonly now: number
  readonly logLevel: LogLevel
  /** Thousands of masjids, as at the first start: requests come first. */
  readonly background: boolean
  /** Shared with the main thread: how many times as long as it worked the job shall rest, in hundredths. */
  readonly rest: SharedArrayBuffer
}

export type ThreadNews =
  | ({ readonly kind: 'progress' } & Progress)
  | { readonly kind: 'fault'; readonly what: string; readonly message: string }
  | ({ readonly kind: 'done' } & RunOutcome)

/** One for the lock, one that reads what is next, two that write. */
const CONNECTIONS = 4

const tell = (news: ThreadNews): void => parentPort?.postMessage(news)

/** Not the lowest of all: where the machine is full, that would be never. On Linux 0 is this thread, not the process. Elsewhere it would be the process, which must stay as it is. */
const stepBack = (): void => {
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
}

const run = async ({ connection, now, logLevel, background, rest }: ThreadInput): Promise<void> => {
  if (background) stepBack()
  const database = openDatabase(connection, { poolSize: CONNECTIONS, log: createLogger(logLevel) })
  const hundredths = new Int32Array(rest)
  try {
    const outcome = await runJob({
      database,
      now: new Date(now),
      restFor: worked => (background ? (worked * Atomics.load(hundredths, 0)) / 100 : 0),
      onProgress: progress => tell({ kind: 'progress', ...progress }),
      onFault: (what, error) => tell({ kind: 'fault', what, message: String(error) }),
    })
    tell({ kind: 'done', ...outcome })
  } finally {
    await database.close()
  }
}

await run(workerData as ThreadInput)
