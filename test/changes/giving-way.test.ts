// Whatever changes the structure while the service runs gives way to everybody else (src/db/giving-way.ts): a list of where that is,
// and a search for what is not on it, in the source and in a service that starts on a database that lacks everything.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { withClient } from '../../src/db/with-client.ts'
import type { Service } from '../../src/service/start-service.ts'
import { serve } from '../faults/own-cluster.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { within } from '../support/oauth.ts'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

const doors = [
  'audit/keep-logs.ts',
  'catalog/apply-grants.ts',
  'catalog/grant-reading.ts',
  'catalog/grant-writing.ts',
  'catalog/log-changes.ts',
  'catalog/watch-writing.ts',
  'changes/keep-log.ts',
  'graphql/write/guard-against-commits.ts',
  'sandbox/renew-fixtures.ts',
]

/** Before there are requests, on databases of nobody else, or words for people. */
const elsewhere = [
  'commands/',
  'db/backup/',
  'db/embedded/',
  'db/ensure-groups.ts',
  'db/giving-way.ts',
  'db/owner-rights.ts',
  'db/roles.ts',
]

/** For migrations, and for whoever adds tables. */
const forPeople = ['add_filled_column', 'add_version', 'adopt_table', 'open_to_writing', 'show_history']

const statements =
  /\b(create (or replace )?(constraint |event )?(table|trigger|function|index|view|role|schema|policy)|alter (table|role|function|database)|drop (table|trigger|function|index|role|schema|policy)|lock table|truncate \w|(grant|revoke) (select|insert|update|delete|execute|usage)|comment on (table|column|function))\b/

const inFunctions =
  '\\m(create (or replace )?(constraint )?(table|trigger|function|index|view|policy)|alter table|drop (table|trigger|function|index)|lock table|truncate)\\M'

let database: TestDatabase
let service: Service

const rows = async <Row extends object>(text: string): Promise<Row[]> =>
  withClient(database.connection, async client => (await client.query<Row>(text)).rows)

const record = `
  create schema recorded;
  create table recorded.ddl (tag text, application text, waits text, transaction xid8, target text, query text);
  create function recorded.note() returns event_trigger language plpgsql as $$
  begin
    insert into recorded.ddl
    select tg_tag, current_setting('application_name'), current_setting('lock_timeout'), pg_current_xact_id(),
      substring(object_identity from ' on (.*)$'), current_query()
    from pg_event_trigger_ddl_commands();
  end $$;
  create event trigger recorded_ddl on ddl_command_end execute function recorded.note();
  alter event trigger recorded_ddl enable always`

const lacking = `
  drop trigger note_writing on public.up_events; drop trigger note_writing on public.ua_members; drop trigger note_writing on public.up_entities;
  drop trigger sandbox_never_commits on sandbox.up_events; drop trigger sandbox_never_commits on sandbox.ua_members`

before(async () => {
  database = await createTestDatabase()
  await withClient(database.connection, async client => {
    await client.query(lacking)
    await client.query(record)
  })
  service = await serve(database.url)
})
after(async () => {
  await service.stop()
  await database.drop()
})

test('every statement with which a service changes the structure gives way', async () => {
  await withClient({ ...database.connection, application_name: 'operator' }, client =>
    client.query(`create table public.up_gates (id int primary key); comment on table public.up_gates is '@writable'`),
  )
  const seen = () =>
    rows<{ tag: string; waits: string }>(`select distinct tag, waits from recorded.ddl where application = 'minaret'`)
  await within(60_000, 'the table has its triggers and rights', async () => {
    const [found] = await rows<{ done: boolean }>(`
      select has_table_privilege('minaret_writer', 'public.up_gates', 'delete') and exists (
        select from pg_trigger where tgrelid = 'public.up_gates'::regclass and tgname = 'note_writing') as done`)
    return found?.done === true
  })
  const found = await seen()
  assert.deepEqual(
    found.filter(({ waits }) => waits !== '200ms' && waits !== '100ms'),
    [],
  )
  const tags = new Set(found.map(({ tag }) => tag))
  for (const tag of ['ALTER TABLE', 'CREATE FUNCTION', 'CREATE TABLE', 'CREATE TRIGGER', 'GRANT'])
    assert.ok(tags.has(tag), tag)
})

test('no transaction of a service gives triggers to two tables', async () => {
  const several = await rows(`
    select array_agg(distinct target) as targets from recorded.ddl
    where application = 'minaret' and tag = 'CREATE TRIGGER' group by transaction
    having count(distinct target) filter (where target !~ '_(default|\\d{4}_\\d{2})$') > 1`)
  assert.deepEqual(several, [])
  const [counted] = await rows<{ count: number }>(`
    select count(distinct target)::int from recorded.ddl where application = 'minaret' and tag = 'CREATE TRIGGER'`)
  assert.ok((counted?.count ?? 0) >= 6, String(counted?.count))
})

/** What changes the structure, itself or through what it calls. */
const changingFunctions = async (): Promise<string[]> => {
  const found = await rows<{ name: string }>(`
    with recursive proc as (
      select oid, proname, prosrc from pg_proc
      where pronamespace in ('public'::regnamespace, 'sandbox'::regnamespace, 'changes'::regnamespace, 'minaret'::regnamespace)
        and prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    ),
    changing (name) as (
      select proname from proc where prosrc ~* '${inFunctions}'
      union
      select proc.proname from changing join proc on proc.prosrc ~ ('\\m' || changing.name || '\\(')
    )
    select distinct name::text from changing order by 1`)
  return found.map(({ name }) => name).filter(name => !forPeople.includes(name))
}

test('the source has no other place that changes the structure', async () => {
  const names = (await changingFunctions()).join('|')
  const called = new RegExp(`select (changes|minaret|public|sandbox)\\.(${names})\\(|identifier\\(schema, '(${names})'`)
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const textOf = (name: string): string =>
    readFileSync(`${source}${name}`, 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')
  const changing = files.filter(name => statements.test(textOf(name)) || called.test(textOf(name)))
  assert.deepEqual(changing.filter(name => !elsewhere.some(start => name.startsWith(start))).sort(), doors)
  for (const name of doors) assert.match(textOf(name), /giving-way\.ts|apply-grants\.ts/, name)
})
