import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createEmptyDatabase, type TestDatabase } from '../../test/support/database.ts'
import { createLogger } from '../base/log.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { lookIfWritten, readCatalogueMark } from './catalogue-mark.ts'

let made: TestDatabase
let database: Database
let client: pg.Client

const run = (text: string): Promise<unknown> => client.query(text)

before(async () => {
  made = await createEmptyDatabase()
  database = openDatabase(made.connection, { poolSize: 1, log: createLogger('silent') })
  client = new pg.Client({ ...made.connection })
  await client.connect()
  await run('create table pet (id integer primary key, name text)')
})
after(async () => {
  await client.end()
  await database.close()
  await made.drop()
})

test('every kind of change leaves another mark, in a replication session too', async () => {
  const changes = [
    'alter table pet add colour text',
    "comment on table pet is '@scope masjid:read'",
    'alter table pet rename colour to color',
    'grant select on pet to public',
    'grant select (name) on pet to public',
    'revoke select (name) on pet from public',
    'create policy own on pet using (id > 0)',
    'alter table pet enable row level security',
    'create function young() returns integer language sql as $$ select 1 $$',
    'create trigger gone before delete on pet for each row execute function suppress_redundant_updates_trigger()',
    'alter table pet disable trigger gone',
    "create type mood as enum ('calm')",
    "alter type mood add value 'lively'",
    'create index pet_name on pet (name)',
    'alter index pet_name rename to pet_names',
    'alter table pet alter name set default now()::text',
    'alter table pet add constraint short check (length(name) < 9)',
    'create view named as select name from pet',
    'create or replace view named as select upper(name) as name from pet',
    'grant usage on schema public to pg_monitor',
    `create function heard() returns event_trigger language plpgsql as $$ begin end $$;
     create event trigger hears on ddl_command_end execute function heard()`,
    'alter event trigger hears disable',
    'drop event trigger hears',
    'drop view named; drop table pet',
    'set session_replication_role = replica; create table pet (id integer); set session_replication_role = origin',
  ]
  let before = await readCatalogueMark(database, 'public')
  for (const change of changes) {
    await run(change)
    const after = await readCatalogueMark(database, 'public')
    assert.notEqual(after, before, change)
    before = after
  }
})

test('a change that is undone before it is committed leaves none', async () => {
  const before = await readCatalogueMark(database, 'public')
  await run('begin; alter table pet add passing text; rollback')
  assert.equal(await readCatalogueMark(database, 'public'), before)
})

test('one transaction that ends after a later one has ended leaves another', async () => {
  const other = new pg.Client({ ...made.connection })
  await other.connect()
  await run('create table slow (id integer); create table quick (id integer)')
  await other.query("begin; comment on table slow is 'one'")
  await run("comment on table quick is 'two'")
  const before = await readCatalogueMark(database, 'public')
  await other.query('commit')
  assert.notEqual(await readCatalogueMark(database, 'public'), before)
  await other.end()
})

test('neither rows nor their statistics do, until a table is several times as large', async () => {
  await run('drop table pet; create table pet (id integer)')
  await run('insert into pet select generate_series(1, 1100)')
  await run('analyze pet')
  const before = await readCatalogueMark(database, 'public')
  await run('insert into pet select generate_series(1101, 1200)')
  await run('analyze pet')
  assert.equal(await readCatalogueMark(database, 'public'), before)
  await run('insert into pet select generate_series(1201, 8000)')
  await run('analyze pet')
  assert.notEqual(await readCatalogueMark(database, 'public'), before)
})

test('how large other tables become does not matter: those of other schemas, and partitions', async () => {
  await run('create schema logs; create table logs.line (id integer)')
  await run('create table month (id integer) partition by range (id); create table may partition of month default')
  const before = await readCatalogueMark(database, 'public')
  for (const table of ['logs.line', 'month']) await run(`insert into ${table} select generate_series(1, 5000)`)
  await run('analyze logs.line; analyze may')
  assert.equal(await readCatalogueMark(database, 'public'), before)
})

test('the catalogue is looked at after a change, after a failure, and now and then regardless', async () => {
  let looks = 0
  let isBroken = false
  const look = async (): Promise<void> => {
    looks += 1
    if (isBroken) throw new Error('away')
  }
  const seldom = lookIfWritten({ database, schema: 'public', look })
  for (let time = 0; time < 3; time += 1) await seldom()
  assert.equal(looks, 1)
  await run("comment on table pet is 'changed'")
  isBroken = true
  await assert.rejects(seldom())
  isBroken = false
  await seldom()
  assert.equal(looks, 3)
  await seldom()
  assert.equal(looks, 3)
  const regardless = lookIfWritten({ database, schema: 'public', look, regardlessMs: 0 })
  for (let time = 0; time < 3; time += 1) await regardless()
  assert.equal(looks, 6)
})
