import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql, type Sql, sql } from '../../src/db/sql.ts'
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

test('the search path of whoever writes decides about nothing in the triggers, which run with the owner’s rights', async () => {
  const { rolls } = (await database().transaction(async transaction => {
    const run = (text: string) => transaction.run(rawSql(text))
    await run(`create table public.up_halls (id integer primary key, masjid_id uuid)`)
    await run(`select changes.watch('public.up_halls')`)
    await run(`insert into public.up_halls values (1, '32000000-0000-4000-8000-000000000001')`)
    await run('create schema trap')
    await run(
      `create function trap.spring(text, text) returns boolean language plpgsql as 'begin raise exception ''sprung''; end'`,
    )
    await run(`create operator trap.= (leftarg = text, rightarg = text, function = trap.spring)`)
    await run(
      `create function trap.jsonb_build_object(variadic "any") returns jsonb language internal as 'jsonb_build_object_noargs'`,
    )
    await run(`create temporary table after_rows (id integer, masjid_id uuid) on commit drop`)
    await run(`create temporary table before_rows (id integer, masjid_id uuid) on commit drop`)
    await run(`set local search_path = trap, pg_temp, pg_catalog, public`)
    await run(`update public.up_halls set id = 2`)
    await run(`set local search_path = public`)
    return transaction.first<{ rolls: unknown }>(
      sql`select json_agg(key) as rolls from changes.log where table_name = 'public.up_halls' and kind = 'update'`,
    )
  })) ?? { rolls: [] }
  assert.deepEqual(rolls, [{ id: 1 }, { id: 2 }])
})
