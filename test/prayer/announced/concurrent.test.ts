// Transactions that change the same masjids at the same time: whoever commits last, rows and definition agree, and nobody waits in a
// circle or for a reader.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { sql } from '../../../src/db/sql.ts'
import { findDue, keepTimes } from '../../../src/prayer/announced/keep-times.ts'
import { insertRule } from '../../support/iqamah.ts'
import { useDatabase } from '../../support/open-database.ts'
import { insertKept, keepAll, reach, readersGetTheDefinition, rowsAreTheDefinition } from './use-kept-times.ts'

const database = useDatabase()
let masjids: string[] = []
before(async () => {
  masjids = await insertKept(
    database(),
    Array.from({ length: 25 }, () => ({})),
  )
})

const connected = async (work: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client(database().connection)
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

const longer = (masjid: string, minutes: number): string =>
  `update pc_iqamah_schedules set offset_minutes = offset_minutes + ${minutes} where masjid_id = '${masjid}'`

let turn = 0
const next = (): number => {
  turn += 1
  return turn
}
const other = (masjid: string, prayer: string): string =>
  `insert into pc_iqamah_schedules (masjid_id, prayer, rule, offset_minutes, priority)
   values ('${masjid}', '${prayer}', 'offset', 5, ${next() % 100}) on conflict do nothing`

test('two that do not see each other’s rule: both are in the rows', async () => {
  const [masjid = ''] = masjids
  await connected(one =>
    connected(async two => {
      await one.query(`begin; ${longer(masjid, 1)}`)
      await two.query(`begin; ${other(masjid, 'isha')}`)
      await one.query('commit')
      await two.query('commit')
    }),
  )
  await rowsAreTheDefinition(database())
  const row = await database().first<{ count: number }>(sql`
    select count(distinct prayer)::int as count from announced_times where masjid_id = ${masjid} and schedule_id is not null`)
  assert.equal(row?.count, 2)
})

test('two that change the same masjids in opposite orders do not wait in a circle', async () => {
  const [first = '', second = ''] = masjids
  await connected(one =>
    connected(async two => {
      await one.query(`begin; ${other(first, 'fajr')}`)
      await two.query(`begin; ${other(second, 'fajr')}`)
      await one.query(other(second, 'dhuhr'))
      await two.query(other(first, 'dhuhr'))
      await Promise.all([one.query('commit'), two.query('commit')])
    }),
  )
  await rowsAreTheDefinition(database())
})

test('a reader never waits, and a writer not before the commit', async () => {
  const [masjid = ''] = masjids
  await connected(one =>
    connected(async two => {
      await one.query(`begin; select settle_announced_times('${masjid}')`)
      await two.query(`set statement_timeout = '5s'; begin; ${other(masjid, 'maghrib')}`)
      await readersGetTheDefinition(database())
      const committed = two.query('commit')
      await one.query('commit')
      await committed
    }),
  )
  await rowsAreTheDefinition(database())
})

test('a transaction that sees only what was there at its start leaves the rows to the job', async () => {
  const [masjid = ''] = masjids
  await connected(one =>
    connected(async two => {
      await one.query('begin isolation level repeatable read; select 1 from up_masjids limit 1')
      await two.query(longer(masjid, 2))
      await one.query(other(masjid, 'isha'))
      await one.query('commit')
    }),
  )
  await readersGetTheDefinition(database())
  await keepAll(database())
  await rowsAreTheDefinition(database())
})

test('twenty masjids at once have their rows at the commit', async () => {
  await database().run(sql`
    update pc_iqamah_schedules set offset_minutes = offset_minutes + 1 where masjid_id = any (${masjids.slice(0, 20)}::uuid[])`)
  await rowsAreTheDefinition(database())
})

test('more than twenty masjids at once are left to the job, in one statement or in many', async () => {
  await database().run(sql`update pc_iqamah_schedules set offset_minutes = offset_minutes + 1`)
  const marked = async () =>
    (await database().first<{ count: number }>(sql`select count(distinct masjid_id)::int as count from outdated_times`))
      ?.count
  assert.equal(await marked(), masjids.length)
  await readersGetTheDefinition(database())
  await keepAll(database())
  await rowsAreTheDefinition(database())
  await database().transaction(async transaction => {
    for (const masjid of masjids)
      await insertRule(transaction, masjid, { prayer: 'dhuhr', rule: 'offset', offset_minutes: 3, priority: 99 })
  })
  assert.equal(await marked(), masjids.length)
  await readersGetTheDefinition(database())
  await keepAll(database())
  await rowsAreTheDefinition(database())
})

test('writers of all kinds and two jobs at once', async () => {
  const until = Date.now() + 3000
  const some = masjids.slice(0, 3)
  const pick = () => some[next() % some.length] ?? ''
  const writers = Array.from({ length: 4 }, (_, number) =>
    connected(async client => {
      while (Date.now() < until) {
        await client.query(number === 0 && next() % 3 === 0 ? 'begin isolation level repeatable read' : 'begin')
        for (const statement of [
          longer(pick(), 1),
          other(pick(), 'fajr'),
          `delete from pc_iqamah_schedules where masjid_id = '${pick()}' and prayer = 'fajr'`,
        ])
          await client.query(`savepoint one; ${statement}`).catch(() => client.query('rollback to savepoint one'))
        await client.query(next() % 5 === 0 ? 'rollback' : 'commit').catch(() => client.query('rollback'))
      }
    }),
  )
  const calculating = connected(async client => {
    while (Date.now() < until) {
      await client.query(
        `update pc_calculated_times set asr = asr + interval '1 minute' where masjid_id = $1 and date = '2026-02-20'`,
        [pick()],
      )
      await delay(20)
    }
  })
  const jobs = [1, 2].map(async () => {
    while (Date.now() < until) {
      for (const masjid of await findDue(database(), reach)) await keepTimes(database(), reach, masjid)
      await readersGetTheDefinition(database())
    }
  })
  await Promise.all([...writers, calculating, ...jobs])
  await readersGetTheDefinition(database())
  await keepAll(database())
  await rowsAreTheDefinition(database())
})

test('a masjid that is removed takes its rows along; one whose rules are gone has none', async () => {
  const [gone = '', ruleless = ''] = masjids.slice(-2)
  await database().run(sql`delete from up_masjids where id = ${gone}`)
  await database().run(sql`delete from pc_iqamah_schedules where masjid_id = ${ruleless}`)
  await rowsAreTheDefinition(database())
  const count = async (masjid: string) =>
    (
      await database().first<{ count: number }>(
        sql`select count(*)::int as count from announced_times where masjid_id = ${masjid}`,
      )
    )?.count
  assert.equal(await count(gone), 0)
  await readersGetTheDefinition(database())
})
