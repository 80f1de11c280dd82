import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../src/base/clock.ts'
import { createLogger } from '../../src/base/log.ts'
import { openDatabase } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { loadDemoOnce } from '../../src/demo/load-demo.ts'
import { createTestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/process.ts'

test('of two first starters one loads the demo data, and the other waits for it', async () => {
  const { connection, drop } = await createTestDatabase()
  const folder = temporaryFolder()
  const log = createLogger('silent')
  const starters = [1, 2].map(() => openDatabase(connection, { poolSize: 4, log }))
  let loads = 0
  const load = (database: (typeof starters)[number]): Promise<void> =>
    loadDemoOnce({ database, clock: systemClock, dataDir: folder.path, onProgress: () => (loads += 1) })
  try {
    await Promise.all(starters.map(load))
    assert.equal(loads, 1)
    const row = await starters[0]?.first<{ count: string }>(sql`select count(*) from up_masjids`)
    assert.ok(Number(row?.count) > 0)
  } finally {
    await Promise.all(starters.map(database => database.close()))
    await drop()
    folder.remove()
  }
})
