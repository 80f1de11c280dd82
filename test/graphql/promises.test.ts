// What the schema promises about nulls and keys holds for every row that the database can contain.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { useEngine } from './use-engine.ts'

const graphql = useEngine()

const run = async (text: string): Promise<void> => {
  await graphql().database.run(rawSql(`set search_path = public, extensions; ${text}`))
  await graphql().engine.structures.reload()
}

const kindOf = async (type: string, field: string): Promise<string> => {
  const { __type } = await graphql().ask(`{ __type(name: "${type}") { fields { name type { kind } } } }`)
  return __type.fields.find(({ name }: { name: string }) => name === field)?.type.kind
}

describe('a key', () => {
  test('without an equality operator is ignored: the view stays, and the log says why', async () => {
    await run(`create view pc_jsonkey as select 1 as id, '{"a": 1}'::json as doc; comment on view pc_jsonkey is '@key doc';
      create view pc_nokey as select 1 as id; comment on view pc_nokey is '@key gone';
      create type up_couple as (a int, b int); create table pc_pairkey (pair up_couple primary key, id int)`)
    const errors = await graphql().refused('{ pc_jsonkey_by_pk(doc: {a: 99}) { id } }')
    assert.equal(errors[0]?.extensions.code, 'validation-failed')
    assert.deepEqual(await graphql().ask('{ pc_jsonkey { id } pc_nokey { id } pc_pairkey { id } }'), {
      pc_jsonkey: [{ id: 1 }],
      pc_nokey: [{ id: 1 }],
      pc_pairkey: [],
    })
    const lines = graphql().engine.structures.current().model.leftOut.join('\n')
    for (const name of ['pc_jsonkey', 'pc_nokey', 'pc_pairkey']) assert.ok(lines.includes(`the key of "${name}"`), name)
  })
})

describe('a foreign key', () => {
  test('that is not validated is nullable', async () => {
    await run(`create table pc_shelf (id int primary key);
      create table pc_book (id int primary key, shelf_id int not null); insert into pc_book values (1, 9);
      alter table pc_book add constraint unsure foreign key (shelf_id) references pc_shelf not valid`)
    assert.equal(await kindOf('pc_book', 'shelf'), 'OBJECT')
    assert.deepEqual(await graphql().ask('{ pc_book { shelf { id } } }'), { pc_book: [{ shelf: null }] })
    await run('insert into pc_shelf values (9); alter table pc_book validate constraint unsure')
    assert.equal(await kindOf('pc_book', 'shelf'), 'NON_NULL')
  })
})

describe('a column', () => {
  test('whose not-null constraint is not validated may be null, and reads as null', async t => {
    if (graphql().engine.structures.current().model.server < 18)
      return t.skip('PostgreSQL 18 has such constraints first')
    await run(`create table pc_loose (id int primary key, mark uuid, sure uuid not null);
      insert into pc_loose values (1, null, '00000000-0000-4000-8000-000000000001');
      alter table pc_loose add constraint unsure_mark not null mark not valid`)
    assert.equal(await kindOf('pc_loose', 'mark'), 'SCALAR')
    assert.equal(await kindOf('pc_loose', 'sure'), 'NON_NULL')
    assert.deepEqual(await graphql().ask('{ pc_loose { mark } }'), { pc_loose: [{ mark: null }] })
  })
})
