import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../src/db/sql.ts'
import { useDatabase } from '../support/open-database.ts'

const database = useDatabase()

const as = (role: 'minaret_reader' | 'minaret_sandbox' | 'minaret_writer', statement: Sql) =>
  database().transaction(async transaction => {
    await transaction.run(sql`select set_config('role', ${role}, true)`)
    return transaction.query(statement)
  })

const refused = { code: '42501' }

test('the roles that read find out that something changed, and not which row', async () => {
  for (const role of ['minaret_reader', 'minaret_sandbox'] as const) {
    await as(role, sql`select xid, table_name, masjid_id, kind from changes.log`)
    await assert.rejects(as(role, sql`select key from changes.log`), refused)
  }
})

test('only the owner adds to the log, and nobody else changes or empties it', async () => {
  for (const role of ['minaret_reader', 'minaret_writer'] as const) {
    await assert.rejects(
      as(role, sql`insert into changes.log (table_name, kind) values ('public.up_events', 'bulk')`),
      refused,
    )
    await assert.rejects(
      as(role, sql`insert into changes.log_default (table_name, kind) values ('x', 'bulk')`),
      refused,
    )
    await assert.rejects(as(role, sql`update changes.log set kind = 'bulk'`), refused)
    await assert.rejects(as(role, sql`delete from changes.log`), refused)
    await assert.rejects(as(role, sql`truncate changes.log`), refused)
  }
})
