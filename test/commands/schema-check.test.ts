// `minaret schema check` as typed, beside a running service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { TEST_SECRET, useMinaret } from '../support/minaret.ts'
import { runCommand, startMinaretProcess } from '../support/process.ts'

const statements = `
  create table public.plain_notes (id int primary key);
  create table public.up_secrets (id int primary key);
  comment on table public.up_secrets is '@hidden';
  create table public.up_notes (id int primary key, secret_id int references public.up_secrets, hidden_id int references up_masjids_keys, doc text);
  comment on column public.up_notes.hidden_id is '@hidden';
  create function public.up_notes_two(a int, out b int, out c int) returns record language sql stable as $$ select 1, 2 $$;
  create function public.up_notes_outs(out note public.up_notes) language sql stable as $$ select * from public.up_notes $$;
  create function public.up_notes_write() returns setof public.up_notes language sql as $$ select * from public.up_notes $$;
  create function public.up_notes_calm() returns setof public.up_notes language sql stable as $$ select * from public.up_notes $$;
  comment on function public.up_notes_calm is '@mutation';
  create function public.up_notes_free() returns setof public.up_notes language sql as $$ select * from public.up_notes $$;
  comment on function public.up_notes_free is '@mutation';
  create view public.up_notes_seen as select * from public.up_notes;
  comment on view public.up_notes_seen is '@writable';
  create table public.up_odd_words (id int primary key);
  comment on table public.up_odd_words is '@writable insert upsert';
  create table public.up_odd_version (id int primary key, version int);
  comment on table public.up_odd_version is '@writable';
  comment on column public.up_odd_version.version is '@version';
  create table public.up_odd_key (id int);
  comment on table public.up_odd_key is '@writable';
  create table public.up_odd_scope (id int primary key);
  comment on table public.up_odd_scope is E'@writable\\n@write_scope masjid:read';
  create function public.up_notes_by(a int) returns setof public.up_notes language sql stable as $$ select * from public.up_notes $$;
  create function public.up_notes_by(a text) returns setof public.up_notes language sql stable as $$ select * from public.up_notes $$;`

const minaret = useMinaret({}, async ({ service }) => {
  await service.database.run(rawSql('create table public.up_masjids_keys (id int primary key)'))
  await service.database.run(rawSql(`set search_path = public; ${statements}; reset search_path`))
})

const run = (words: readonly string[]) =>
  runCommand(words, { DATABASE_URL: minaret().databaseUrl, MINARET_SECRET: TEST_SECRET })

const expected: readonly (readonly [what: string, reason: RegExp])[] = [
  ['table "plain_notes"', /no prefix of an app/],
  ['table "up_secrets"', /@hidden/],
  ['column "up_notes.hidden_id"', /@hidden/],
  ['function "up_notes_outs"', /not inputs/],
  ['function "up_notes_write"', /VOLATILE.*its comment does not/],
  ['function "up_notes_calm"', /not VOLATILE/],
  ['function "up_notes_free"', /names no scope for writing/],
  ['writing to "up_notes_seen"', /it is a view/],
  ['writing to "up_odd_words"', /takes insert, update and delete, not upsert/],
  ['writing to "up_odd_version"', /"version" is marked @version but is not a bigint/],
  ['writing to "up_odd_key"', /no primary key/],
  ['writing to "up_odd_scope"', /masjid:read is no scope for writing/],
  ['function "up_notes_by"', /another function of its name/],
  ['relationship of "up_notes" over secret_id', /other table is not shown/],
  ['relationship of "up_notes" over hidden_id', /hidden/],
]

test('names each table, column, function and relationship, for people and for programs', async () => {
  const { status, stdout } = await run(['schema', 'check', '--json'])
  assert.equal(status, 0)
  const { schema, shown, not_shown: notShown } = JSON.parse(stdout)
  assert.equal(schema, 'public')
  assert.ok(shown.tables.includes('up_masjids') && shown.relationships.includes('up_masjids.events'))
  for (const [what, reason] of expected) {
    const found = notShown.find((one: { what: string }) => one.what === what)
    assert.match(found?.reason ?? `${what} is not named`, reason)
  }
  const { stdout: text } = await run(['schema', 'check'])
  assert.match(
    text,
    /^Shown: \d+ tables, \d+ functions, \d+ relationships\.\n(?:No table can be written|Writable: .*)\.\nNot shown: \d+\.\n/,
  )
  for (const [what] of expected) assert.ok(text.includes(`\n  ${what}: `), what)
})

test('checks the sandbox too, and nothing else', async () => {
  const { stdout } = await run(['schema', 'check', '--schema', 'sandbox', '--json'])
  assert.equal(JSON.parse(stdout).schema, 'sandbox')
  assert.equal((await run(['schema', 'check', '--schema', 'minaret'])).status, 2)
})

test('the log names what was not hidden on purpose', async () => {
  const service = await startMinaretProcess({
    DATABASE_URL: minaret().databaseUrl,
    MINARET_SECRET: TEST_SECRET,
    DEMO_DATA: 'off',
  })
  await service.stop()
  const output = service.output().replaceAll('\\"', '"')
  for (const [what, reason] of expected)
    assert.equal(
      output.includes(`left out of the API: ${what}: `),
      !/@hidden|its comment does not/.test(reason.source),
      what,
    )
})
