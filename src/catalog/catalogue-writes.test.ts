import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createEmptyDatabase, type TestDatabase } from '../../test/support/database.ts'
import { createLogger } from '../base/log.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { countCatalogueWrites, lookIfWritten } from './catalogue-writes.ts'

let made: TestDatabase
let database: Database
let client: pg.Client

/** Counters reach others at the end of the next transaction. */
const report = 'select pg_stat_force_next_flush()'
const run = async (text: string): Promise<void> => {
  await client.query(text)
  await client.query(report)
}

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

test('every kind of change is counted, in a replication session too', async () => {
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
    'drop table pet',
    'set session_replication_role = replica; create table pet (id integer); set session_replication_role = origin',
  ]
  let before = await countCatalogueWrites(database, 'public')
  for (const change of changes) {
    await run(change)
    const after = await countCatalogueWrites(database, 'public')
    assert.notEqual(after, before, change)
    before = after
  }
})

test('rows and their statistics are not, until a table is several times as large', async () => {
  await run('insert into pet select generate_series(1, 1100)')
  await run('analyze pet')
  const before = await countCatalogueWrites(database, 'public')
  await run('insert into pet select generate_series(1101, 1200)')
  await run('analyze pet')
  assert.equal(await countCatalogueWrites(database, 'public'), before)
  await run('insert into pet select generate_series(1201, 8000)')
  await run('analyze pet')
  assert.notEqual(await countCatalogueWrites(database, 'public'), before)
})

test('how large other tables become does not matter: those of other schemas, and partitions', async () => {
  await run('create schema logs; create table logs.line (id integer)')
  await run('create table month (id integer) partition by range (id); create table may partition of month default')
  const before = await countCatalogueWrites(database, 'public')
  for (const table of ['logs.line', 'month']) await run(`insert into ${table} select generate_series(1, 5000)`)
  await run('analyze logs.line; analyze may')
  assert.equal(await countCatalogueWrites(database, 'public'), before)
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

test('where nothing is counted, the catalogue is looked at every time', async () => {
  let looks = 0
  const uncounted: Pick<Database, 'first' | 'query' | 'run'> = {
    ...database,
    first: async () => ({ writes: null }) as never,
  }
  const seldom = lookIfWritten({
    database: uncounted,
    schema: 'public',
    look: async () => {
      looks += 1
    },
  })
  await seldom()
  await seldom()
  assert.equal(looks, 2)
})
