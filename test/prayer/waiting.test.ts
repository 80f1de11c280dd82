// Waiting for the job must not cost the database more than the job itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '../../src/base/log.ts'
import { advisoryLocks } from '../../src/db/advisory-locks.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { startPrayerJob } from '../../src/prayer/start-prayer-job.ts'
import { createTestDatabase } from '../support/database.ts'
import { insertMasjid } from '../support/masjids.ts'

const log = createLogger('silent')
const BUSY_MS = 4000
/** Two counts in each of two schemas by whoever waits; the job counts as well, and what nobody asked for, before it finds the lock taken. */
const COUNTS_PER_LOOK = 11

test('while another process does the work, the rows are counted about once a second', async () => {
  const throwaway = await createTestDatabase()
  const opened = openDatabase(throwaway.connection, { poolSize: 4, log })
  let counted = 0
  const counting: Database = {
    ...opened,
    first: statement => {
      counted += 1
      return opened.first(statement)
    },
  }
  try {
    await insertMasjid(opened)
    const started = performance.now()
    const job = await opened.transaction(async other => {
      await other.query(sql`select pg_advisory_xact_lock(${advisoryLocks.prayerJob})`)
      const begun = startPrayerJob({ database: counting, log, clock: { now: () => new Date('2026-03-01T12:00:00Z') } })
      await delay(BUSY_MS)
      return begun
    })
    const looks = counted / COUNTS_PER_LOOK
    // The pauses grow from a tenth of a second: a few looks come early.
    const most = (performance.now() - started) / 1000 + 4
    assert.ok(looks <= most, `${looks.toFixed(1)} looks, at most ${most.toFixed(1)}`)
    await job.ready
    const times = await opened.first(sql`select count(*)::int as count from pc_calculated_times`)
    assert.deepEqual(times, { count: 404 })
    await job.stop()
  } finally {
    await opened.close()
    await throwaway.drop()
  }
})
