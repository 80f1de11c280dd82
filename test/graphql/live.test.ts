import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { startWatch } from '../support/waited.ts'
import { grantWith, useEngine } from './use-engine.ts'

const graphql = useEngine()
/** A copy of a database does not inherit the settings of the original. */
const run = (text: string) => graphql().database.run(rawSql(`set search_path = public, extensions; ${text}`))

/** A second on an idle machine. Without notifications the structure is polled every half minute, so this still tells the two apart. */
const soon = async (check: () => Promise<void>): Promise<void> => {
  const [watch, deadline] = [startWatch(), Date.now() + 120_000]
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (watch() > 25_000 || Date.now() > deadline) throw error
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}

const fieldsOf = async (
  type: string,
): Promise<Map<string, { description: string; isDeprecated: boolean; deprecationReason: string }>> => {
  const query = `{ __type(name: "${type}") { fields(includeDeprecated: true) { name description isDeprecated deprecationReason } } }`
  const { __type } = await graphql().ask(query)
  return new Map((__type?.fields ?? []).map((field: { name: string }) => [field.name, field]))
}

describe('the schema follows the database', () => {
  test('a new table, its rows, columns, keys and comments', async () => {
    await run(`create table up_rooms (id int primary key, masjid_id uuid references up_masjids, name text unique, "Seats" int);
      insert into up_rooms values (1, '00000000-0000-4000-8000-000000000001', 'Hall', 5)`)
    await soon(async () =>
      assert.deepEqual(
        await graphql().ask(
          '{ up_rooms { name Seats masjid { slug rooms { id } } } up_rooms_by_name(name: "Hall") { id } }',
        ),
        {
          up_rooms: [{ name: 'Hall', Seats: 5, masjid: { slug: 'masjid-1', rooms: [{ id: 1 }] } }],
          up_rooms_by_name: { id: 1 },
        },
      ),
    )
    // without its own scope it needs every scope of its prefix
    const errors = await graphql().refused('{ up_rooms { id } }', { grant: grantWith(['masjid:read']) })
    assert.deepEqual(errors[0]?.extensions.scopes, ['events:read'])

    await run(
      `comment on column up_rooms.name is E'What it is called.'; alter table up_rooms add floor int not null default 2`,
    )
    await soon(async () => assert.equal((await fieldsOf('up_rooms')).get('name')?.description, 'What it is called.'))
    assert.deepEqual((await graphql().ask('{ up_rooms { floor } }')).up_rooms, [{ floor: 2 }])

    await run(`comment on column up_rooms.floor is E'@deprecated 2026-01-01 Use level.'`)
    await soon(async () => assert.equal((await fieldsOf('up_rooms')).get('floor')?.deprecationReason, 'Use level.'))

    await run('alter table up_rooms rename name to title')
    await soon(async () =>
      assert.deepEqual((await graphql().ask('{ up_rooms { title } }')).up_rooms, [{ title: 'Hall' }]),
    )
    assert.equal((await graphql().refused('{ up_rooms { name } }'))[0]?.extensions.code, 'validation-failed')

    await run('alter table up_rooms drop constraint up_rooms_masjid_id_fkey')
    await soon(async () => assert.equal((await fieldsOf('up_rooms')).has('masjid'), false))

    await run(`comment on table up_rooms is '@hidden'`)
    await soon(async () => assert.equal((await fieldsOf('up_rooms')).size, 0))
    await run('drop table up_rooms')
  })

  test('a new value of an enum, a new function, a new view', async () => {
    await run(`alter type up_event_mode add value 'by_post'`)
    await soon(async () =>
      assert.deepEqual((await graphql().ask('{ up_events(where: {mode: {_eq: by_post}}) { id } }')).up_events, []),
    )
    await run(
      `create function up_masjids_shouted(masjid up_masjids) returns text language sql stable as $$ select upper(masjid.slug) $$`,
    )
    await soon(async () =>
      assert.deepEqual(
        await graphql().ask(
          '{ up_masjids_by_slug(slug: "masjid-1") { shouted } up_masjids(where: {shouted: {_eq: "MASJID-2"}}, order_by: {shouted: asc}) { slug } }',
        ),
        {
          up_masjids_by_slug: { shouted: 'MASJID-1' },
          up_masjids: [{ slug: 'masjid-2' }],
        },
      ),
    )
    await run(`create view up_cities as select city, count(*) as masjids from up_masjids group by city`)
    await soon(async () => assert.equal((await graphql().ask('{ up_cities { city masjids } }')).up_cities.length, 3))
    assert.ok((await graphql().refused('{ up_cities_by_pk(city: "x") { city } }')).length > 0)
  })

  test('names with quotes, capitals and keywords work; what cannot be exposed is left out and breaks nothing', async () => {
    await run(`create table "up_Select" (id int primary key, "from" int, "order" text, "Where" int, "we""ird" int, "has space" int);
      comment on column "up_Select"."we""ird" is '@name weird';
      insert into "up_Select" values (1, 2, 'a', 3, 4, 5);
      create table "up_odd name" (id int); create table unprefixed (id int); create table "up_"")); drop" (id int);
      create table up_masjids_bool_exp (id int); create table "__up" (id int);
      create type up_words as enum ('two words', 'true'); create table up_worded (id int primary key, word up_words);
      insert into up_worded values (1, 'two words')`)
    await soon(async () =>
      assert.deepEqual(
        await graphql().ask(
          '{ up_Select(where: {from: {_eq: 2}, weird: {_gt: 1}}, order_by: {order: asc}) { from order Where weird } up_worded(where: {word: {_eq: "two words"}}) { word } }',
        ),
        { up_Select: [{ from: 2, order: 'a', Where: 3, weird: 4 }], up_worded: [{ word: 'two words' }] },
      ),
    )
    const { leftOut } = graphql().engine.structures.current().model
    for (const name of ['up_odd name', 'unprefixed', 'up_masjids_bool_exp', '__up', 'has space'])
      assert.ok(
        leftOut.some(line => line.includes(name)),
        name,
      )
  })

  test('whatever is created, the schema stays valid and other queries still work', async () => {
    await run(`create table up_uncomparable (doc json); create table up_empty ();
      create type "order_by" as enum ('a'); create table up_clash (id int primary key, clash "order_by");
      create schema elsewhere; create type elsewhere.up_facility as enum ('x');
      create table up_twice (id int primary key, facility elsewhere.up_facility);
      create type up_clash_bool_exp as enum ('b'); create table up_clash2 (id int primary key, clash up_clash_bool_exp);
      create function up_clash(word text) returns setof up_masjids language sql stable as 'select * from up_masjids';
      create table up_found_args (id int primary key);
      create function up_found(word text) returns setof up_masjids language sql stable as 'select * from up_masjids';
      create function up_masjids_name(masjid up_masjids) returns text language sql stable as 'select 1::text';
      create domain up_positive as int check (value > 0); create type up_pair as (a int, b text);
      create table up_varied (id up_positive primary key, pair up_pair, pairs up_pair[], point point, bytes bytea, "row" xml);
      insert into up_varied values (1, (1, 'x'), array[(2, 'y')::up_pair], point(1, 2), 'ab', '<a/>')`)
    await soon(async () =>
      assert.deepEqual(
        await graphql().ask('{ up_varied_by_pk(id: 1) { id pair pairs point bytes row } up_twice { id } }'),
        {
          up_varied_by_pk: {
            id: 1,
            pair: { a: 1, b: 'x' },
            pairs: [{ a: 2, b: 'y' }],
            point: '(1,2)',
            bytes: '\\x6162',
            row: '<a/>',
          },
          up_twice: [],
        },
      ),
    )
    const { leftOut } = graphql().engine.structures.current().model
    for (const name of [
      'up_uncomparable',
      'up_empty',
      'up_clash.clash',
      'up_twice.facility',
      'up_clash2.clash',
      '"up_clash"',
      '"up_found"',
      '"up_masjids_name"',
    ])
      assert.ok(
        leftOut.some(line => line.includes(name)),
        `${name}: ${leftOut.join()}`,
      )
    assert.equal((await graphql().ask('{ up_masjids { id facilities } }')).up_masjids.length, 11)
  })

  test('a computed field may require its own scope', async () => {
    await run(`create function up_masjids_gifts(masjid up_masjids) returns bigint language sql stable as
        'select count(*) from ua_donations where masjid_id = masjid.id'; comment on function up_masjids_gifts is '@scope donations:read'`)
    await soon(async () => assert.ok((await fieldsOf('up_masjids')).has('gifts')))
    const grant = grantWith(['masjid:read'])
    for (const query of [
      '{ up_masjids { gifts } }',
      '{ up_masjids(where: {gifts: {_gt: 1}}) { id } }',
      '{ up_masjids(order_by: {gifts: asc}) { id } }',
    ])
      await soon(async () =>
        assert.deepEqual((await graphql().refused(query, { grant }))[0]?.extensions.scopes, ['donations:read'], query),
      )
    const { __type } = await graphql().ask('{ __type(name: "up_masjids") { fields { name } } }', { grant })
    assert.ok(!__type.fields.some(({ name }: { name: string }) => name === 'gifts'))
  })

  test('the reader has no access to a hidden column, which is not only missing from the schema', async () => {
    await run(`create table up_secrets (id int primary key, shown int, secret text);
      comment on column up_secrets.secret is '@hidden'; insert into up_secrets values (1, 2, 'x')`)
    await soon(async () =>
      assert.deepEqual((await graphql().ask('{ up_secrets { shown } }')).up_secrets, [{ shown: 2 }]),
    )
    const rights = await graphql().database.first<{ shown: boolean; secret: boolean }>(
      rawSql(`select has_column_privilege('minaret_reader', 'up_secrets', 'shown', 'select') as shown,
        has_column_privilege('minaret_reader', 'up_secrets', 'secret', 'select') as secret`),
    )
    assert.deepEqual(rights, { shown: true, secret: false })
  })

  test('a hidden foreign key has no relationship, on either side, that would reveal its value', async () => {
    await run(`create table pc_hid (key int primary key, quiet int unique); create table pc_fkno (id int primary key,
        hid_id int references pc_hid, quiet_id int references pc_hid (quiet), open_id int references pc_hid);
      comment on column pc_fkno.hid_id is '@hidden'; comment on column pc_hid.quiet is '@hidden';
      insert into pc_hid values (7, 8); insert into pc_fkno values (1, 7, 8, 7)`)
    await soon(async () =>
      assert.deepEqual(await graphql().ask('{ pc_fkno { open { key fkno { id } } } }'), {
        pc_fkno: [{ open: { key: 7, fkno: [{ id: 1 }] } }],
      }),
    )
    const fields = [...(await fieldsOf('pc_fkno')).keys(), ...(await fieldsOf('pc_hid')).keys()]
    for (const name of ['hid', 'quiet', 'fkno_by_hid_id', 'fkno_by_quiet_id', 'fkno_by_open_id'])
      assert.ok(!fields.includes(name), name)
    const rights = await graphql().database.first<{ hid: boolean; quiet: boolean }>(
      rawSql(`select has_column_privilege('minaret_reader', 'pc_fkno', 'hid_id', 'select') as hid,
        has_column_privilege('minaret_reader', 'pc_hid', 'quiet', 'select') as quiet`),
    )
    assert.deepEqual(rights, { hid: false, quiet: false })
  })

  test('no request fails during the change, and no response mixes old and new', async () => {
    await run('create table up_moving (id int primary key, kept int, gone int); insert into up_moving values (1, 2, 3)')
    await soon(async () => assert.equal((await graphql().ask('{ up_moving { id } }')).up_moving.length, 1))
    let running = true
    let asked = 0
    const asking = Array.from({ length: 8 }, async () => {
      while (running) {
        assert.deepEqual((await graphql().ask('{ up_moving { id kept } }')).up_moving, [{ id: 1, kept: 2 }])
        asked += 1
      }
    })
    for (const change of [
      'alter table up_moving drop gone',
      'alter table up_moving add fresh int',
      'alter table up_moving alter kept type bigint',
      'begin; drop table up_moving; create table up_moving (id int primary key, kept int); insert into up_moving values (1, 2); commit',
      'alter table up_moving rename kept to other; alter table up_moving rename other to kept',
    ]) {
      await run(change)
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    running = false
    await Promise.all(asking)
    assert.ok(asked > 50)
  })
})

describe('without event triggers', () => {
  const quiet = useEngine(async database => {
    await database.run(rawSql('drop event trigger minaret_structure; drop event trigger minaret_structure_drop'))
  })

  test('the structure is polled, and the schema still follows', async () => {
    await quiet().database.run(rawSql('create table public.up_quiet (id int primary key)'))
    await soon(async () => assert.deepEqual(await quiet().ask('{ up_quiet { id } }'), { up_quiet: [] }))
    await quiet().database.run(rawSql('drop table public.up_quiet'))
    await soon(async () => assert.ok((await quiet().refused('{ up_quiet { id } }')).length > 0))
  })

  test('functions without public execute rights are granted to the reader', async () => {
    await quiet().database.run(
      rawSql(`create function public.up_masjids_all(word text) returns setof public.up_masjids language sql stable as 'select * from public.up_masjids';
        revoke execute on function public.up_masjids_all from public`),
    )
    await soon(async () =>
      assert.deepEqual(await quiet().ask('{ up_masjids_all(args: {word: "x"}) { id } }'), { up_masjids_all: [] }),
    )
  })
})
