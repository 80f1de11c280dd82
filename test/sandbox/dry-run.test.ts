import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { fromUrl } from '../../src/db/connection.ts'
import { writerConnection } from '../../src/db/roles.ts'
import { rawSql } from '../../src/db/sql.ts'
import { publicTestKey } from '../../src/sandbox/public-test-key.ts'
import { type Answer, openClient } from '../support/graphql.ts'
import { TEST_SECRET, useMinaret } from '../support/minaret.ts'

const tables = [
  `create table sandbox.up_tries (id integer primary key, name text not null,
     constraint up_tries_name_key unique (name) deferrable initially deferred)`,
  `comment on table sandbox.up_tries is E'@scope events:read\\n@writable\\nThings to try.'`,
  `insert into sandbox.up_tries values (1, 'one')`,
]

const minaret = useMinaret({}, async ({ service }) => {
  for (const statement of tables) await service.database.run(rawSql(statement))
})

/** `null`: without a key. */
const send = async (query: string, key: string | null = publicTestKey): Promise<Answer> => {
  const client = openClient({ baseUrl: minaret().sandboxUrl }, key ?? undefined)
  try {
    for (;;) {
      const answer = await client.query({ query })
      // The new table is in the schema within a moment.
      if (!/Cannot query field|not configured to execute mutation/.test(answer.text)) return answer
    }
  } finally {
    client.close()
  }
}

const stored = (): Promise<object[]> =>
  minaret().service.database.query(rawSql('select id, name from sandbox.up_tries order by id'))

const insert = 'insert_up_tries_one(object: {id: 2, name: "two"}) { id name }'

test('a mutation is in the schema, and refused with a way to try it', async () => {
  for (const key of [publicTestKey, null]) {
    const { status, body, headers } = await send(`mutation { ${insert} }`, key)
    assert.equal(status, 403)
    assert.equal(body.errors?.[0]?.extensions.code, 'sandbox-read-only')
    assert.match(body.errors?.[0]?.message ?? '', /@dry_run/)
    assert.equal(headers['cache-control'], 'no-store')
  }
  assert.equal((await stored()).length, 1)
})

test('with a test key a dry run shows what would be, and leaves nothing', async () => {
  const answer = await send(
    `mutation @dry_run { ${insert} update_up_tries(where: {}, _set: {name: "x"}, max_affected: 1) { affected_rows } }`,
  )
  assert.equal(answer.body.errors?.[0]?.extensions.code, 'too-many-rows')
  const { body, headers } = await send(`mutation @dry_run { ${insert} delete_up_tries_by_pk(id: 1) { name } }`)
  assert.deepEqual(body, {
    data: { insert_up_tries_one: { id: 2, name: 'two' }, delete_up_tries_by_pk: { name: 'one' } },
    extensions: { dry_run: true },
  })
  assert.equal(headers['cache-control'], 'no-store')
  assert.deepEqual(await stored(), [{ id: 1, name: 'one' }])
})

test('a dry run checks deferred rules, though the sandbox refuses every commit', async () => {
  const { body } = await send('mutation @dry_run { insert_up_tries_one(object: {id: 3, name: "one"}) { id } }')
  assert.equal(body.errors?.[0]?.extensions.constraint, 'up_tries_name_key')
})

test('without a key nothing can be tried', async () => {
  const { body } = await send(`mutation @dry_run { ${insert} }`, null)
  assert.equal(body.errors?.[0]?.extensions.code, 'sandbox-read-only')
  assert.match(body.errors?.[0]?.message ?? '', /test key/)
})

test('the database itself refuses every commit of the role that tries', async () => {
  const owner = fromUrl(minaret().databaseUrl)
  const client = new pg.Client({ ...(await writerConnection(owner, 'minaret_sandbox_writer', TEST_SECRET)) })
  await client.connect()
  try {
    for (const statement of [
      `insert into up_tries values (4, 'four')`,
      `update up_tries set name = 'changed'`,
      'delete from up_tries',
      `begin; insert into up_tries values (5, 'five'); commit`,
      `set session authorization default; insert into up_tries values (6, 'six')`,
    ])
      await assert.rejects(client.query(statement), { code: 'MN003' }, statement)
    await assert.rejects(client.query('alter table up_tries disable trigger sandbox_never_commits'), { code: '42501' })
    await assert.rejects(client.query('truncate up_tries'), { code: '42501' })
  } finally {
    await client.end()
  }
  assert.deepEqual(await stored(), [{ id: 1, name: 'one' }])
})
