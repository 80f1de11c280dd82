// Masjids that nobody looks after have no stored days, until somebody asks for them or looks after them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { findWorkDue, runJob } from '../../src/prayer/job/run-job.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { insertMasjid } from '../support/masjids.ts'

const now = new Date('2026-03-01T12:00:00Z')
let throwaway: TestDatabase
let database: Database

before(async () => {
  throwaway = await createTestDatabase()
  database = openDatabase(throwaway.connection, { poolSize: 4, log: createLogger('silent') })
})
after(async () => {
  await database.close()
  await throwaway.drop()
})

const daysOf = async (masjid: string): Promise<number> =>
  (
    await database.first<{ days: number }>(sql`
    select count(*)::int as days from pc_calculated_times where masjid_id = ${masjid}`)
  )?.days ?? 0

/** As an import makes them. */
const imported = (): Promise<string> =>
  database.transaction(async transaction => {
    const masjid = await insertMasjid(transaction)
    assert.equal(await onDemand(masjid, transaction), 1)
    return masjid
  })

const onDemand = async (masjid: string, on: Pick<Database, 'first'> = database): Promise<number> =>
  (await on.first<{ count: number }>(sql`select times_on_demand(array[${masjid}]::uuid[]) as count`))?.count ?? 0

const ask = async (
  masjids: readonly string[],
  { today = '2026-03-01', aMinute = 10, inAll = 100 } = {},
): Promise<number> =>
  (
    await database.first<{ count: number }>(sql`
    select ask_for_days(${masjids}::uuid[], ${today}::date, ${aMinute}, ${inAll}) as count`)
  )?.count ?? 0

describe('a masjid on demand', () => {
  test('has no days, whatever changes, and nothing is due', async () => {
    const masjid = await imported()
    await database.run(sql`update up_masjids set latitude = 40 where id = ${masjid}`)
    assert.deepEqual(await findWorkDue(database, now), { masjids: 0, events: 0 })
    await runJob({ database, now })
    assert.equal(await daysOf(masjid), 0)
  })

  test('has days once somebody asked', async () => {
    const masjid = await imported()
    assert.equal(await ask([masjid]), 1)
    assert.equal(await ask([masjid]), 0)
    await runJob({ database, now })
    assert.equal(await daysOf(masjid), 404)
  })
})
