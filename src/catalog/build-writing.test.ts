// Tables with annotations in a real database → how the model says they may be written.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { readingScopes } from '../access/scopes.ts'
import { createLogger } from '../base/log.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { rawSql } from '../db/sql.ts'
import { buildModel } from './build-model.ts'
import type { Model, Table } from './model.ts'
import { parseCatalog, readCatalogText } from './raw-catalog.ts'

let made: TestDatabase
let database: Database

const run = (text: string): Promise<unknown> =>
  database.run(rawSql(`set search_path = public; ${text}; reset search_path`))

const readModel = async (): Promise<Model> => {
  const text = await readCatalogText(database, 'public', 'minaret_reader')
  return buildModel(parseCatalog(text), { schema: 'public', knownScopes: readingScopes })
}

const tableOf = (model: Model, name: string): Table => {
  const table = model.tables.get(name)
  assert.ok(table, name)
  return table
}

const names = (columns: readonly { readonly name: string }[]): string[] => columns.map(({ name }) => name)

before(async () => {
  made = await createTestDatabase()
  database = openDatabase(made.connection, { poolSize: 2, log: createLogger('silent') })
  await run(`
    create domain up_code as text constraint up_code_is_short check (length(value) < 5);
    create table up_rooms (
      id uuid primary key default gen_random_uuid(),
      number int generated always as identity,
      title text not null,
      "Odd Name" text,
      slug text generated always as (lower(title)) stored,
      code up_code,
      seats int constraint up_rooms_seats_positive check (seats > 0),
      made_by uuid,
      secret text,
      version bigint not null default 1,
      deleted_at timestamptz,
      later int unique deferrable,
      span int4range,
      next_id uuid references up_rooms,
      constraint up_rooms_number_unique unique (number),
      constraint up_rooms_spans exclude using gist (span with &&));
    comment on table up_rooms is E'@writable\\n@scope masjid:read\\n@soft_delete deleted_at\\nRooms.';
    comment on column up_rooms.made_by is '@preset';
    comment on column up_rooms.secret is '@hidden';
    comment on column up_rooms.version is '@version';
    comment on column up_rooms."Odd Name" is '@name odd';
    comment on constraint up_rooms_seats_positive on up_rooms is 'A room has at least one seat.';
    comment on constraint up_rooms_next_id_fkey on up_rooms is E'@object next\\nThe next room must exist.';
    create unique index up_rooms_title on up_rooms (lower(title), "Odd Name") where deleted_at is null;
    comment on index up_rooms_title is 'Titles differ.';
    create unique index up_rooms_secret on up_rooms (secret);
    create unique index "odd index" on up_rooms (code);
    create table up_gifts (id int primary key, amount int);
    comment on table up_gifts is E'@writable insert\\n@write_scope events:write';
    create table up_logs (id int generated always as identity primary key);
    comment on table up_logs is '@writable';
    create table up_closed (id int primary key, title text);
    create function up_rooms_close(room uuid) returns up_rooms language sql as $$ select * from up_rooms where id = room $$;
    comment on function up_rooms_close is E'@mutation\\n@scope masjid:write\\nCloses a room.'`)
})
after(async () => {
  await database.close()
  await made.drop()
})

test('a writable table names the columns that may be sent, and nothing that the database sets', async () => {
  const { writing } = tableOf(await readModel(), 'up_rooms')
  assert.ok(writing)
  const sent = ['id', 'title', 'odd', 'code', 'seats', 'later', 'span', 'next_id']
  assert.deepEqual(names(writing.insertColumns), sent)
  assert.deepEqual(names(writing.updateColumns), sent)
  assert.equal(writing.version?.name, 'version')
  assert.deepEqual([writing.insert, writing.update, writing.delete], [true, true, true])
  assert.deepEqual(writing.scopes, ['masjid:write'])
})

test('conflict targets are constraints and unique indexes, with the SQL that infers them', async () => {
  const { writing } = tableOf(await readModel(), 'up_rooms')
  assert.deepEqual(Object.fromEntries(writing?.conflictTargets ?? []), {
    up_rooms_number_unique: { constraint: 'up_rooms_number_unique', inference: undefined, columns: ['number'] },
    up_rooms_pkey: { constraint: 'up_rooms_pkey', inference: undefined, columns: ['id'] },
    up_rooms_title: {
      constraint: undefined,
      inference: '(lower(title), "Odd Name") where (deleted_at IS NULL)',
      columns: ['Odd Name', 'title'],
    },
  })
  const target = writing?.conflictTargets.get('up_rooms_title')?.inference
  await run(`insert into up_rooms (title) values ('a') on conflict ${target} do nothing`)
})

test('rules are named with their columns and their words', async () => {
  const { rules } = tableOf(await readModel(), 'up_rooms')
  const shown = Object.fromEntries([...rules].map(([name, { kind, columns }]) => [name, `${kind} ${columns.join()}`]))
  assert.deepEqual(shown, {
    'odd index': 'unique code',
    up_code_is_short: 'check code',
    up_rooms_later_key: 'unique later',
    up_rooms_next_id_fkey: 'foreign-key next_id',
    up_rooms_number_unique: 'unique number',
    up_rooms_pkey: 'unique id',
    up_rooms_seats_positive: 'check seats',
    up_rooms_secret: 'unique secret',
    up_rooms_spans: 'exclusion span',
    up_rooms_title: 'unique Odd Name,title',
  })
  assert.equal(rules.get('up_rooms_seats_positive')?.description, 'A room has at least one seat.')
  assert.equal(rules.get('up_rooms_next_id_fkey')?.description, 'The next room must exist.')
  assert.equal(rules.get('up_rooms_title')?.description, 'Titles differ.')
})

test('annotations narrow what may be done, and name the scope', async () => {
  const model = await readModel()
  const gifts = tableOf(model, 'up_gifts').writing
  assert.deepEqual([gifts?.insert, gifts?.update, gifts?.delete], [true, false, false])
  assert.deepEqual(gifts?.updateColumns, [])
  assert.deepEqual(gifts?.scopes, ['events:write'])
  assert.equal(tableOf(model, 'up_closed').writing, undefined)
})

test('a table of which no column can be sent allows neither inserts nor updates', async () => {
  const { writing } = tableOf(await readModel(), 'up_logs')
  assert.deepEqual([writing?.insert, writing?.update, writing?.delete], [false, false, true])
  assert.deepEqual(writing?.scopes, ['masjid:write', 'events:write'])
})

test('a volatile function with @mutation is an action, and no query', async () => {
  const model = await readModel()
  const action = model.actions.get('up_rooms_close')
  assert.deepEqual([action?.table, action?.single, action?.scopes], ['up_rooms', true, ['masjid:write']])
  assert.equal(action?.description, 'Closes a room.')
  assert.equal(model.functions.has('up_rooms_close'), false)
})

test('policies that show everybody the same rows do not make rows depend on the reader, also seen through views', async () => {
  await run(`
    create table up_open (id int primary key);
    alter table up_open enable row level security;
    create policy everyone on up_open for select using (true);
    create policy writers on up_open for insert with check (id > 0);
    create view up_open_seen as select * from up_open;
    create table up_kept (id int primary key);
    alter table up_kept enable row level security;
    create policy theirs on up_kept for select using (id > current_setting('minaret.user_id')::int);
    create view up_kept_seen as select * from up_kept;
    create view up_kept_again as select * from up_kept_seen`)
  const secured = async (name: string) => {
    const { rowSecurity, policies } = tableOf(await readModel(), name)
    return [rowSecurity, policies]
  }
  assert.deepEqual(await secured('up_open'), [false, true])
  assert.deepEqual(await secured('up_open_seen'), [false, false])
  for (const view of ['up_kept_seen', 'up_kept_again']) assert.deepEqual(await secured(view), [true, false], view)
  for (const [condition, depends] of [
    ['id < 9 and id is not null', false],
    ['id < length(current_user)', true],
    ['id < (select count(*) from up_gifts)', true],
    ["now() > timestamptz '2026-01-01'", true],
  ] as const) {
    await run(`create policy few on up_open as restrictive for select using (${condition})`)
    assert.deepEqual(await secured('up_open'), [depends, true], condition)
    await run('drop policy few on up_open')
  }
  await run('drop policy everyone on up_open')
  assert.deepEqual(await secured('up_open'), [true, true])
  await run('create policy others on up_open for select to minaret_sandbox using (true)')
  assert.deepEqual(await secured('up_open'), [true, true])
})

test('a row that a policy hides from everybody may be missing from a relationship', async () => {
  await run(`
    create table up_shelves (id int primary key, shown boolean not null);
    alter table up_shelves enable row level security;
    create policy reading on up_shelves for select using (shown);
    create table up_books (id int primary key, shelf_id int not null references up_shelves)`)
  const model = await readModel()
  assert.equal(tableOf(model, 'up_shelves').rowSecurity, false)
  const [relation] = tableOf(model, 'up_books').relations.values()
  assert.deepEqual([relation?.kind, relation?.required], ['object', false])
})

test('the oldest keeps its names: what writing needs is refused where another table has it', async () => {
  await run(`
    create table up_boards_set_input (id int primary key);
    create table up_boards (id int primary key, title text);
    comment on table up_boards is '@writable';
    create table up_pews_by_pk (id int primary key);
    create table up_pews (id int primary key, title text);
    comment on table up_pews is '@writable';
    create table up_benches (id int primary key, title text);
    comment on table up_benches is '@writable';
    create table up_benches_one (id int primary key, title text);
    comment on table up_benches_one is '@writable'`)
  const model = await readModel()
  assert.equal(tableOf(model, 'up_boards').writing, undefined)
  assert.ok(tableOf(model, 'up_benches').writing)
  assert.equal(tableOf(model, 'up_benches_one').writing, undefined)
  assert.equal(tableOf(model, 'up_pews').writing, undefined)
  assert.ok(model.leftOut.includes('writing to "up_pews": its primary key is not shown'))
  assert.ok(model.leftOut.includes('writing to "up_boards": the name up_boards_set_input is taken'))
  assert.ok(model.leftOut.includes('writing to "up_benches_one": the name insert_up_benches_one is taken'))
})
