// Tables with `@writable` → mutation fields and types as Hasura has them, for those whose scopes allow it.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { GraphQLObjectType, type GraphQLSchema, printType } from 'graphql'
import { readingScopes, type Scope } from '../../src/access/scopes.ts'
import { rawSql } from '../../src/db/sql.ts'
import { schemaFor } from '../../src/graphql/introspection/schema-for.ts'
import { createStructure } from '../../src/graphql/structure.ts'
import { within } from '../support/oauth.ts'
import { grantWith, useEngine } from './use-engine.ts'

const graphql = useEngine(async database => {
  await database.run(
    rawSql(`
      set search_path = public;
      create table up_halls (
        id uuid primary key default gen_random_uuid(),
        name text not null,
        seats int,
        price numeric,
        notes jsonb,
        tags text[],
        made_by uuid,
        version bigint not null default 1,
        deleted_at timestamptz,
        constraint up_halls_name_key unique (name));
      comment on table up_halls is E'@writable\\n@scope masjid:read\\n@soft_delete deleted_at\\nHalls.';
      comment on column up_halls.name is 'What people call it.';
      comment on column up_halls.made_by is '@preset';
      comment on column up_halls.version is '@version';
      comment on constraint up_halls_name_key on up_halls is 'Every hall has its own name.';
      create table up_hall_bookings (
        hall_id uuid references up_halls, day date, title text, primary key (hall_id, day));
      comment on table up_hall_bookings is E'@writable insert\\n@scope events:read';
      create unique index up_hall_bookings_title on up_hall_bookings (lower(title)) where day > '2020-01-01';
      create function up_book_hall(hall uuid, day date) returns setof up_hall_bookings language sql
        as $$ insert into up_hall_bookings values (hall, day) returning * $$;
      comment on function up_book_hall is E'@mutation\\n@scope events:write\\nBooks a hall for a day.';
      create function up_close_hall(hall uuid) returns up_halls language sql as $$ select * from up_halls $$;
      comment on function up_close_hall is E'@mutation\\n@scope masjid:write';
      reset search_path`),
  )
})

const everyScope: readonly Scope[] = [...readingScopes, 'masjid:write', 'events:write']

const schemaOf = (scopes: readonly Scope[] = everyScope): GraphQLSchema =>
  schemaFor(graphql().engine.structures.current(), grantWith(scopes))

const ours = /(?:^|_)up_(?:halls?|hall_bookings|book_hall|close_hall)(?:_|$)/

/** The mutation fields of our tables: the shipped ones come and go with their own tests. */
const mutationsOf = (scopes: readonly Scope[]): string[] =>
  Object.keys(schemaOf(scopes).getMutationType()?.getFields() ?? {}).filter(name => ours.test(name))

const isWritingType = (name: string): boolean =>
  /^up_hall(?:s|_bookings)_(?:(?!stream_)\w+_input|on_conflict|constraint|update_column|updates|mutation_response)$/.test(
    name,
  ) || /^up_(?:book|close)_hall_args$/.test(name)

const printMutations = (schema: GraphQLSchema): string => {
  const config = schema.getMutationType()?.toConfig()
  assert.ok(config)
  const fields = Object.entries(config.fields).filter(([name]) => ours.test(name))
  const root = new GraphQLObjectType({ ...config, fields: Object.fromEntries(fields) })
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => isWritingType(name))
  return [root, ...types].map(printType).join('\n\n')
}

describe('the schema of mutations', () => {
  test('matches the golden file', () => {
    const golden = new URL('golden/mutations.schema.graphql.txt', import.meta.url)
    const text = `${printMutations(schemaOf())}\n`
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, text)
    assert.equal(text, readFileSync(golden, 'utf8'))
  })

  test('has a directive for trying mutations out, on mutations alone', () => {
    const directive = schemaOf().getDirective('dry_run')
    assert.deepEqual(directive?.locations, ['MUTATION'])
    assert.ok(schemaOf().getDirective('include'))
    assert.equal(schemaOf(readingScopes).getDirective('dry_run'), undefined)
  })

  test('marks what decides the statement as structural', () => {
    for (const name of ['up_halls_constraint', 'up_halls_update_column'])
      assert.equal(schemaOf().getType(name)?.extensions.structural, true, name)
  })

  test('has no mutations for Relay', async () => {
    const { buildRelaySchema } = await import('../../src/graphql/relay/build-relay-schema.ts')
    const schema = buildRelaySchema(graphql().engine.structures.current().model)
    assert.equal(schema.getMutationType(), undefined)
  })
})

describe('a credential', () => {
  test('without write scopes sees no mutations', () => {
    assert.equal(schemaOf(readingScopes).getMutationType(), undefined)
    assert.equal(schemaOf(readingScopes).getType('up_halls_insert_input'), undefined)
  })

  test('sees the mutations of the tables whose write scopes it has', () => {
    const names = mutationsOf(['masjid:read', 'masjid:write'])
    assert.deepEqual(names, [
      'insert_up_halls',
      'insert_up_halls_one',
      'update_up_halls',
      'update_up_halls_by_pk',
      'update_up_halls_many',
      'delete_up_halls',
      'delete_up_halls_by_pk',
      'restore_up_halls_by_pk',
      'up_close_hall',
    ])
    assert.ok(mutationsOf(everyScope).includes('up_book_hall'))
  })

  test('without the read scope sees how many rows were written, and no field that reads', () => {
    const scopes: Scope[] = ['masjid:write', 'events:read', 'events:write']
    const schema = schemaOf(scopes)
    assert.deepEqual(mutationsOf(scopes), [
      'insert_up_hall_bookings',
      'insert_up_hall_bookings_one',
      'insert_up_halls',
      'up_book_hall',
    ])
    assert.match(printType(schema.getType('up_halls_mutation_response') as never), /affected_rows: Int!\n}/)
    assert.doesNotMatch(printType(schema.getType('up_halls_on_conflict') as never), /where:/)
    assert.equal(schema.getType('up_halls'), undefined)
  })

  test('that may read nothing still sees what it may write', () => {
    const schema = schemaOf(['masjid:write'])
    assert.deepEqual(Object.keys(schema.getQueryType()?.getFields() ?? {}), ['no_tables'])
    assert.deepEqual(mutationsOf(['masjid:write']), ['insert_up_halls'])
    assert.ok(createStructure(graphql().engine.structures.current().model, 'x'))
  })

  test('gets nested inserts along relationships to tables that it may insert into', () => {
    const fieldsOf = (scopes: readonly Scope[]) => {
      const type = schemaOf(scopes).getType('up_halls_insert_input')
      return type !== undefined && 'getFields' in type ? Object.keys(type.getFields()) : []
    }
    assert.ok(fieldsOf(everyScope).includes('hall_bookings'))
    assert.ok(!fieldsOf([...readingScopes, 'masjid:write']).includes('hall_bookings'))
  })
})

describe('a mutation that the credential does not see', () => {
  const codesOf = async (query: string, scopes: readonly Scope[]) =>
    (await graphql().refused(query, { grant: grantWith(scopes) })).map(({ extensions }) => [
      extensions.code,
      extensions.scopes,
    ])

  test('is refused for the missing scope, not as unknown', async () => {
    for (const field of [
      'insert_up_halls(objects: [{name: "x"}])',
      'insert_up_halls(objects: [])',
      'update_up_halls_many(updates: [])',
      'delete_up_halls(where: {})',
    ]) {
      const query = `mutation { ${field} { affected_rows } }`
      assert.deepEqual(await codesOf(query, readingScopes), [['insufficient-scope', ['masjid:write']]], field)
    }
    assert.deepEqual(await codesOf('mutation { up_book_hall(args: {hall: null, day: null}) { day } }', readingScopes), [
      ['insufficient-scope', ['events:write']],
    ])
  })

  test('reads only with the scope for reading', async () => {
    const query = 'mutation { insert_up_halls(objects: []) { returning { id } } }'
    assert.deepEqual(await codesOf(query, ['masjid:write']), [['insufficient-scope', ['masjid:read']]])
  })
})

describe('a column that nobody sends', () => {
  const message = async (query: string, variables = {}) => (await graphql().refused(query, { variables }))[0]?.message

  test('is refused in the document, with who sets it', async () => {
    const insert = (object: string): string => `mutation { insert_up_halls_one(object: {${object}}) { id } }`
    assert.equal(
      await message(insert('made_by: "x"')),
      '"made_by" cannot be sent in "up_halls_insert_input": the service sets it.',
    )
    assert.match((await message(insert('version: 3'))) ?? '', /at every update; compare it with `if_version`/)
    assert.match((await message(insert('deleted_at: null'))) ?? '', /restore_up_halls_by_pk/)
    assert.match((await message(insert('nothing: 1'))) ?? '', /not to include unknown field "nothing"/)
  })

  test('is refused in variables', async () => {
    const query = 'mutation ($set: up_halls_set_input) { update_up_halls(where: {}, _set: $set) { affected_rows } }'
    assert.match(
      (await message(query, { set: { made_by: 'x' } })) ?? '',
      /^Variable "\$set" has invalid value: "made_by" cannot be sent in "up_halls_set_input": the service sets it\.$/,
    )
  })
})

test('mutations follow the database: annotations open and close tables within a second', async () => {
  const { database } = graphql()
  const run = (text: string) => database.run(rawSql(text))
  // A second on an idle machine. Without notifications the structure is read every half minute.
  const follows = (what: string, isSo: () => boolean) => within(25_000, what, isSo)
  const sees = (name: string) => schemaOf().getMutationType()?.getFields()[name] !== undefined
  await run(
    `create table public.up_lamps (id int primary key, name text); comment on table public.up_lamps is '@writable'`,
  )
  await follows('the table is writable', () => sees('insert_up_lamps') && sees('delete_up_lamps_by_pk'))
  await run(`create unique index up_lamps_name on public.up_lamps (name) where id > 3`)
  await follows('the index is a target', () =>
    /up_lamps_name/.test(printType(schemaOf().getType('up_lamps_constraint') as never)),
  )
  await run(`comment on table public.up_lamps is '@writable insert'`)
  await follows('only inserts are left', () => sees('insert_up_lamps') && !sees('update_up_lamps'))
  assert.match(printType(schemaOf().getType('up_lamps_update_column') as never), /_PLACEHOLDER/)
  await run(`comment on table public.up_lamps is null`)
  await follows('the table is closed', () => !sees('insert_up_lamps'))
})
