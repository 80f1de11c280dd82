import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { fromUrl } from '../../src/db/connection.ts'
import { readerConnection } from '../../src/db/roles.ts'
import { sql } from '../../src/db/sql.ts'
import { publicTestKey } from '../../src/sandbox/public-test-key.ts'
import { TEST_SECRET, useMinaret } from '../support/minaret.ts'
import { ask } from '../support/sandbox.ts'

const minaret = useMinaret({}, async running => {
  await running.service.database.run(sql`
    insert into sandbox.up_masjids (slug, name, address, city, country, latitude, longitude, timezone)
    values ('only-one', 'The only one', '1 Street', 'Town', 'US', 40, -80, 'America/New_York')`)
  client = new pg.Client(await readerConnection(fromUrl(running.databaseUrl), 'minaret_sandbox', TEST_SECRET))
  // Its database is dropped before it stops.
  client.on('error', () => undefined)
  await client.connect()
})

let client: pg.Client
after(() => client?.end())

const refused = async (statement: string): Promise<void> => {
  await assert.rejects(
    client.query(statement),
    (error: { code?: string }) =>
      // insufficient privilege, a read-only transaction, or a write in a function that promised not to
      ['42501', '25006', '0A000'].includes(String(error.code)) || assert.fail(`${statement}: ${String(error)}`),
  )
  await client.query('rollback').catch(() => undefined)
}

test('the schema has no mutations, and a subscription is not answered like a query', async () => {
  for (const query of [
    'mutation { insert_up_masjids(objects: []) { affected_rows } }',
    'mutation { delete_up_masjids(where: {}) { affected_rows } }',
    'mutation { __typename }',
    'subscription { up_masjids { id } }',
  ]) {
    const { errors } = await ask(minaret().sandboxUrl, { query }, publicTestKey)
    assert.ok((errors?.length ?? 0) > 0, query)
  }
})

test('the role of the sandbox cannot write, lock or define anything, in any kind of transaction', async () => {
  for (const statement of [
    `update sandbox.up_masjids set name = 'x'`,
    `delete from sandbox.up_masjids`,
    `insert into sandbox.up_masjids (name) values ('x')`,
    `truncate sandbox.up_masjids`,
    `select * from sandbox.up_masjids for update`,
    `select * from sandbox.up_masjids for share`,
    `select * from sandbox.up_masjids for key share`,
    `create table sandbox.x ()`,
    `create table public.x ()`,
    `create function sandbox.x() returns int language sql as 'select 1'`,
    `drop table sandbox.up_masjids`,
    `alter table sandbox.up_masjids add column x int`,
    `do $$ begin lock table sandbox.up_masjids in exclusive mode; end $$`,
  ])
    for (const begin of ['', 'begin read write; ', 'set default_transaction_read_only = off; '])
      await refused(begin + statement)
})

test('it has no access to live data and accounts', async () => {
  for (const statement of [
    'select * from public.up_masjids',
    'select * from public.ua_members',
    'select * from minaret.users',
    'select * from minaret.api_keys',
    "select pg_read_file('/etc/passwd')",
    "copy sandbox.up_masjids to program 'true'",
  ])
    await refused(statement)
})

/** Two functions that lie about writing: one directly, one through another function. */
const liars = [
  sql`create function sandbox.up_masjids_liar() returns setof sandbox.up_masjids language plpgsql stable as $liar$
    begin update sandbox.up_masjids set name = 'broken'; return query select * from sandbox.up_masjids; end $liar$`,
  sql`create function sandbox.write_anyway() returns void language sql volatile as $liar$
    update sandbox.up_masjids set name = 'broken' $liar$`,
  sql`create function sandbox.up_masjids_sly_liar() returns setof sandbox.up_masjids language plpgsql stable as $liar$
    begin perform sandbox.write_anyway(); return query select * from sandbox.up_masjids; end $liar$`,
]

test('a function that writes fails, even if it is exposed, and its statement is not revealed', async () => {
  const { database } = minaret().service
  for (const liar of liars) await database.run(liar)
  for (const name of ['up_masjids_liar', 'up_masjids_sly_liar']) {
    await refused(`select * from sandbox.${name}()`)
    const question = { query: `{ ${name} { name } }` }
    const deadline = Date.now() + 60_000
    let answer = await ask(minaret().sandboxUrl, question)
    // Until the structure is read again, there is no such field.
    while (answer.errors?.[0]?.extensions.code === 'validation-failed' && Date.now() < deadline)
      answer = await ask(minaret().sandboxUrl, question)
    assert.ok((answer.errors?.length ?? 0) > 0, 'the response is an error')
    assert.notEqual(answer.errors?.[0]?.extensions.code, 'validation-failed', 'it was exposed')
    assert.doesNotMatch(JSON.stringify(answer), /update|permission|write_anyway/i)
  }
  assert.deepEqual(await database.query(sql`select name from sandbox.up_masjids`), [{ name: 'The only one' }])
})
