// Waits until the prayer job of a running service has nothing left to do.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../src/db/database.ts'
import { isWorkDue } from '../../src/prayer/job/run-job.ts'

export const untilSettled = async (database: Database, withinMs = 180_000): Promise<void> => {
  const deadline = Date.now() + withinMs
  while (await isWorkDue(database, new Date())) {
    assert.ok(Date.now() < deadline, `the prayer job was not done within ${withinMs} ms`)
    await delay(50)
  }
}
