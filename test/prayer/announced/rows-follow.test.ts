// Whatever is written, readers get what the definition says, before and after the commit; and what a person writes has its rows then.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../../src/db/sql.ts'
import { holds } from '../../support/holds.ts'
import { insertRule } from '../../support/iqamah.ts'
import { useDatabase } from '../../support/open-database.ts'
import { addSources, insertKept, keepAll, readersGetTheDefinition, rowsAreTheDefinition } from './use-kept-times.ts'
import { attempt, leavesToTheJob, writes } from './writes.ts'

const database = useDatabase()
let masjids: string[] = []

before(async () => {
  masjids = await insertKept(database(), [{}, { timezone: 'Africa/Casablanca', latitude: 33.57, longitude: -7.59 }])
  await addSources(database(), masjids)
})

/** The time of Monday, 16 February, is kept until Sunday. */
const weekly = `insert into pc_iqamah_schedules (masjid_id, prayer, rule, offset_minutes, changes_on, priority)
  values ($masjid, 'asr', 'offset', 10, 1, 100)`
const calculatedMonday = `update pc_calculated_times set asr = asr + interval '20 minutes' where masjid_id = $masjid and date = '2026-02-16'`
const publishedMonday = `
  with timetable as (
    insert into pc_timetables (masjid_id, name, first_date, last_date, entry_count)
    values ($masjid, 'Monday', '2026-02-16', '2026-02-16', 1) returning id)
  insert into pc_timetable_days (masjid_id, timetable_id, date, prayer, adhan, iqamah)
  select $masjid, id, '2026-02-16', 'asr', '15:00', '16:45' from timetable;
  select settle_timetable_days($masjid, '-infinity', 'infinity')`
const undoneMonday = `select undo_timetable(id) from pc_timetables where masjid_id = $masjid and state <> 'undone'`
const above = (table: string): string =>
  `update ${table} set layer = nextval('timetable_layers') where masjid_id = $masjid`
const inTurn = [
  weekly,
  calculatedMonday,
  publishedMonday,
  above('pc_iqamah_schedules'),
  above('pc_timetables'),
  undoneMonday,
].map((statement): [[string, boolean][]] => [[[statement, false]]])

/** Of a masjid that was deleted, or lost its rules, there is nothing to compare. */
const revive = async (): Promise<void> => {
  await database().run(sql`update up_masjids set deleted_at = null where deleted_at is not null`)
  for (const masjid of masjids)
    await insertRule(database(), masjid, { prayer: 'asr', rule: 'offset', offset_minutes: 10, label: 'Always' })
  await keepAll(database())
}

test('rules, timetables, sources, zones, days: rows and readers follow each transaction', async () => {
  await holds(
    fc.asyncProperty(writes, async all => {
      await revive()
      await database().transaction(async transaction => {
        for (const one of all) {
          await attempt(transaction, masjids, one)
          await readersGetTheDefinition(transaction)
        }
      })
      await readersGetTheDefinition(database())
      if (all.some(([statement]) => leavesToTheJob.test(statement))) await keepAll(database())
      await rowsAreTheDefinition(database())
    }),
    { runs: 40, cases: inTurn },
  )
  await revive()
  const rows = await database().query<{ rows: number }>(
    sql`select count(*)::int as rows from announced_times group by masjid_id`,
  )
  assert.equal(rows.length, masjids.length)
  for (const one of rows) assert.ok(one.rows > 100, `${one.rows} rows`)
})
