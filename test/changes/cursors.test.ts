// up_changes_since and pc_changes_since over the API: every change after a cursor, each once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepChangeLog } from '../../src/changes/keep-log.ts'
import { rawSql, sql } from '../../src/db/sql.ts'
import { grantWith } from '../graphql/use-engine.ts'
import { type Line, useFeed } from './use-feed.ts'

const { graphql, run, now, atOnce, since } = useFeed()

const refusedSince = async (cursor: string) => {
  const query = 'query ($cursor: String!) { up_changes_since(args: {cursor: $cursor}) { id } }'
  return (await graphql().refused(query, { variables: { cursor } }))[0]
}

const entity = (number: number) => `33000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const insertEntities = (from: number, to: number) =>
  run(`insert into up_entities (id, legal_name, country)
    select ('33000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'E' || n, 'US' from generate_series(${from}, ${to}) n`)

test('changes after a cursor come once, in pages, and each line says where to go on', async () => {
  const begin = await now()
  assert.deepEqual(await since(begin), [])
  await insertEntities(1, 3)
  await run(`update up_entities set legal_name = 'F' where id = '${entity(2)}'`)
  const all = await since(begin)
  assert.deepEqual(
    all.map(({ table_name, id, is_deleted }) => [table_name, id, is_deleted]),
    [1, 2, 3, 2].map(number => ['up_entities', entity(number), false]),
  )
  const paged: Line[] = []
  for (let cursor = begin; ; ) {
    const page = await since(cursor, { rest: ', limit: 1' })
    paged.push(...page)
    if (page[0] === undefined) break
    cursor = page[0].cursor
  }
  assert.deepEqual(paged, all)
  assert.deepEqual(await since(await now()), [])
})

test('rows that were deleted, for good or marked, are shown as deleted', async () => {
  await insertEntities(11, 12)
  const begin = await now()
  await run(`delete from up_entities where id = '${entity(11)}'`)
  await run(`update up_entities set deleted_at = now() where id = '${entity(12)}'`)
  assert.deepEqual(
    (await since(begin)).map(({ id, is_deleted }) => [id, is_deleted]),
    [
      [entity(11), true],
      [entity(12), true],
    ],
  )
})

test('many rows of one statement are a line without id, and so is a table that was emptied or altered', async () => {
  const begin = await now()
  await insertEntities(100, 130)
  await run('alter table up_entities alter legal_name type text using legal_name')
  const lines = await since(begin)
  assert.ok(lines.length >= 2)
  for (const { table_name, id, is_deleted } of lines)
    assert.deepEqual([table_name, id, is_deleted], ['up_entities', null, false])
})

test('a filter by masjid finds what is behind a thousand changes of others', async () => {
  const begin = await now()
  await run(
    `do $$ begin for n in 1..300 loop update up_entities set legal_name = 'G' || n where id = '${entity(1)}'; end loop; end $$`,
  )
  await run(`update up_masjids set name = name || '' where slug = 'masjid-1'`)
  const { up_masjids } = await graphql().ask('{ up_masjids(where: {slug: {_eq: "masjid-1"}}) { id } }')
  const lines = await since(begin, { rest: `, where: {masjid_id: {_eq: "${up_masjids[0].id}"}}, limit: 5` })
  assert.deepEqual(
    lines.map(({ table_name, id }) => [table_name, id]),
    [['up_masjids', up_masjids[0].id]],
  )
})

test('prayer times have their own, and a masjid’s calculated times are named by the masjid', async () => {
  const begin = await now()
  await run(
    `insert into pc_calculated_times (masjid_id, date) select id, date '2040-01-01' from up_masjids order by slug limit 1`,
  ).catch(() => undefined)
  await run(`delete from pc_calculated_times`)
  for (const { table_name, id, masjid_id, is_deleted } of await since(begin, { prefix: 'pc' })) {
    assert.equal(table_name, 'pc_calculated_times')
    assert.equal(id, masjid_id)
    assert.equal(is_deleted, false)
  }
})

test('nothing of people shows, and the scopes of the list are needed', async () => {
  const begin = await now()
  await run(`insert into ua_members (masjid_id, given_name) select id, 'x' from up_masjids limit 1`)
  assert.deepEqual(await since(begin), [])
  const [error] = await graphql().refused(`{ up_changes_since(args: {cursor: "${begin}"}) { id } }`, {
    grant: grantWith(['events:read']),
  })
  assert.equal(error?.extensions.code, 'insufficient-scope')
})

test('a change waits for every older transaction, so that none is missed', async () => {
  const begin = await now()
  const { database } = graphql()
  await database.transaction(async slow => {
    await slow.run(
      rawSql(`insert into public.up_entities (id, legal_name, country) values ('${entity(201)}', 'slow', 'US')`),
    )
    await insertEntities(202, 202)
    assert.deepEqual(await atOnce(begin), [])
  })
  assert.deepEqual((await since(begin)).map(({ id }) => id).sort(), [entity(201), entity(202)])
})

test('what is no cursor, and one whose changes are gone, is refused', async () => {
  for (const wrong of ['', 'x', '0123456789-1', `${'f'.repeat(10)}-zz-0`, `${'f'.repeat(10)}-${'f'.repeat(16)}-0`])
    assert.equal((await refusedSince(wrong))?.extensions.code, 'bad-value', wrong)
  const cursor = await now()
  assert.equal((await refusedSince(cursor.replace(/^.{10}/, '0123456789')))?.extensions.code, 'cursor-too-old')
  assert.equal((await refusedSince(cursor.replace(/-.*/, '-3-0')))?.extensions.code, 'cursor-too-old')
  const { database } = graphql()
  await database.run(sql`update changes.history set server = 'another'`)
  await keepChangeLog(database, 7)
  const error = await refusedSince(cursor)
  assert.equal(error?.extensions.code, 'cursor-too-old')
  assert.match(error?.message ?? '', /Copy the rows again/)
  assert.deepEqual(await since(await now()), [])
})

test('a cursor that is given out while older transactions are in progress holds from the first moment of a history', async () => {
  const { database } = graphql()
  const begin = await database.transaction(async slow => {
    await slow.run(
      rawSql(`insert into public.up_entities (id, legal_name, country) values ('${entity(301)}', 'slow', 'US')`),
    )
    await database.run(sql`update changes.history set server = 'a third'`)
    await keepChangeLog(database, 7)
    const { up_changes } = await graphql().ask('{ up_changes(limit: 1) { cursor } }')
    assert.deepEqual(await atOnce(up_changes[0].cursor), [])
    return up_changes[0].cursor
  })
  assert.deepEqual(
    (await since(begin)).map(({ id }) => id),
    [entity(301)],
  )
})
