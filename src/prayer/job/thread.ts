// The job's own thread: separate from the thread that serves requests, and for long work with a lower CPU priority.
import { constants } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createLogger, type LogLevel } from '../../base/log.ts'
import type { Connection } from '../../db/connection.ts'
import { openDatabase } from '../../db/database.ts'
import { thisPlatform } from '../../platform/this-platform.ts'
import { type Progress, type RunOutcome, runJob } from './run-job.ts'

export interface ThreadInput {
  readonly connection: Connection
  readonly logLevel: LogLevel
  /** Thousands of masjids, as at the first start: requests come first. */
  readonly background: boolean
  /** Shared with the main thread: the ratio of rest to work, in hundredths. */
  readonly rest: SharedArrayBuffer
}

export type Asked = { readonly kind: 'run'; readonly now: number } | { readonly kind: 'end' }

export type ThreadNews =
  | ({ readonly kind: 'progress' } & Progress)
  | { readonly kind: 'fault'; readonly what: string; readonly message: string }
  | ({ readonly kind: 'done' } & RunOutcome)

/** One for the lock, one that reads what is next, two that write. */
const CONNECTIONS = 4

const tell = (news: ThreadNews): void => parentPort?.postMessage(news)

const { connection, logLevel, background, rest } = workerData as ThreadInput
// Not the lowest priority: on a fully loaded machine that would mean never.
if (background) thisPlatform.lowerThreadPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const database = openDatabase(connection, { poolSize: CONNECTIONS, log: createLogger(logLevel) })
const hundredths = new Int32Array(rest)

const run = async (now: Date): Promise<void> => {
  const outcome = await runJob({
    database,
    now,
    restFor: worked => (background ? (worked * Atomics.load(hundredths, 0)) / 100 : 0),
    onProgress: progress => tell({ kind: 'progress', ...progress }),
    onFault: (what, error) => tell({ kind: 'fault', what, message: String(error) }),
  })
  tell({ kind: 'done', ...outcome })
}

const end = async (): Promise<void> => {
  await database.close()
  parentPort?.close()
}

// What is thrown ends the thread, and the main thread is told.
parentPort?.on('message', (asked: Asked) => void (asked.kind === 'run' ? run(new Date(asked.now)) : end()))
