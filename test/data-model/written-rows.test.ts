import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepLogs } from '../../src/audit/keep-logs.ts'
import { selectWrittenRows } from '../../src/audit/read-written-rows.ts'
import { rawSql, sql } from '../../src/db/sql.ts'
import { useDatabase } from './use-database.ts'
import { account } from './writing.ts'

const uuid = (number: number) => `31000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const masjid = uuid(1)
const users = { times: uuid(11), service: uuid(12), other: uuid(13) }
const app = uuid(21)

const model = useDatabase(async owner => {
  for (const [name, id] of Object.entries(users)) await account(owner, { id, admin: name === 'service' })
  await owner.run(sql`
    insert into up_masjids (id, slug, name, city, latitude, longitude, address, country, timezone)
    values (${masjid}, 'a', 'a', 'x', 0, 0, 'x', 'US', 'UTC')`)
  await owner.run(sql`
    insert into ua_members (masjid_id, given_name, user_id) values (${masjid}, 'x', ${users.times}), (${masjid}, 'y', ${users.other})`)
  await owner.run(sql`
    insert into ua_capabilities (masjid_id, user_id, capability) values (${masjid}, ${users.times}, 'times')`)
  await owner.run(
    rawSql(`create table up_signs (
      id uuid primary key default gen_random_uuid(), masjid_id uuid references up_masjids, words text not null, phone text, secret text,
      seen integer not null default 0, version bigint not null default 1, updated_at timestamptz not null default now(),
      deleted_at timestamptz)`),
  )
  await owner.run(
    rawSql(`comment on table up_signs is E'@scope masjid:read\\n@writable\\n@soft_delete deleted_at\\n@capability times\\nSigns.';
      comment on column up_signs.phone is E'@personal\\nWhom to call.';
      comment on column up_signs.secret is E'@hidden\\nNobody sees it.';
      comment on column up_signs.version is E'@version\\nRises.';
      comment on column up_signs.seen is E'@calculated\\nHow often it was read.'`),
  )
  await owner.run(sql`select watch_writes('up_signs')`)
})

const written = (key: string) =>
  model().owner.query<Record<string, unknown>>(sql`
    select kind, changed_columns, old_values, new_values, masjid_id, user_id, app_id, request_id, authority, capability
    from written_rows where table_name = 'up_signs' and record_key = ${key} order by id`)

const insert = async (settings: Record<string, string> = {}): Promise<string> => {
  const [row] = await model().asking<{ id: string }>(
    settings,
    sql`insert into up_signs (masjid_id, words, phone, secret) values (${masjid}, 'Welcome', '555', 's') returning id`,
  )
  return row?.id ?? ''
}

test('an insert, a change, a mark of deletion, its restoration and a deletion are each one row, without personal values', async () => {
  const { owner } = model()
  const id = await insert()
  await owner.run(sql`update up_signs set words = 'Salam', phone = '556', secret = 't', version = 2 where id = ${id}`)
  await owner.run(sql`update up_signs set deleted_at = '2026-01-01T00:00:00Z' where id = ${id}`)
  await owner.run(sql`update up_signs set deleted_at = null where id = ${id}`)
  await owner.run(sql`delete from up_signs where id = ${id}`)
  const rows = await written(id)
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['insert', 'update', 'delete', 'restore', 'delete'],
  )
  assert.deepEqual(rows[0]?.new_values, { id, masjid_id: masjid, words: 'Welcome', deleted_at: null })
  assert.match(String(rows[0]?.changed_columns), /phone/)
  assert.deepEqual(rows[1]?.changed_columns, ['phone', 'words', 'secret'])
  assert.deepEqual([rows[1]?.old_values, rows[1]?.new_values], [{ words: 'Welcome' }, { words: 'Salam' }])
  assert.deepEqual(rows[4]?.old_values, { id, masjid_id: masjid, words: 'Salam', deleted_at: null })
  assert.equal(rows[4]?.new_values, null)
})

test('a change of calculated columns alone, or of nothing, is no row', async () => {
  const id = await insert()
  await model().owner.run(sql`update up_signs set seen = 5, version = 2, updated_at = now() where id = ${id}`)
  await model().owner.run(sql`update up_signs set words = words where id = ${id}`)
  assert.equal((await written(id)).length, 1)
})

test('a row tells who wrote, through which app and request, and by what right', async () => {
  const cases: readonly (readonly [Record<string, string>, Record<string, unknown>])[] = [
    [{}, { user_id: null, app_id: null, request_id: null, authority: 'database', capability: null }],
    [
      { user_id: users.times, app_id: app, request_id: 'r1' },
      { user_id: users.times, app_id: app, request_id: 'r1', authority: 'capability', capability: 'times' },
    ],
    [
      { user_id: users.other, app_id: app },
      { user_id: users.other, authority: 'themselves', capability: null },
    ],
    [
      { user_id: users.service, app_id: app },
      { user_id: users.service, authority: 'administrator', capability: null },
    ],
    [
      { app_id: app, masjids: `{${masjid}}`, own_masjids: `{${masjid}}` },
      { user_id: null, app_id: app, authority: 'own-app', capability: null },
    ],
    [
      { app_id: app, masjids: '*', own_masjids: '*' },
      { authority: 'all-masjids', capability: null },
    ],
  ]
  for (const [settings, expected] of cases) {
    const [row] = await written(await insert(settings))
    assert.partialDeepStrictEqual({ ...row }, { ...expected, masjid_id: masjid })
  }
})

test('rows of one statement are each noted, also those that an upsert changed', async () => {
  const { owner } = model()
  const ids = [uuid(31), uuid(32)]
  await owner.run(sql`insert into up_signs (id, words) values (${ids[0]}, 'a')`)
  await owner.run(sql`
    insert into up_signs (id, words) values (${ids[0]}, 'b'), (${ids[1]}, 'b')
    on conflict (id) do update set words = excluded.words`)
  await owner.run(sql`update up_signs set words = words || id where id = any (${ids}::uuid[])`)
  for (const [index, id] of ids.entries()) {
    const rows = await written(id)
    assert.deepEqual(rows.at(-1)?.new_values, { words: `b${id}` })
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      index === 0 ? ['insert', 'update', 'update'] : ['insert', 'update'],
    )
  }
})

test('the audit trail can only grow, even for its owner, in every partition', async () => {
  const { owner } = model()
  await insert()
  const partitions = await owner.query<{ name: string }>(sql`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'written_rows'::regclass`)
  assert.ok(partitions.length >= 5)
  for (const { name } of [...partitions, { name: 'written_rows' }]) {
    await assert.rejects(owner.run(rawSql(`truncate ${name}`)), /can only grow/)
  }
  await assert.rejects(owner.run(sql`delete from written_rows`), /can only grow/)
  await assert.rejects(owner.run(sql`update written_rows set user_id = null`), /can only grow/)
  assert.deepEqual(await model().read({ masjids: '*', own_masjids: '*' }, sql`select id from public.written_rows`), [])
})

test('a written row lands in the partition of its month, and in the default one when there is none', async () => {
  const { owner } = model()
  const [row] = await owner.query<{ partition: string; expected: string }>(sql`
    select tableoid::regclass::text as partition, 'written_rows_' || to_char(at at time zone 'UTC', 'YYYY_MM') as expected
    from written_rows limit 1`)
  assert.equal(row?.partition, row?.expected)
  await owner.run(sql`
    insert into written_rows (at, table_name, kind, changed_columns, authority, database_user)
    values (now() + interval '1 year', 'x', 'insert', '{}', 'database', 'x')`)
  assert.equal((await owner.query(sql`select from written_rows_default`)).length, 1)
  assert.deepEqual(await owner.query(sql`select open_months_of_writing() as opened`), [{ opened: 0 }])
})

test('housekeeping opens the months to come, and it too can only grow', async () => {
  const { owner } = model()
  const months = async () =>
    (
      await owner.query<{ name: string }>(sql`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'written_rows'::regclass order by 1`)
    ).map(row => row.name)
  const before = await months()
  const last = before.filter(name => /\d$/.test(name)).at(-1) ?? ''
  await owner.run(rawSql(`drop table ${last}`))
  await keepLogs(owner, { auditLog: 400, readLog: 90, writtenRows: 0 })
  assert.deepEqual(await months(), before)
  const analysed = await owner.query(sql`
    select attrelid::regclass from pg_attribute join pg_inherits on inhrelid = attrelid
    where inhparent = 'written_rows'::regclass and attname in ('changed_columns', 'old_values', 'new_values') and attstattarget is distinct from 0`)
  assert.deepEqual(analysed, [], 'nobody looks for values, and comparing them would keep autovacuum busy')
  await assert.rejects(owner.run(rawSql(`truncate ${last}`)), /can only grow/)
  await owner.run(
    rawSql(`insert into ${last} (at, table_name, kind, changed_columns, authority, database_user)
    values (now() + interval '3 months', 'x', 'insert', '{}', 'database', 'x')`),
  )
  await assert.rejects(owner.run(rawSql(`delete from ${last}`)), /can only grow/)
})

test('history tells a row’s changes and who made them, to those who see the masjid in full alone', async () => {
  const { owner } = model()
  await owner.run(sql`select show_history('up_signs')`)
  const id = await insert({ user_id: users.times, app_id: app })
  await owner.run(sql`update up_signs set words = 'Salam', phone = '7' where id = ${id}`)
  const history = async (settings: Record<string, string>, newest = 20) => {
    const [row] = await model().asking<{ history: Record<string, unknown>[] }>(
      settings,
      sql`select up_signs_history(up_signs, ${newest}::int) as history from up_signs where id = ${id}`,
    )
    return row?.history
  }
  assert.deepEqual(await history({}), [])
  assert.deepEqual(await history({ user_id: users.other }), [])
  const own = { masjids: '*', own_masjids: `{${masjid}}` }
  const [newest, oldest] = (await history(own)) ?? []
  assert.partialDeepStrictEqual(newest, {
    kind: 'update',
    columns: ['phone', 'words'],
    old: { words: 'Welcome' },
    new: { words: 'Salam' },
  })
  assert.partialDeepStrictEqual(oldest, { kind: 'insert', user_id: users.times, app_id: app, capability: 'times' })
  assert.equal((await history(own, 1))?.length, 1)
})

test('a record’s rows are found by index, with its table and without', async () => {
  const { owner } = model()
  const id = await insert()
  await owner.run(sql`
    insert into up_signs (masjid_id, words) select ${masjid}, 'x' from generate_series(1, 3000)`)
  await owner.run(sql`analyze written_rows`)
  for (const filters of [{ record: id }, { record: id, table: 'up_signs' }]) {
    const statement = selectWrittenRows({ filters, before: undefined, limit: 20 })
    const plan = await owner.query<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${statement}`)
    const conditions = plan
      .map(line => line['QUERY PLAN'])
      .filter(line => line.includes('Index Cond: (hashtextextended'))
    assert.ok(conditions.length > 0, plan.map(line => line['QUERY PLAN']).join('\n'))
    assert.equal((await owner.query(statement)).length, 1)
  }
})

test('a key of several columns is noted as a JSON array', async () => {
  const { owner } = model()
  await owner.run(
    rawSql(`create table up_shelves (place text, number integer, words text, masjid_id uuid references up_masjids, primary key (place, number));
      comment on table up_shelves is E'@scope masjid:read\\n@writable\\n@capability times\\nShelves.'`),
  )
  await owner.run(sql`select watch_writes('up_shelves')`)
  await owner.run(sql`insert into up_shelves values ('hall', 3, 'x', ${masjid})`)
  const [row] = await owner.query<{ record_key: string }>(
    sql`select record_key from written_rows where table_name = 'up_shelves'`,
  )
  assert.deepEqual(JSON.parse(row?.record_key ?? ''), ['hall', 3])
})

test('watching a table again changes nothing until its comments change', async () => {
  const { owner } = model()
  const watch = async () =>
    (await owner.first<{ changed: boolean }>(sql`select watch_writes('up_signs') as changed`))?.changed
  assert.equal(await watch(), false)
  await owner.run(rawSql(`comment on column up_signs.words is E'@personal\\nWords.'`))
  assert.equal(await watch(), true)
  const id = await insert()
  assert.deepEqual((await written(id))[0]?.new_values, { id, masjid_id: masjid, deleted_at: null })
  await owner.run(rawSql(`comment on column up_signs.words is 'Words.'`))
  assert.equal(await watch(), true)
})

test('a new column is named in what is noted of an insert', async () => {
  const { owner } = model()
  const columns = async (): Promise<string[]> => {
    const rows = await written(await insert())
    return rows.flatMap(row => row.changed_columns as string[]).toSorted()
  }
  const before = await columns()
  await owner.run(rawSql('alter table up_signs add column colour text'))
  await owner.run(sql`select watch_writes('up_signs')`)
  assert.deepEqual(await columns(), [...before, 'colour'].toSorted())
  await owner.run(rawSql('alter table up_signs drop column colour'))
  await owner.run(sql`select watch_writes('up_signs')`)
  assert.deepEqual(await columns(), before)
})

test('in a table about people only keys, enums and booleans are kept', async () => {
  const [row] = await model().owner.query<{ arguments: string[] }>(
    sql`select writing_arguments('ua_members') as arguments`,
  )
  const kept = ['id', 'masjid_id', 'household_id', 'user_id', 'role', 'status', 'consent_api_sharing', 'deleted_at']
  const columns = await model().owner.query<{ name: string }>(sql`
    select attname as name from pg_attribute where attrelid = 'ua_members'::regclass and attnum > 0 and not attisdropped`)
  const left = new Set([
    ...(row?.arguments[2] ?? '').slice(1, -1).split(','),
    ...(row?.arguments[3] ?? '').slice(1, -1).split(','),
  ])
  assert.deepEqual(
    columns
      .map(({ name }) => name)
      .filter(name => !left.has(name))
      .sort(),
    kept.sort(),
  )
})

test('a table’s own function notes the same as the general one, whatever its columns and key are', async () => {
  const { owner } = model()
  const many = Array.from({ length: 60 }, (_, index) => `c${index} integer`).join()
  const tables: Readonly<Record<string, string>> = {
    up_plain: `id uuid primary key default gen_random_uuid(), masjid_id uuid`,
    up_number: 'id bigint primary key default 5, "odd ""name" text default \'x\', private_note text default \'secret\'',
    up_moment: `id timestamptz primary key default '2026-03-01T10:00:00.5+02', price numeric default 1.50, tags text[] default '{a,b}'`,
    up_pair: `one integer default 1, two text default 'é "quoted"', at_time time default '05:30', primary key (one, two)`,
    up_keyless: `masjid_id uuid, document jsonb default '{"a": [1, null]}', nothing date`,
    up_wide: `id integer primary key default 1, ${many}`,
    [`up_${'ß'.repeat(28)}`]: 'id integer primary key default 1',
  }
  const columns = `record_key, masjid_id, kind, changed_columns, new_values, user_id, app_id, request_id, authority, capability, database_user`
  for (const [table, definition] of Object.entries(tables)) {
    await owner.run(rawSql(`create table ${table} (${definition})`))
    if (table === 'up_number') await owner.run(rawSql(`comment on column up_number.private_note is '@personal'`))
    await owner.run(rawSql(`comment on table ${table} is E'@writable\\n@capability times'`))
    await owner.run(rawSql(`select watch_writes('${table}')`))
    await owner.run(
      rawSql(`do $$ declare told text[] := writing_arguments('${table}'); begin
        told := told || noted_columns('${table}', told[4]::text[])::text
          || case cardinality(told[1]::text[]) when 1 then (told[1]::text[])[1] else '' end;
        execute (select format('create trigger then_again after insert on ${table} for each row execute function note_inserted(%s)',
          string_agg(quote_literal(said), ', ' order by place)) from unnest(told) with ordinality argument (said, place));
      end $$`),
    )
    const settings: readonly Record<string, string>[] = [
      {},
      { user_id: users.times, app_id: app, request_id: 'r7' },
      { app_id: app, masjids: `{${masjid}}`, own_masjids: `{${masjid}}` },
    ]
    const again = await owner.first<{ changed: boolean }>(rawSql(`select watch_writes('${table}') as changed`))
    assert.equal(again?.changed, false)
    for (const one of settings) {
      await owner.run(rawSql(`delete from ${table}`))
      await model().asking(one, rawSql(`insert into ${table} default values returning 1`))
      const rows = await owner.query(
        rawSql(
          `select ${columns} from written_rows where table_name = '${table}' and kind = 'insert' order by id desc limit 2`,
        ),
      )
      assert.equal(rows.length, 2)
      assert.deepEqual(rows[0], rows[1], table)
    }
  }
  const kept = await owner.query(rawSql(`select from written_rows where new_values::text like '%secret%'`))
  assert.equal(kept.length, 0)
})

test('what happens to a table’s columns is followed at once: no insert fails, and nothing personal is kept', async () => {
  const { owner } = model()
  const newest = async () =>
    (
      await owner.query<{ table_name: string; new_values: unknown }>(
        sql`select table_name, new_values from written_rows order by id desc limit 1`,
      )
    )[0]
  await owner.run(
    rawSql(`create type mood as enum ('calm');
      create table up_changing (id integer primary key, one text default '1', two text default '2', mood mood default 'calm');
      comment on table up_changing is E'@scope masjid:read\\n@writable\\nChanging.';
      select watch_writes('up_changing')`),
  )
  const cases: readonly (readonly [string, Record<string, unknown>])[] = [
    ['alter table up_changing drop one', { two: '2', mood: 'calm' }],
    ['alter table up_changing rename two to three', { three: '2', mood: 'calm' }],
    [`alter table up_changing add four text default '4'`, { three: '2', mood: 'calm', four: '4' }],
    [`comment on column up_changing.four is '@personal'`, { three: '2', mood: 'calm' }],
    ['drop type mood cascade', { three: '2' }],
    ['alter table up_changing alter three drop default, alter three type integer using 3', { three: null }],
  ]
  let id = 0
  for (const [change, expected] of cases) {
    await owner.run(rawSql(change))
    id += 1
    await owner.run(rawSql(`insert into up_changing (id) values (${id})`))
    assert.deepEqual({ ...(await newest()) }, { table_name: 'up_changing', new_values: { id, ...expected } }, change)
  }
  await owner.run(
    rawSql(`alter table up_changing rename to up_changed;
      create table up_changing (id integer primary key, other text default 'o');
      comment on table up_changing is E'@scope masjid:read\\n@writable\\nAnother.';
      select watch_writes('up_changing'); select watch_writes('up_changed')`),
  )
  await owner.run(rawSql('insert into up_changed (id) values (100)'))
  assert.deepEqual({ ...(await newest()) }, { table_name: 'up_changed', new_values: { id: 100, three: null } })
  await owner.run(rawSql('insert into up_changing (id) values (100)'))
  assert.deepEqual({ ...(await newest()) }, { table_name: 'up_changing', new_values: { id: 100, other: 'o' } })
})
