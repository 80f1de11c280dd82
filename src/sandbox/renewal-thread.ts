// The thread that renews the sandbox, apart from the one that serves requests.
import { constants } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createLogger, type LogLevel } from '../base/log.ts'
import type { Connection } from '../db/connection.ts'
import { openDatabase } from '../db/database.ts'
import { thisPlatform } from '../platform/this-platform.ts'
import { ensureNearestTimes } from '../prayer/job/nearest-times.ts'
import { loadRows, renewFixtures } from './renew-fixtures.ts'

export interface RenewalInput {
  readonly connection: Connection
  readonly now: number
  readonly logLevel: LogLevel
  /** Someone is waiting for it, as at the first start. */
  readonly urgent: boolean
}

export type RenewalMessage =
  /** The rows and today's times can be queried; other days and RSVPs follow. */
  { readonly kind: 'loaded' } | { readonly kind: 'done'; readonly renewed: boolean }

/** One holds the lock while the nearest times are calculated, two write them. */
const CONNECTIONS = 3

const post = (message: RenewalMessage): void => parentPort?.postMessage(message)

const run = async ({ connection, now, logLevel, urgent }: RenewalInput): Promise<void> => {
  if (!urgent) thisPlatform.lowerThreadPriority(constants.priority.PRIORITY_LOW)
  const database = openDatabase(connection, { poolSize: CONNECTIONS, log: createLogger(logLevel) })
  try {
    if (urgent) {
      await loadRows(database, new Date(now))
      await ensureNearestTimes({ database, schema: 'sandbox', now: new Date(now) })
      post({ kind: 'loaded' })
    }
    post({ kind: 'done', renewed: await renewFixtures({ database, now: new Date(now) }) })
  } finally {
    await database.close()
  }
}

// What is thrown ends the thread, and the main thread is told.
void run(workerData as RenewalInput)
