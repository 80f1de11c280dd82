// Additions to the database never displace what was there: under /v1 changes only add.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { useEngine } from './use-engine.ts'

const graphql = useEngine()

const run = async (text: string): Promise<void> => {
  await graphql().database.run(rawSql(`set search_path = public, extensions; ${text}`))
  await graphql().engine.structures.reload()
}

const leftOut = (): string => graphql().engine.structures.current().model.leftOut.join('\n')

describe('an added foreign key', () => {
  test('takes no existing relationship name, on either side', async () => {
    await run(`create table pc_room (id int primary key);
      create table pc_talk (id int primary key, early_room_id int, room_id int references pc_room);
      insert into pc_room values (1), (2); insert into pc_talk values (1, 2, 1)`)
    const query = '{ pc_room_by_pk(id: 1) { talk { id } } pc_talk { room { id } } }'
    const before = await graphql().ask(query)
    assert.deepEqual(before, { pc_room_by_pk: { talk: [{ id: 1 }] }, pc_talk: [{ room: { id: 1 } }] })
    // one on a new column, and one on a column older than the one that has the name
    await run(`alter table pc_talk add backup_room_id int references pc_room;
      alter table pc_talk add constraint a_first foreign key (early_room_id) references pc_room`)
    assert.deepEqual(await graphql().ask(query), before)
    assert.deepEqual(
      await graphql().ask('{ pc_room_by_pk(id: 2) { talk_by_early_room_id { id } talk_by_backup_room_id { id } } }'),
      { pc_room_by_pk: { talk_by_early_room_id: [{ id: 1 }], talk_by_backup_room_id: [] } },
    )
  })

  test('takes no name from a key of another table or from a computed field', async () => {
    await run(`create table up_seat (id int primary key, room_id int references pc_room);
      create function pc_room_chair(room pc_room) returns int language sql stable as 'select 5'`)
    const query = '{ pc_room_by_pk(id: 1) { seat { id room_id } chair } }'
    const before = await graphql().ask(query)
    await run(`create table pc_seat (id int primary key, room_id int references pc_room);
      create table pc_chair (id int primary key, room_id int references pc_room)`)
    assert.deepEqual(await graphql().ask(query), before)
    const added = await graphql().ask('{ pc_room_by_pk(id: 1) { seat_by_room_id { id } chair_by_room_id { id } } }')
    assert.deepEqual(added, { pc_room_by_pk: { seat_by_room_id: [], chair_by_room_id: [] } })
  })
})

describe('an object created under a name already in use', () => {
  test("a type called like one of PostgreSQL's own hides only its own columns", async () => {
    await run(`create type public.date as enum ('a', 'b'); create type public.macaddr as enum ('a');
      create table pc_aaa (id int primary key, t public.date, m public.macaddr); create table pc_aab (t public.date)`)
    assert.deepEqual(await graphql().ask('{ pc_aaa { id } ua_donations(limit: 1) { id } }'), {
      pc_aaa: [],
      ua_donations: (await graphql().ask('{ ua_donations(limit: 1) { id } }')).ua_donations,
    })
    for (const column of ['pc_aaa.t', 'pc_aaa.m', 'pc_aab.t', '"pc_aab"']) assert.ok(leftOut().includes(column), column)
    const dated = [...graphql().engine.structures.current().model.tables.values()].filter(({ columns }) =>
      [...columns.values()].some(({ type }) => type.sql === '"pg_catalog"."date"'),
    )
    assert.ok(dated.length > 3, `${dated.length} tables with dates`)
  })

  test('a table displaces no table, function or key', async () => {
    await run(`create table pc_zed_group (id int primary key); create table pc_zod (id int primary key, name text unique);
      create table pc_zad (id int primary key);
      create function pc_zad_near() returns setof pc_zad language sql stable as 'select * from pc_zad'`)
    const query = '{ pc_zed_group { id } pc_zod_by_name(name: "x") { id } pc_zad_near { id } }'
    const before = await graphql().ask(query)
    await run(`create table pc_zed (id int primary key); create table pc_zod_by_name (id int primary key, other int);
      create table pc_zad_near (id int primary key, other int)`)
    assert.deepEqual(await graphql().ask(query), before)
    for (const name of ['"pc_zed"', '"pc_zod_by_name"', '"pc_zad_near"'])
      assert.ok(leftOut().includes(`table ${name}: the name`), `${name}: ${leftOut()}`)
    assert.equal((await graphql().refused('{ pc_zad_near { other } }'))[0]?.extensions.code, 'validation-failed')
  })

  test('a key displaces no table or function', async () => {
    await run(`create table pc_key (id int primary key, name text, word text);
      create table pc_key_by_name (id int primary key, kept int);
      create function pc_key_by_word() returns setof pc_key language sql stable as 'select * from pc_key'`)
    const query = '{ pc_key { id } pc_key_by_name { kept } pc_key_by_word { id } }'
    const before = await graphql().ask(query)
    await run('alter table pc_key add unique (name), add unique (word)')
    assert.deepEqual(await graphql().ask(query), before)
    assert.match(leftOut(), /key pc_key_by_name: the name pc_key_by_name is taken/)
  })
})
