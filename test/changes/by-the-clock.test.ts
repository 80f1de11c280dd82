// Announcements and timetables in the change feeds: also what changes by the clock alone, and only for those who may read the rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataScopes } from '../../src/access/scopes.ts'
import { noteDue } from '../../src/changes/note-due.ts'
import { sql } from '../../src/db/sql.ts'
import { masjidId } from '../graphql/fixture.ts'
import { everything, grantWith } from '../graphql/use-engine.ts'
import { within } from '../support/oauth.ts'
import { type Line, type SinceOptions, useFeed } from './use-feed.ts'

const { graphql, run, now, since } = useFeed()

/** Reads what everybody may, and looks after no masjid. */
const stranger = grantWith(dataScopes, { ownMasjids: [] })

const said = (number: number): string => `34000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** Times are SQL. */
const announce = (number: number, starts: string, ends = 'null') =>
  run(`insert into up_announcements (id, masjid_id, texts, starts_at, ends_at)
    values ('${said(number)}', '${masjidId(1)}', '{"en": {"title": "Said"}}', ${starts}, ${ends})`)

const shown = (lines: readonly Line[]) => lines.map(({ table_name, id, is_deleted }) => [table_name, id, is_deleted])
const announcements = async (cursor: string, options: SinceOptions = { grant: stranger }) =>
  shown(await since(cursor, options)).filter(([table]) => table === 'up_announcements')
const due = () => noteDue(graphql().database)
const passed = (moment: string): Promise<void> =>
  within(60_000, 'the moment has passed', async () => {
    const row = await graphql().database.first<{ passed: boolean }>(
      sql`select now() > ${moment}::timestamptz as passed`,
    )
    return row?.passed === true
  })
/** A moment that passes soon, by the database's clock. */
const soon = async (): Promise<string> => {
  const row = await graphql().database.first<{ at: string }>(sql`select (now() + interval '1.5 s')::text as at`)
  return row?.at ?? assert.fail()
}
const isShown = async (number: number): Promise<boolean> => {
  const query = `{ up_announcements_by_pk(id: "${said(number)}") { id } }`
  return (await graphql().ask(query, { grant: stranger })).up_announcements_by_pk !== null
}

test('an announcement has a line when it is written, changed and deleted', async () => {
  const begin = await now()
  await announce(1, 'now()')
  assert.equal(await due(), 0, 'the clock adds nothing to what was written just now')
  await run(`update up_announcements set urgent = true where id = '${said(1)}'`)
  assert.deepEqual(await announcements(begin), Array(2).fill(['up_announcements', said(1), false]))
  const later = await now()
  await run(`delete from up_announcements where id = '${said(1)}'`)
  assert.deepEqual(await announcements(later), [['up_announcements', said(1), true]])
})

test('one written ahead has a line when it starts and when it ends, each once, and none before for those who may not see it', async () => {
  const begin = await now()
  const starts = await soon()
  // Long enough to look in between, on a busy machine too.
  await announce(2, `'${starts}'`, `timestamptz '${starts}' + interval '4 s'`)
  if (!(await isShown(2))) {
    assert.deepEqual(await announcements(begin), [])
    assert.deepEqual(await announcements(begin, { grant: everything }), [['up_announcements', said(2), false]])
  }
  const written = await now()
  await passed(starts)
  await due()
  assert.ok(await isShown(2))
  assert.deepEqual(await announcements(written), [['up_announcements', said(2), false]])
  await within(60_000, 'it has ended', async () => (await due()) > 0)
  assert.equal(await due(), 0)
  assert.deepEqual(await announcements(written), Array(2).fill(['up_announcements', said(2), false]))
})

test('several processes that look at once leave one line', async () => {
  const starts = await soon()
  await announce(3, `'${starts}'`)
  await passed(starts)
  const written = await now()
  await Promise.all([due(), due(), due()])
  assert.deepEqual(await announcements(written), [['up_announcements', said(3), false]])
})

test('one that is postponed after it started is gone for others until it starts again', async () => {
  await announce(4, 'now()')
  const begin = await now()
  await run(`update up_announcements set starts_at = now() + interval '1 day' where id = '${said(4)}'`)
  assert.deepEqual(await announcements(begin), [['up_announcements', said(4), true]])
  assert.deepEqual(await announcements(begin, { grant: everything }), [['up_announcements', said(4), false]])
  const latest = async () =>
    (await graphql().ask(`{ up_changes(where: {id: {_eq: "${said(4)}"}}) { is_deleted } }`, { grant: stranger }))
      .up_changes
  assert.deepEqual(await latest(), [{ is_deleted: true }])
  await run(`update up_announcements set starts_at = now() where id = '${said(4)}'`)
  assert.deepEqual(await latest(), [{ is_deleted: false }])
})

test('one that never started was never there, also when it is deleted', async () => {
  const begin = await now()
  await announce(5, `now() + interval '1 day'`)
  await announce(6, `now() + interval '1 day'`)
  await run(`delete from up_announcements where id = '${said(5)}'`)
  await run(`update up_announcements set deleted_at = now() where id = '${said(6)}'`)
  assert.deepEqual(await announcements(begin), [])
})

test('timetables and their days are listed; a day that another covers is shown as deleted', async () => {
  const begin = await now()
  const table = '35000000-0000-4000-8000-000000000001'
  const day = '35000000-0000-4000-8000-000000000002'
  await run(`insert into pc_timetables (id, masjid_id, name, first_date, last_date, entry_count)
    values ('${table}', '${masjidId(1)}', 'A year', '2040-01-01', '2040-01-01', 1)`)
  await run(`insert into pc_timetable_days (id, masjid_id, timetable_id, date, prayer, iqamah, in_force)
    values ('${day}', '${masjidId(1)}', '${table}', '2040-01-01', 'fajr', '06:00', true)`)
  const of = async (cursor: string) => shown(await since(cursor, { prefix: 'pc', grant: stranger }))
  assert.deepEqual(await of(begin), [
    ['pc_timetables', table, false],
    ['pc_timetable_days', day, false],
  ])
  const later = await now()
  await run(`update pc_timetable_days set in_force = false where id = '${day}'`)
  assert.deepEqual(await of(later), [['pc_timetable_days', day, true]])
})

test('changes of iqamah are listed for those who look after the masjid, and for nobody else', async () => {
  const begin = await now()
  const change = '36000000-0000-4000-8000-000000000001'
  await run(`insert into pc_iqamah_changes (id, masjid_id, prayer, session, first_on, rule, fixed_time, status, publish_at)
    values ('${change}', '${masjidId(1)}', 'fajr', 1, '2040-01-01', 'fixed', '06:00', 'planned', '2039-12-01')`)
  const of = async (grant: typeof everything) =>
    shown(await since(begin, { prefix: 'pc', grant })).filter(([table]) => table === 'pc_iqamah_changes')
  assert.deepEqual(await of(everything), [['pc_iqamah_changes', change, false]])
  assert.deepEqual(await of(grantWith(dataScopes, { ownMasjids: [masjidId(1)] })), [
    ['pc_iqamah_changes', change, false],
  ])
  assert.deepEqual(await of(grantWith(dataScopes, { ownMasjids: [masjidId(2)] })), [])
  assert.deepEqual(await of(stranger), [])
  const list = async (grant: typeof everything) =>
    (await graphql().ask('{ pc_changes(where: {table_name: {_eq: "pc_iqamah_changes"}}) { id } }', { grant }))
      .pc_changes
  assert.deepEqual(await list(everything), [{ id: change }])
  assert.deepEqual(await list(stranger), [])
})
