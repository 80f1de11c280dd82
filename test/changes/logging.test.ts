// Whatever changes rows of a watched table is in the log, in the same transaction.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql, sql } from '../../src/db/sql.ts'
import { masjid, rowsOf, useLog } from './use-log.ts'

const log = useLog(
  `create table up_rooms (id int primary key, masjid_id uuid, name text not null default '');
   create table up_chairs (room int references up_rooms on delete cascade on update cascade, number int, primary key (room, number));
   create table up_notes (words text);
   create table up_days (masjid_id uuid, day int, primary key (masjid_id, day)) partition by list (day);
   create table up_days_one partition of up_days for values in (1);
   create table up_days_more partition of up_days for values in (2, 3) partition by list (day);
   create table up_days_two partition of up_days_more for values in (2);
   create table up_days_three partition of up_days_more for values in (3);
   create table up_pets (id int primary key, masjid_id uuid);
   create table up_cats (lives int) inherits (up_pets);
   insert into up_rooms values (1, '${masjid(1)}'), (2, '${masjid(1)}'), (3, '${masjid(2)}');
   insert into up_chairs values (1, 1), (1, 2), (2, 1)`,
  ['up_rooms', 'up_chairs', 'up_notes', 'up_days', 'up_pets'],
)

const room = (id: number, at: string | null, kind: string) => ({
  table_name: 'public.up_rooms',
  masjid_id: at,
  key: { id },
  kind,
})

test('inserts, changes and deletions are logged by key and masjid', async () => {
  assert.deepEqual(
    await log.logged(
      `insert into up_rooms values (10, '${masjid(1)}'), (11, null)`,
      `update up_rooms set name = 'Hall' where id = 10`,
      'delete from up_rooms where id in (10, 11)',
    ),
    [
      room(10, masjid(1), 'insert'),
      room(11, null, 'insert'),
      room(10, masjid(1), 'update'),
      room(10, masjid(1), 'delete'),
      room(11, null, 'delete'),
    ],
  )
})

test('a statement that changes no row logs nothing', async () => {
  assert.deepEqual(
    await log.logged(
      'update up_rooms set id = 5 where false',
      'delete from up_rooms where false',
      'insert into up_rooms select * from up_rooms where false',
    ),
    [],
  )
})

test('a row that moves to another masjid is logged under both, and one that changes its key under both keys', async () => {
  const byMasjid = (one: { masjid_id: string | null }, other: { masjid_id: string | null }) =>
    String(one.masjid_id).localeCompare(String(other.masjid_id))
  assert.deepEqual((await log.logged(`update up_rooms set masjid_id = '${masjid(9)}' where id = 2`)).sort(byMasjid), [
    room(2, masjid(1), 'update'),
    room(2, masjid(9), 'update'),
  ])
  const keys = (await log.logged('update up_rooms set id = 30 where id = 3')).map(({ key }) => key?.id)
  assert.deepEqual(keys.sort(), [3, 30])
})

test('more than 20 rows of a statement are one row for each masjid, without keys', async () => {
  const insert = (count: number) =>
    `insert into up_rooms select 1000 + n, ('{${masjid(1)},${masjid(2)}}'::uuid[])[n % 2 + 1] from generate_series(1, ${count}) n`
  assert.equal((await log.logged(insert(20), 'delete from up_rooms where id > 1000')).length, 40)
  const rows = await log.logged(
    insert(21),
    `update up_rooms set masjid_id = '${masjid(3)}' where id > 1000`,
    'delete from up_rooms where id > 1000',
  )
  assert.deepEqual(new Set(rows.map(({ kind, key }) => `${kind} ${key}`)), new Set(['bulk null']))
  assert.deepEqual(rows.map(({ masjid_id }) => masjid_id).sort(), [1, 1, 2, 2, 3, 3].map(masjid))
})

test('a table without masjids, or without a key, is logged too', async () => {
  const words = { table_name: 'public.up_notes', masjid_id: null, key: null, kind: 'bulk' }
  assert.deepEqual(
    await log.logged(
      `insert into up_notes values ('a'), ('b')`,
      `update up_notes set words = 'c'`,
      'delete from up_notes',
    ),
    [words, words, words],
  )
  assert.deepEqual(await log.logged('delete from up_chairs where room = 2'), [
    { table_name: 'public.up_chairs', masjid_id: null, key: { room: 2, number: 1 }, kind: 'delete' },
  ])
})

test('what a foreign key deletes or changes with a row is logged', async () => {
  const changed = await log.logged('update up_rooms set id = 40 where id = 1')
  assert.equal(changed.filter(({ table_name }) => table_name === 'public.up_chairs').length, 4)
  const deleted = await log.logged('delete from up_rooms where id = 40')
  assert.deepEqual(deleted.map(({ table_name, kind }) => `${table_name} ${kind}`).sort(), [
    'public.up_chairs delete',
    'public.up_chairs delete',
    'public.up_rooms delete',
  ])
})

test('an upsert logs what it inserted and what it changed, and MERGE does', async () => {
  const upsert = await log.logged(
    `insert into up_rooms values (50, '${masjid(1)}')`,
    `insert into up_rooms values (50, '${masjid(2)}'), (51, '${masjid(2)}') on conflict (id) do update set name = 'x'`,
  )
  assert.deepEqual(upsert.map(({ key, kind }) => `${key?.id} ${kind}`).sort(), ['50 insert', '50 update', '51 insert'])
  const merged = await log.logged(
    `merge into up_rooms room using (values (50), (52)) given (id) on room.id = given.id
     when matched then delete when not matched then insert values (given.id, null, '')`,
  )
  assert.deepEqual(merged.map(({ key, kind }) => `${key?.id} ${kind}`).sort(), ['50 delete', '52 insert'])
})

test('COPY is logged', async () => {
  const rows = await log.database().transaction(async transaction => {
    await transaction.run(rawSql(`copy up_rooms (id) from program 'printf "60\\n61\\n"'`))
    return rowsOf(transaction)
  })
  assert.deepEqual(rows, [room(60, null, 'insert'), room(61, null, 'insert')])
})

test('TRUNCATE is logged, of tables that it cascades to as well', async () => {
  const truncated = (table: string) => ({ table_name: `public.${table}`, masjid_id: null, key: null, kind: 'truncate' })
  assert.deepEqual(
    (await log.logged('truncate up_rooms cascade')).sort((one, other) =>
      one.table_name.localeCompare(other.table_name),
    ),
    [truncated('up_chairs'), truncated('up_rooms')],
  )
})

test('writes to a partition, or to an inheritance child, are logged under the name of the parent', async () => {
  const day = (number: number, kind: string) => ({
    table_name: 'public.up_days',
    masjid_id: masjid(1),
    key: { masjid_id: masjid(1), day: number },
    kind,
  })
  assert.deepEqual(
    await log.logged(
      `insert into up_days values ('${masjid(1)}', 1)`,
      `insert into up_days_two values ('${masjid(1)}', 2)`,
      `update up_days_more set day = 3`,
      'delete from up_days_three',
    ),
    [day(1, 'insert'), day(2, 'insert'), day(2, 'update'), day(3, 'update'), day(3, 'delete')],
  )
  assert.deepEqual(
    (await log.logged('truncate up_days_one')).map(({ table_name, kind }) => [table_name, kind]),
    [['public.up_days', 'truncate']],
  )
  const pet = (kind: string) => ({ table_name: 'public.up_pets', masjid_id: null, key: { id: 1 }, kind })
  assert.deepEqual(await log.logged('insert into up_cats (id) values (1)', 'update up_pets set masjid_id = null'), [
    pet('insert'),
    pet('update'),
  ])
})

test('a session that replays what another server did is logged', async () => {
  const rows = await log.logged(
    `set local session_replication_role = replica`,
    `insert into up_rooms values (70, null)`,
    'delete from up_rooms where id = 70',
  )
  assert.deepEqual(rows, [room(70, null, 'insert'), room(70, null, 'delete')])
})

test('what was rolled back is not in the log, and the log has the xid of the whole transaction', async () => {
  const rows = await log.database().transaction(async transaction => {
    await transaction.run(sql`savepoint one`)
    await transaction.run(sql`insert into up_rooms values (80)`)
    await transaction.run(sql`rollback to one`)
    await transaction.run(sql`savepoint two`)
    await transaction.run(sql`insert into up_rooms values (81)`)
    await transaction.run(sql`release two`)
    await transaction.run(
      rawSql(
        `do $$ begin insert into up_rooms values (82); begin insert into up_rooms values (83), (1/0); exception when others then null; end; end $$`,
      ),
    )
    return rowsOf(transaction)
  })
  assert.deepEqual(rows, [room(81, null, 'insert'), room(82, null, 'insert')])
})

test('whoever may write a table needs no right to the log, and a temporary table cannot take its place', async () => {
  await log.run('grant insert on up_rooms to minaret_writer')
  assert.deepEqual(
    await log.database().transaction(async transaction => {
      await transaction.run(sql`create temporary table log (table_name text, masjid_id uuid, key jsonb, kind text)`)
      await transaction.run(sql`create temporary table after_rows (id int, masjid_id uuid)`)
      await transaction.run(sql`set local role minaret_writer`)
      await transaction.run(sql`insert into public.up_rooms values (90, null)`)
      await transaction.run(sql`reset role`)
      return rowsOf(transaction)
    }),
    [room(90, null, 'insert')],
  )
})
