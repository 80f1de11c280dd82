import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../src/db/database.ts'
import { badRows } from './bad-rows.ts'
import { goodRows, groundwork, ids } from './good-rows.ts'
import { insertRow, useDatabase, type Values } from './use-database.ts'

const model = useDatabase(async owner => {
  for (const [table, values] of groundwork) await insertRow(owner, table, values)
})

class Undo extends Error {}

/** Tries to write and rolls back, so that every row is tried against the same data. */
const attempt = (owner: Database, table: string, values: Values): Promise<void> =>
  owner
    .transaction(async transaction => {
      await insertRow(transaction, table, values)
      throw new Undo()
    })
    .catch(error => {
      if (!(error instanceof Undo)) throw error
    })

for (const [table, values] of Object.entries(goodRows)) {
  test(`${table} accepts a good row`, () => attempt(model().owner, table, values))
}

for (const [table, difference, constraint] of badRows) {
  test(`${table} refuses ${JSON.stringify(difference)}`, async () => {
    await assert.rejects(attempt(model().owner, table, { ...goodRows[table], ...difference }), constraint)
  })
}

const dhuhr = { ...goodRows.pc_iqamah_schedules, prayer: 'dhuhr', weekdays: [1] }

test('iqamah rules that never meet on a day, or differ in priority, season, session or masjid, may coexist', async () => {
  const neighbours: Values[] = [
    { ...dhuhr, weekdays: [4, 5, 6, 7] },
    { ...dhuhr, valid: '[2026-07-01,)' },
    { ...dhuhr, priority: 1 },
    { ...dhuhr, season: 'ramadan' },
    { ...dhuhr, session: 2 },
    { ...dhuhr, masjid_id: ids.otherMasjid },
    { ...dhuhr, deleted_at: '2026-01-01T00:00:00Z' },
  ]
  for (const values of neighbours) await attempt(model().owner, 'pc_iqamah_schedules', values)
})

test('an RSVP takes its masjid from its occurrence', async () => {
  const { masjid_id: _, ...values } = goodRows.up_event_rsvps ?? {}
  await attempt(model().owner, 'up_event_rsvps', values)
})
