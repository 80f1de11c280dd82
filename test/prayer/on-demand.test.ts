// Masjids that nobody looks after have no stored days, until somebody asks for them or looks after them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dayNumberAt } from '../../src/base/civil-date.ts'
import { createLogger } from '../../src/base/log.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { rawSql, sql } from '../../src/db/sql.ts'
import { readEngineVersion } from '../../src/prayer/calculation/engine-version.ts'
import { findWorkDue, runJob } from '../../src/prayer/job/run-job.ts'
import { countStaleMasjids, lackNearestTimes, nearestGoal, readGoal } from '../../src/prayer/job/stale-masjids.ts'
import { startPrayerJob } from '../../src/prayer/start-prayer-job.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { insertEvent } from '../support/events.ts'
import { insertRule } from '../support/iqamah.ts'
import { countDays, insertImported, insertMasjid } from '../support/masjids.ts'
import { within } from '../support/oauth.ts'

const now = new Date('2026-03-01T12:00:00Z')
const log = createLogger('silent')
let throwaway: TestDatabase
let database: Database

before(async () => {
  throwaway = await createTestDatabase()
  database = openDatabase(throwaway.connection, { poolSize: 8, log })
})
after(async () => {
  await database.close()
  await throwaway.drop()
})

const imported = async (): Promise<string> => (await insertImported(database)).id

const ask = async (masjids: readonly string[], today = '2026-03-01'): Promise<boolean | undefined> =>
  (
    await database.first<{ all: boolean }>(sql`
      select ask_for_days(${masjids}::uuid[], ${today}::date, 10, 100) as all`)
  )?.all

const daysOf = async (masjid: string): Promise<number> => {
  await runJob({ database, now })
  return countDays(database, masjid)
}

describe('a masjid that nobody looks after', () => {
  test('has no days, whatever changes, and nothing is due', async () => {
    const masjid = await imported()
    await database.run(sql`update up_masjids set latitude = 40, high_latitude_rule = 'none' where id = ${masjid}`)
    await database.run(sql`update up_masjids set deleted_at = now() where id = ${masjid}`)
    await database.run(sql`update up_masjids set deleted_at = null where id = ${masjid}`)
    assert.deepEqual(await findWorkDue(database, now), { masjids: 0, events: 0 })
    assert.equal(await daysOf(masjid), 0)
  })

  test('has days once somebody asked, and follows changes meanwhile', async () => {
    const masjid = await imported()
    assert.equal(await ask([masjid]), true)
    assert.equal(await daysOf(masjid), 404)
    await database.run(sql`update up_masjids set latitude = 40 where id = ${masjid}`)
    assert.deepEqual(await findWorkDue(database, now), { masjids: 1, events: 0 })
    await runJob({ database, now })
  })

  test('has none again 30 days after anybody asked; whoever asks again has them stored longer', async () => {
    const [forgotten, asked] = [await imported(), await imported()]
    await ask([forgotten, asked])
    assert.deepEqual([await daysOf(forgotten), await daysOf(asked)], [404, 404])
    await ask([asked], '2026-03-05')
    const clock = { now: () => new Date('2026-04-01T12:00:00Z') }
    const job = startPrayerJob({ database, log, clock, reviewMs: 100 })
    try {
      await within(60_000, 'the days are gone', async () => (await countDays(database, forgotten)) === 0)
      await job.settled()
      assert.ok((await countDays(database, asked)) > 404)
    } finally {
      await job.stop()
    }
  })

  const lookAfter: Readonly<Record<string, (masjid: string) => Promise<unknown>>> = {
    'has a rule': masjid => insertRule(database, masjid, { prayer: 'isha', rule: 'fixed', fixed_time: '21:00' }),
    'has an event': masjid => insertEvent(database, masjid),
    'is verified': masjid =>
      database.run(sql`update up_masjids set verification = 'verified', verified_at = now() where id = ${masjid}`),
    'announces a month': masjid =>
      database.run(sql`select announce_hijri_month(1447, 10, '2026-03-20', masjid_id => ${masjid}::uuid)`),
  }
  for (const [what, begin] of Object.entries(lookAfter))
    test(`is as any other once it ${what}, and stays so`, async () => {
      const masjid = await imported()
      await begin(masjid)
      assert.equal(await daysOf(masjid), 404)
      const left = await database.first<{ count: number }>(sql`
        select times_on_demand(array[${masjid}::uuid]) as count, forget_asked_days('2030-01-01')`)
      assert.equal(left?.count, 0)
      assert.equal(await countDays(database, masjid), 404)
    })

  test('loses its days when it is left to demand again, also those that a run is about to store', async () => {
    const masjid = await insertMasjid(database)
    assert.equal(await daysOf(masjid), 404)
    const running = runJob({ database, now: new Date('2026-03-02T12:00:00Z') })
    await database.run(sql`select times_on_demand(array[${masjid}::uuid])`)
    await running
    await runJob({ database, now })
    assert.equal(await countDays(database, masjid), 0)
  })

  test('is left alone when its authority announces a month', async () => {
    const authority = await database.first<{ id: string }>(sql`
      insert into pc_hijri_authorities (name) values ('Moon Sighting Council') returning id`)
    const [unasked, kept] = [await imported(), await insertMasjid(database)]
    await runJob({ database, now })
    await database.run(sql`
      update up_masjids set hijri_authority_id = ${authority?.id ?? ''} where id in (${unasked}, ${kept})`)
    await database.run(
      sql`select announce_hijri_month(1447, 10, '2026-03-20', authority_id => ${authority?.id ?? ''}::uuid)`,
    )
    assert.deepEqual(await findWorkDue(database, now), { masjids: 1, events: 0 })
  })
})

test('only the owner may call what decides whose days are stored', async () => {
  const roles = await database.query<{ name: string }>(sql`
    select proname as name from pg_proc join pg_namespace on pg_namespace.oid = pronamespace, unnest(proacl) allowed
    where nspname in ('public', 'sandbox')
      and proname in ('times_on_demand', 'drop_days', 'store_days', 'ask_for_days', 'forget_asked_days', 'looked_after')
      and allowed::text not like current_user || '=%'`)
  assert.deepEqual(roles, [])
})

test('what is due, and what lacks its nearest days, is asked without reading masjids on demand', async () => {
  await runJob({ database, now })
  for (let count = 0; count < 20; count += 1) await imported()
  await database.run(rawSql('analyze calculation_states, up_masjids'))
  const rows = await database.transaction(async transaction => {
    await transaction.run(rawSql('set local enable_seqscan = off'))
    const goal = await readGoal(transaction, { schema: 'public', today: dayNumberAt(now), engine: readEngineVersion() })
    const read = async (): Promise<number> =>
      (
        await transaction.first<{ rows: number }>(sql`
          select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
          where schemaname = 'public' and relname in ('calculation_states', 'up_masjids')`)
      )?.rows ?? 0
    const before = await read()
    assert.equal(await lackNearestTimes(transaction, nearestGoal(goal)), false)
    assert.equal(await countStaleMasjids(transaction, goal), 0)
    return (await read()) - before
  })
  assert.ok(rows < 20, `${rows} rows`)
})
