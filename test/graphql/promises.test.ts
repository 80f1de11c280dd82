// What the schema promises of nulls and keys holds for every row that can stand in the database.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { useEngine } from './use-engine.ts'

const graphql = useEngine()

const run = async (text: string): Promise<void> => {
  await graphql().database.run(rawSql(`set search_path = public, extensions; ${text}`))
  await graphql().engine.structures.reload()
}

describe('a key', () => {
  test('that has no equality is none: the view stays, and the log says why', async () => {
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
