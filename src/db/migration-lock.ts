// A client of the owner → the lock under which migrations run: the second process waits, and then finds nothing left to do.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../base/log.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { StartFault } from './embedded/start-fault.ts'

const LOOK_EVERY_MS = 200
const SAY_AFTER_MS = 5000
const LONGEST_WAIT_MS = 600_000

const tryLock = async (client: pg.Client): Promise<boolean> => {
  const lock = 'select pg_try_advisory_lock($1) as held'
  const { rows } = await client.query<{ held: boolean }>(lock, [advisoryLocks.migration])
  return rows[0]?.held === true
}

/** A session lock, released when the client disconnects. */
export const holdMigrationLock = async (client: pg.Client, log: Logger): Promise<void> => {
  const started = Date.now()
  let said = false
  while (!(await tryLock(client))) {
    const waitedMs = Date.now() - started
    if (!said && waitedMs > SAY_AFTER_MS) {
      said = true
      log.warn('another process is migrating the database; waiting for it')
    }
    if (waitedMs > LONGEST_WAIT_MS)
      throw new StartFault('Another session has held the lock on migrations for ten minutes. End it, and start again.')
    await delay(LOOK_EVERY_MS)
  }
}
