// Changes of structure are in the log, and tables keep their triggers through them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { masjid, useLog } from './use-log.ts'

const log = useLog(
  `create table up_rooms (id int primary key, masjid_id uuid, name text not null default '');
   create table up_days (day int primary key, masjid_id uuid) partition by list (day);
   create table up_seats (id int primary key, masjid_id uuid)`,
  ['up_rooms', 'up_days', 'up_seats'],
)

const kinds = async (...statements: readonly string[]): Promise<string[]> =>
  (await log.logged(...statements)).map(({ table_name, kind }) => `${kind} ${table_name}`)

test('DDL that changes what tables, views, functions and policies say is logged in its transaction', async () => {
  for (const [statement, name] of [
    [`alter table up_rooms alter name type varchar(80) using upper(name)`, 'public.up_rooms'],
    ['alter table up_rooms add seats int not null default 5', 'public.up_rooms'],
    ['alter table up_rooms drop seats', 'public.up_rooms'],
    [`create or replace view up_halls as select id from up_rooms`, 'public.up_halls'],
    [`create or replace view up_halls as select id from up_rooms where id > 1`, 'public.up_halls'],
    ['create policy few on up_rooms using (id > 1)', 'few on public.up_rooms'],
    [`create or replace function up_one() returns int language sql as 'select 1'`, 'public.up_one()'],
    [`alter function up_one() cost 5`, 'public.up_one()'],
    [`comment on table up_rooms is '@hidden'`, 'public.up_rooms'],
    ['grant select on up_rooms to minaret_reader', 'GRANT'],
    ['drop view up_halls', 'public.up_halls'],
    ['alter table up_rooms disable trigger changes_insert', 'public.up_rooms'],
    ['alter table up_rooms enable always trigger changes_insert', 'public.up_rooms'],
  ] as const)
    assert.ok((await kinds(statement)).includes(`structure ${name}`), statement)
})

test('temporary tables, indexes and partitions of the log itself are nobody else’s business', async () => {
  assert.deepEqual(
    await kinds(
      'create temporary table mine (id int) on commit drop',
      'alter table mine add more int',
      'create index on mine (id)',
      'drop table mine',
      'create index on up_rooms (name)',
    ),
    [],
  )
})

test('DDL of a session that replays what another server did is logged', async () => {
  assert.ok(
    (await kinds('set local session_replication_role = replica', 'alter table up_rooms add a int')).includes(
      'structure public.up_rooms',
    ),
  )
})

test('a renamed column, key or table is followed in the same transaction: no write fails, and none is missed', async () => {
  const written = async (statement: string, insert: string) => {
    const rows = await log.logged(statement, insert)
    return rows.filter(({ kind }) => kind === 'insert' || kind === 'bulk')
  }
  const row = { masjid_id: null, kind: 'insert' }
  assert.deepEqual(
    await written('alter table up_seats rename id to number', 'insert into up_seats (number) values (1)'),
    [{ ...row, table_name: 'public.up_seats', key: { number: 1 } }],
  )
  assert.deepEqual(
    await written('alter table up_seats rename masjid_id to mosque', `insert into up_seats values (2, '${masjid(1)}')`),
    [{ ...row, table_name: 'public.up_seats', key: { number: 2 } }],
  )
  assert.deepEqual(
    await written('alter table up_seats drop constraint up_seats_pkey', 'insert into up_seats values (3)'),
    [{ ...row, table_name: 'public.up_seats', key: null, kind: 'bulk' }],
  )
  assert.deepEqual(await written('alter table up_seats rename to up_chairs', 'insert into up_chairs values (4)'), [
    { ...row, table_name: 'public.up_chairs', key: null, kind: 'bulk' },
  ])
  assert.equal(await log.isLogged('up_chairs'), true)
})

test('a new partition, one that is attached, and a new inheritance child are logged from their first row', async () => {
  const rows = await log.logged(
    'create table up_days_1 partition of up_days for values in (1)',
    'insert into up_days_1 values (1)',
    'create table up_days_2 (like up_days including all)',
    'alter table up_days attach partition up_days_2 for values in (2)',
    'insert into up_days_2 values (2)',
    'create table up_halls () inherits (up_rooms)',
    `insert into up_halls (id) values (7)`,
  )
  assert.deepEqual(
    rows.filter(({ kind }) => kind === 'insert').map(({ table_name, key }) => [table_name, key]),
    [
      ['public.up_days', { day: 1 }],
      ['public.up_days', { day: 2 }],
      ['public.up_rooms', { id: 7 }],
    ],
  )
  assert.equal(await log.isLogged('up_days'), true)
})

test('a partition that cannot have the triggers makes its whole table an unlogged one', async () => {
  await log.run('create table up_fast (id int primary key) partition by list (id)')
  await log.database().run(sql`select changes.watch('public.up_fast')`)
  assert.equal(await log.isLogged('up_fast'), true)
  await log.run('create unlogged table up_fast_1 partition of up_fast for values in (1)')
  assert.equal(await log.isLogged('up_fast'), false)
})

test('a disabled trigger stays disabled and is noticed; one that was enabled again is made to fire always', async () => {
  const { run, isLogged, database } = log
  const watch = () => database().run(sql`select changes.watch('public.up_rooms')`)
  for (const change of [
    'disable trigger changes_update',
    'disable trigger user',
    'enable replica trigger changes_insert',
  ]) {
    await run(`alter table up_rooms ${change}`)
    await watch()
    const disabled = change.startsWith('disable')
    assert.equal(await isLogged('up_rooms'), !disabled, change)
    await run('alter table up_rooms enable trigger user')
    assert.equal(await isLogged('up_rooms'), true, 'enabling it is an alteration that is followed')
  }
})

test('a trigger, function or event trigger that is gone or replaced is noticed, and comes back', async () => {
  const { run, isLogged, database } = log
  const watch = () => database().run(sql`select changes.watch('public.up_rooms')`)
  for (const change of [
    'drop trigger changes_delete on up_rooms',
    'drop function changes.public_up_rooms cascade',
    `create or replace function changes.public_up_rooms() returns trigger language plpgsql as 'begin return null; end'`,
    `create or replace trigger changes_insert after insert on up_rooms referencing new table as after_rows for each statement
     when (false) execute function changes.public_up_rooms()`,
  ]) {
    await run(change)
    assert.equal(await isLogged('up_rooms'), false, change)
    await watch()
    assert.equal(await isLogged('up_rooms'), true, change)
  }
  await run('alter event trigger minaret_changes disable')
  assert.equal(await isLogged('up_rooms'), false)
  await run('alter event trigger minaret_changes enable always')
  assert.equal(await isLogged('up_rooms'), true)
})

test('an inheritance child that is a table of the API itself is logged as its parent alone', async () => {
  await log.run('create table up_pets (id int primary key); create table up_cats () inherits (up_pets)')
  const watch = (table: string) => log.database().run(sql`select changes.watch(${`public.${table}`}::regclass)`)
  for (const table of ['up_cats', 'up_pets', 'up_cats']) await watch(table)
  assert.deepEqual([await log.isLogged('up_pets'), await log.isLogged('up_cats')], [true, false])
})
