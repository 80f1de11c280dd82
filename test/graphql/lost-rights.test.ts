// Revoked rights of the reading role are restored on the next request; a permanent failure costs little.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { startWatch } from '../support/waited.ts'
import { useApi } from './use-api.ts'

const api = useApi()

const run = (text: string) =>
  api().minaret.service.database.run(rawSql(`set search_path = public, extensions; ${text}`))

interface Answer {
  readonly status: number
  readonly body: { readonly data?: unknown; readonly errors?: readonly unknown[] }
}

const ask = async (query: string): Promise<Answer> => {
  const response = await api().post({ query })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

/** The structure is usually read within a second, later on a busy machine; until then the field is unknown. */
const askSoon = async (query: string): Promise<Answer> => {
  const deadline = Date.now() + 60_000
  for (;;) {
    const answer = await ask(query)
    if (answer.body.data !== undefined || Date.now() > deadline) return answer
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

test('a lost right is restored on the next request', async () => {
  await run(`create table pc_lost (id int primary key, secret int); comment on column pc_lost.secret is '@hidden';
    insert into pc_lost values (1, 2); create table pc_plain (id int primary key); insert into pc_plain values (1);
    create function pc_plain_all() returns setof pc_plain language sql stable as 'select * from pc_plain'`)
  const query = '{ pc_lost { id } pc_plain_all { id } }'
  const data = { pc_lost: [{ id: 1 }], pc_plain_all: [{ id: 1 }] }
  assert.deepEqual((await askSoon(query)).body, { data })
  for (const change of [
    'revoke select on pc_lost, pc_plain from minaret_reader',
    'revoke select (id) on pc_lost from minaret_reader',
    'revoke execute on function pc_plain_all from public',
    'revoke usage on schema public from public, minaret_reader',
  ]) {
    await run(change)
    assert.deepEqual(await ask(query), { status: 200, body: { data } }, change)
  }
})

test('a statement that still fails after a reload is refused, and delays no other request', async () => {
  await run(`create table pc_never (id int primary key); insert into pc_never values (1);
    create function pc_never_mended(never pc_never) returns int language plpgsql stable as
      $$ begin raise insufficient_privilege; end $$`)
  assert.equal((await askSoon('{ pc_never { id } }')).status, 200)
  const failing = Promise.all(Array.from({ length: 10 }, () => ask('{ pc_never { mended } }')))
  const watch = startWatch()
  assert.equal((await ask('{ pc_never { id } }')).status, 200)
  assert.ok(watch() < 900)
  for (const { body } of await failing) assert.equal(body.errors?.length, 1)
})
