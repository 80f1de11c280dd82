// Annotations → rights in the database: the writer gets exactly what they allow, the reader never any right to write.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { TEST_SECRET } from '../../test/support/minaret.ts'
import { passingBy } from '../../test/support/passing-by.ts'
import { readingScopes } from '../access/scopes.ts'
import { createLogger } from '../base/log.ts'
import type { DataSchema } from '../db/data-schema.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { type Listener, openListener } from '../db/listener.ts'
import { readerConnection, readerGroups, writerConnection, writerGroups } from '../db/roles.ts'
import { rawSql, sql } from '../db/sql.ts'
import type { Model } from './model.ts'
import { type StructureWatch, watchStructure } from './watch-structure.ts'

const log = createLogger('silent')
let made: TestDatabase
let database: Database
let listener: Listener
let structures: Readonly<Record<DataSchema, StructureWatch<Model>>>

const tables = (schema: DataSchema): string => `
  set search_path = ${schema};
  create table up_halls (
    id serial primary key, title text, made_by uuid, version bigint default 1, deleted_at timestamptz);
  comment on table up_halls is E'@writable\\n@soft_delete deleted_at';
  comment on column up_halls.made_by is '@preset';
  comment on column up_halls.version is '@version';
  create table up_notices (id int primary key, body text);
  comment on table up_notices is '@writable insert delete';
  create table up_quiet (id int primary key);
  create table up_kept_by_service (id int primary key);
  comment on table up_kept_by_service is '@hidden';
  grant insert on up_kept_by_service to ${writerGroups[schema]};
  create function up_notices_publish(body text) returns setof up_notices language sql
    as $$ insert into up_notices values (7, body) returning * $$;
  comment on function up_notices_publish is E'@mutation\\n@scope events:write';
  revoke execute on function up_notices_publish from public;
  reset search_path`

const watch = (schema: DataSchema): Promise<StructureWatch<Model>> =>
  watchStructure({
    database,
    listener,
    log,
    schema,
    reader: readerGroups[schema],
    knownScopes: readingScopes,
    build: model => model,
  })

before(async () => {
  made = await createTestDatabase()
  database = openDatabase(made.connection, { poolSize: 2, log })
  listener = await openListener(made.connection, log)
  for (const schema of ['public', 'sandbox'] as const) await database.run(rawSql(tables(schema)))
  structures = { public: await watch('public'), sandbox: await watch('sandbox') }
})
after(async () => {
  structures.public.close()
  structures.sandbox.close()
  await listener.close()
  await database.close()
  await made.drop()
})

/** Every right to change something that a role holds, whether granted by name, by membership or to everybody. */
const rightsOf = async (role: string, schema: string, table = '%'): Promise<string[]> => {
  const found = await database.query<{ held: string }>(sql`
    select class.relname || ' ' || kind.kind || coalesce(' ' || attribute.attname, '') as held
    from pg_class class
    cross join (values ('insert'), ('update'), ('delete'), ('truncate'), ('trigger')) kind (kind)
    left join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attnum > 0
      and not attribute.attisdropped and kind.kind in ('insert', 'update')
    where class.relnamespace = ${schema}::regnamespace and class.relkind in ('r', 'p', 'v', 'm', 'f')
      and class.relname like ${table}
      and case when attribute.attnum is null
        then kind.kind not in ('insert', 'update') and has_table_privilege(${role}, class.oid, kind.kind)
        else has_column_privilege(${role}, class.oid, attribute.attnum, kind.kind) end
    order by class.relname, kind.kind, attribute.attnum`)
  return found.map(({ held }) => held)
}

const hallRights = [
  'up_halls insert id',
  'up_halls insert title',
  'up_halls update id',
  'up_halls update title',
  'up_halls update deleted_at',
]

for (const schema of ['public', 'sandbox'] as const) {
  test(`the writer of ${schema} may change what annotations allow, column by column`, async () => {
    const rights = (table: string): Promise<string[]> => rightsOf(writerGroups[schema], schema, table)
    assert.deepEqual(await rights('up_halls'), hallRights)
    assert.deepEqual(await rights('up_notices'), [
      'up_notices delete',
      'up_notices insert id',
      'up_notices insert body',
    ])
    assert.deepEqual(await rights('up_quiet'), [])
    assert.deepEqual(await rights('up_kept_by_service'), ['up_kept_by_service insert id'])
  })

  test(`the reader of ${schema} may change nothing`, async () => {
    for (const place of ['public', 'sandbox', 'minaret'])
      assert.deepEqual(await rightsOf(readerGroups[schema], place), [], place)
  })
}

test('rights follow the annotations, and rights in excess are revoked from writer, reader and everybody', async () => {
  await database.run(
    rawSql(`
      comment on table public.up_notices is '@writable insert';
      grant delete, truncate on public.up_quiet to minaret_writer;
      grant update (title) on public.up_halls to minaret_reader;
      grant insert on public.up_quiet to public;
      create function public.up_stray() returns int language sql as $$ select 1 $$;
      grant execute on function public.up_stray to minaret_writer`),
  )
  await structures.public.reload()
  assert.deepEqual(await rightsOf('minaret_writer', 'public', 'up_notices'), [
    'up_notices insert id',
    'up_notices insert body',
  ])
  assert.deepEqual(await rightsOf('minaret_writer', 'public', 'up_halls'), hallRights)
  assert.deepEqual(await rightsOf('minaret_writer', 'public', 'up_quiet'), [])
  assert.deepEqual(await rightsOf('minaret_reader', 'public'), [])
  const stray = await database.first<{ rights: string }>(
    sql`select proacl::text as rights from pg_proc where proname = 'up_stray'`,
  )
  assert.doesNotMatch(stray?.rights ?? '', /minaret_writer/)
})

test('a right that the writer lost is restored when a statement fails for lack of it', async () => {
  const before = structures.public.current()
  await database.run(rawSql('revoke insert on public.up_halls from minaret_writer'))
  await structures.public.recover()
  assert.deepEqual(await rightsOf('minaret_writer', 'public', 'up_halls'), hallRights)
  assert.equal(structures.public.current(), before)
})

test('a table whose rights cannot be granted is only read', async () => {
  const refusing = passingBy(database, async (text, run) => {
    if (text.includes('insert') && text.includes('up_locked')) throw new Error('must be owner of table up_locked')
    return run()
  })
  await database.run(
    rawSql(`create table public.up_locked (id int primary key); comment on table public.up_locked is '@writable'`),
  )
  const own = await watchStructure({
    database: refusing,
    listener,
    log,
    schema: 'public',
    reader: 'minaret_reader',
    knownScopes: readingScopes,
    build: model => model,
  })
  const { tables } = own.current()
  own.close()
  assert.ok(tables.has('up_locked'))
  assert.equal(tables.get('up_locked')?.writing, undefined)
  assert.ok(tables.get('up_halls')?.writing)
})

const withLogin = async <T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

test('the login that writes reads what the reader reads, writes what it was granted, and nothing else', async () => {
  const logins = await Promise.all(
    Array.from({ length: 5 }, () => writerConnection(made.connection, 'minaret_writer', TEST_SECRET)),
  )
  await withLogin(logins[0] as pg.ClientConfig, async client => {
    const { rows } = await client.query(`insert into up_halls (title) values ('One') returning id, version`)
    assert.deepEqual(rows, [{ id: 1, version: '1' }])
    await client.query(`update up_halls set deleted_at = now() where id = 1`)
    const published = await client.query(`select * from up_notices_publish('Hello')`)
    assert.deepEqual(published.rows, [{ id: 7, body: 'Hello' }])
    for (const [statement, words] of [
      ['insert into up_halls (made_by) values (null)', /permission denied for table up_halls/],
      ['update up_halls set version = 9', /permission denied for table up_halls/],
      ['delete from up_halls', /permission denied for table up_halls/],
      ['insert into up_quiet values (1)', /permission denied for table up_quiet/],
      ['select * from minaret.users', /permission denied for schema minaret/],
      ['select * from sandbox.up_halls', /permission denied for schema sandbox/],
      ['create table mine ()', /permission denied for schema public/],
      ['set role minaret', /permission denied/],
    ] as const)
      await assert.rejects(client.query(statement), words, statement)
  })
})

test('the login that reads cannot call what writes', async () => {
  const reader = await readerConnection(made.connection, 'minaret_reader', TEST_SECRET)
  await withLogin(reader as pg.ClientConfig, async client => {
    await client.query('set default_transaction_read_only = off')
    await assert.rejects(client.query(`select * from up_notices_publish('x')`), /permission denied for function/)
    await assert.rejects(client.query(`insert into up_notices values (8, 'x')`), /permission denied for table/)
  })
})
