// A database in which the announced times of masjids are kept as rows, and what the definition says of them.
import assert from 'node:assert/strict'
import { dayNumberOf } from '../../../src/base/civil-date.ts'
import type { Database, Queryable } from '../../../src/db/database.ts'
import { rawSql, sql } from '../../../src/db/sql.ts'
import { findDue, keepTimes } from '../../../src/prayer/announced/keep-times.ts'
import { insertRule } from '../../support/iqamah.ts'
import { insertMasjid, type TestMasjid } from '../../support/masjids.ts'
import { fillDays } from '../../support/prayer-times.ts'

const FROM = '2026-02-10'
const DAYS = 34
/** The last days have no rows. */
const UNTIL = '2026-03-10'

export const reach = { schema: 'public', until: dayNumberOf(UNTIL) } as const

/** As the job does, until nothing is due. */
export const keepAll = async (database: Database): Promise<void> => {
  for (let due = await findDue(database, reach); due.length > 0; due = await findDue(database, reach))
    for (const masjid of due) await keepTimes(database, reach, masjid)
}

/** Masjids with a rule and 34 days of times from 10 February 2026 on, 29 of them as rows. */
export const insertKept = async (database: Database, places: readonly TestMasjid[] = [{}]): Promise<string[]> => {
  const masjids: string[] = []
  for (const place of places) masjids.push(await insertMasjid(database, place))
  for (const masjid of masjids)
    await insertRule(database, masjid, { prayer: 'asr', rule: 'offset', offset_minutes: 10 })
  await fillDays(database, { from: FROM, days: DAYS })
  await keepAll(database)
  return masjids
}

/** Two for each masjid. */
export const addSources = async (database: Database, masjids: readonly string[]): Promise<void> => {
  for (const masjid of masjids)
    await database.run(sql`
      insert into pc_prayer_sources (masjid_id, kind, label, priority)
      values (${masjid}, 'manual', 'One', 20), (${masjid}, 'manual', 'Two', 10)`)
}

const shared = `masjid_id, date, prayer, session, label, adhan_at, iqamah_at, khutbah_at, adhan_local, iqamah_local, khutbah_local,
  timezone, hijri_year, hijri_month, hijri_day, is_ramadan, prayer_hijri_year, prayer_hijri_month, prayer_hijri_day, source, schedule_id,
  source_id, timetable_id, imam, language`

const differences = (one: string, other: string): string => `
  select count(*)::int as count, min(masjid_id || ' ' || date || ' ' || prayer || ' ' || session) as example from (
    (select ${one} except all select ${other}) union all (select ${other} except all select ${one})) differing`

const same = async (database: Queryable, one: string, other: string): Promise<void> => {
  const row = await database.first<{ count: number; example: string | null }>(rawSql(differences(one, other)))
  assert.equal(row?.count, 0, `${row?.count} rows differ, such as ${row?.example}`)
}

/** What readers get is what the definition says, whatever is marked. */
export const readersGetTheDefinition = (database: Queryable): Promise<void> =>
  same(database, `${shared} from pc_prayer_times`, `${shared} from defined_prayer_times`)

/** The rows are those of the definition, as far as they reach and days are calculated, and nothing is marked. */
export const rowsAreTheDefinition = async (database: Queryable): Promise<void> => {
  const row = await database.first<{ marks: number }>(sql`select count(*)::int as marks from outdated_times`)
  assert.equal(row?.marks, 0, 'nothing is left to be done')
  await same(
    database,
    'stored.* from announced_times stored join pc_calculated_times day using (masjid_id, date)',
    'defined.* from defined_prayer_times defined join announced_reach using (masjid_id) where date <= last_date',
  )
}
