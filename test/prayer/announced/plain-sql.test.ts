// What a database owner does by plain SQL, and what the job finds afterwards: no stale row is shown, and no row or mark stays for ever.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { dayNumberOf } from '../../../src/base/civil-date.ts'
import { rawSql, sql } from '../../../src/db/sql.ts'
import { adoptTimes, checkNext, findDue, keepTimes } from '../../../src/prayer/announced/keep-times.ts'
import { useDatabase } from '../../support/open-database.ts'
import { insertKept, keepAll, reach, readersGetTheDefinition, rowsAreTheDefinition } from './use-kept-times.ts'

const database = useDatabase()
let masjid = ''
beforeEach(async () => {
  await database().run(sql`delete from up_masjids`)
  await database().run(sql`delete from outdated_times`)
  masjid = (await insertKept(database()))[0] ?? ''
})

const run = (statement: string): Promise<number> => database().run(rawSql(statement))
const count = async (of: string): Promise<number> =>
  (await database().first<{ count: number }>(rawSql(`select count(*)::int as count from ${of}`)))?.count ?? 0

/** One more than a transaction keeps by itself. */
const insertMore = (): Promise<unknown> =>
  insertKept(
    database(),
    Array.from({ length: 21 }, () => ({})),
  )

const follow = async (): Promise<void> => {
  await readersGetTheDefinition(database())
  await keepAll(database())
  await rowsAreTheDefinition(database())
}

for (const statement of [
  `delete from zone_offsets where zone = 'America/New_York'`,
  `with gone as (delete from zone_offsets where zone = 'America/New_York' returning clock)
   insert into zone_offsets (zone, clock) select 'America/New_Yorks', clock from gone`,
  'truncate zone_offsets',
  'truncate pc_iqamah_schedules cascade',
  'truncate pc_calculated_times',
  `delete from pc_calculated_times where date between '2026-02-12' and '2026-02-14'`,
])
  test(`readers follow: ${statement}`, async () => {
    await database()
      .transaction(async transaction => {
        await transaction.run(rawSql(statement))
        await readersGetTheDefinition(transaction)
        throw new Error('rolled back')
      })
      .catch(error => assert.equal(error.message, 'rolled back'))
    await rowsAreTheDefinition(database())
  })

test('what is taken back within a transaction leaves neither rows nor marks behind', async () => {
  await database().transaction(async transaction => {
    for (const statement of [
      'savepoint one',
      'update pc_iqamah_schedules set offset_minutes = 55',
      'set constraints all immediate',
      'rollback to one',
      `update pc_iqamah_schedules set label = 'Kept'`,
    ])
      await transaction.run(rawSql(statement))
    await readersGetTheDefinition(transaction)
  })
  await rowsAreTheDefinition(database())
  assert.equal(await count(`announced_times where label = 'Kept'`), 29)
  assert.equal(await count(`announced_times where iqamah_at = adhan_at + interval '55 minutes'`), 0)
})

test('a zone that goes and comes back with other offsets', async () => {
  await run(`create temporary table ours as select * from zone_offsets where zone = 'America/New_York'`)
  await run(`delete from zone_offsets where zone = 'America/New_York'`)
  await follow()
  await run(
    `insert into zone_offsets (zone, clock) select 'America/New_York', clock from zone_offsets where zone = 'Europe/Berlin'`,
  )
  await follow()
})

test('days that are no longer calculated: their rows are removed by the check, as nothing wrong', async () => {
  await run(`delete from pc_calculated_times where date < '2026-02-15'`)
  await follow()
  assert.ok((await count(`announced_times where date < '2026-02-15'`)) > 0)
  await run(`update announced_reach set checked_at = now() - interval '25 hours'`)
  assert.deepEqual(await checkNext(database(), reach), { masjid_id: masjid, wrong: 0 })
  assert.equal(await count(`announced_times where date < '2026-02-15'`), 0)
  assert.equal(await checkNext(database(), reach), undefined)
})

test('a check that finds a wrong row tells those who keep or copy times', async () => {
  await run(`update announced_times set iqamah_at = iqamah_at + interval '1 hour' where date = '2026-02-20'`)
  await run(`update announced_reach set checked_at = '-infinity'`)
  const told = await database().first<{ at: Date }>(sql`select now() as at`)
  assert.equal((await checkNext(database(), reach))?.wrong, 1)
  await rowsAreTheDefinition(database())
  assert.equal(await count(`calculation_states where changed_at > '${told?.at.toISOString()}'`), 1)
  assert.ok((await count(`changes.log where table_name = 'public.calculation_states'`)) > 0)
})

test('rows that agree are not touched', async () => {
  const before = await database().query(rawSql('select ctid, xmin, xmax from announced_times order by ctid'))
  assert.ok(before.length > 100)
  await run(`update announced_reach set checked_at = '-infinity'`)
  assert.equal((await checkNext(database(), reach))?.wrong, 0)
  await run(`insert into outdated_times (masjid_id) values ('${masjid}')`)
  await keepAll(database())
  assert.deepEqual(await database().query(rawSql('select ctid, xmin, xmax from announced_times order by ctid')), before)
})

test('what changes during a check is not counted as wrong', async () => {
  // as left by a transaction that committed between the first statement of the check and the comparison
  await run(`
    create function marks_late() returns trigger language plpgsql as $$
    begin insert into outdated_times (masjid_id) values (new.masjid_id); return null; end $$`)
  await run('create trigger marks_late after update on announced_times for each row execute function marks_late()')
  await run(`update announced_times set label = 'Wrong' where date = '2026-02-20' and prayer = 'asr'`)
  await run('delete from outdated_times')
  await run(`update announced_reach set checked_at = '-infinity'`)
  assert.equal((await checkNext(database(), reach))?.wrong, 0)
  await run('drop function marks_late cascade')
  await keepAll(database())
  await rowsAreTheDefinition(database())
})

test('with fewer days ahead the rows end earlier, and later with more again', async () => {
  for (const [date, days] of [
    ['2026-02-24', 15],
    ['2026-03-10', 29],
  ] as const) {
    const other = { ...reach, until: dayNumberOf(date) }
    assert.deepEqual(await findDue(database(), other), [masjid])
    assert.equal(await keepTimes(database(), other, masjid), true)
    assert.deepEqual(await findDue(database(), other), [])
    assert.equal(await count(`(select distinct date from announced_times) day`), days)
    await readersGetTheDefinition(database())
    await rowsAreTheDefinition(database())
  }
})

test('many masjids that are deleted softly, and lose their days before their marks are seen to, keep neither rows nor marks', async () => {
  await insertMore()
  assert.equal(await count('announced_reach'), 22)
  await run('update up_masjids set deleted_at = now()')
  assert.equal(await count('outdated_times'), 22)
  await run('delete from pc_calculated_times')
  await keepAll(database())
  assert.deepEqual(
    [await count('outdated_times'), await count('announced_reach'), await count('announced_times')],
    [0, 0, 0],
  )
  await run('update up_masjids set deleted_at = null')
  await readersGetTheDefinition(database())
})

test('many masjids that are removed at once leave no rows, and no marks after the next look', async () => {
  await insertMore()
  await run('delete from up_masjids')
  assert.deepEqual([await count('announced_reach'), await count('announced_times')], [0, 0])
  await adoptTimes(database(), 'public')
  assert.equal(await count('outdated_times'), 0)
})

test('nobody but the owner may call what keeps the rows, and nobody can put tables of their own in its way', async () => {
  const found = await database().query<{ name: string; open: boolean; pinned: boolean }>(sql`
    select proname as name, has_function_privilege('public', oid, 'execute') as open,
      prosqlbody is not null or 'search_path=public, extensions, pg_temp' = any (proconfig) as pinned
    from pg_proc where pronamespace = 'public'::regnamespace
      and proname ~ '^(outdate_|settle_own|defined_day|announces_times)|_announced_times$' order by 1`)
  assert.ok(found.length >= 16)
  assert.deepEqual(
    found.filter(({ open, pinned }) => open || !pinned),
    // called by the view, for whoever may read that
    [{ name: 'defined_day', open: true, pinned: true }],
  )
})
