// An app keeps rows locked with a response that takes long to read: in real mutations, in dry runs, and in forty of them at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql, sql } from '../../../src/db/sql.ts'
import { HERE, useWriting } from '../../graphql/write/use-writing.ts'
import { type GraphqlClient, openClient } from '../../support/graphql.ts'
import { within } from '../../support/oauth.ts'

const writing = useWriting({}, async ({ database, send }) => {
  await database.run(
    rawSql(`
      create sequence public.up_lib_pauses;
      grant usage on sequence public.up_lib_pauses to public;
      create function public.up_lib_books_slowly(book public.up_lib_books, milliseconds integer) returns text language plpgsql stable as
        'begin perform pg_sleep(milliseconds / 1000.0); return book.title; end';
      create function public.up_lib_books_paused_once(book public.up_lib_books) returns text language plpgsql stable as
        'begin if nextval(''public.up_lib_pauses'') = 1 then perform pg_sleep(1); end if; return book.title; end'`),
  )
  await within(60_000, 'the functions are in the schema', async () => {
    const { body } = await send('{ up_lib_books(limit: 1) { slowly(args: {milliseconds: 1}) paused_once } }')
    return body.errors === undefined
  })
  await database.run(sql`select setval('public.up_lib_pauses', 1, false)`)
})

const SLOW = 'slowly(args: {milliseconds: 5000})'
const insert = (title: string, shown = 'id'): string =>
  `insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: "${title}"}) { ${shown} }`

const newBook = async (title: string): Promise<string> =>
  (await writing().data(`mutation { ${insert(title)} }`)).insert_up_lib_books_one.id

const titles = async (title: string): Promise<number> =>
  (await writing().rows(`select from up_lib_books where title = '${title}' and deleted_at is null`)).length

const isRefused = async (mutation: string, headers: Record<string, string> = {}): Promise<void> => {
  const error = await writing().error(mutation, { headers })
  assert.equal(error.extensions.code, 'slow-returning', mutation)
  assert.match(error.message, /longer than 250 ms.*Nothing was written/)
}

test('no mutation holds its rows for a slow response: all of it is rolled back, and the error says so', async () => {
  const id = await newBook('Slow to read')
  const key = `pk_columns: {id: "${id}"}, _set: {title: "Changed"}`
  const where = `where: {id: {_eq: "${id}"}}`
  for (const mutation of [
    insert('Changed', SLOW),
    `insert_up_lib_books(objects: [{masjid_id: "${HERE}", title: "Changed"}]) { returning { ${SLOW} } }`,
    `update_up_lib_books_by_pk(${key}) { ${SLOW} }`,
    `update_up_lib_books(${where}, _set: {title: "Changed"}) { affected_rows returning { ${SLOW} } }`,
    `update_up_lib_books_many(updates: [{${where}, _set: {title: "Changed"}}]) { returning { ${SLOW} } }`,
    `delete_up_lib_books_by_pk(id: "${id}") { ${SLOW} }`,
    `delete_up_lib_books(${where}) { returning { ${SLOW} } }`,
    `${insert('Changed')} later: update_up_lib_books_by_pk(${key}) { ${SLOW} }`,
    `update_up_lib_books_by_pk(${key}) { ${SLOW} } ${insert('Changed')}`,
  ]) {
    await isRefused(`mutation { ${mutation} }`)
  }
  await isRefused(`mutation @dry_run { ${insert('Changed', SLOW)} }`)
  await isRefused(`mutation { ${insert('Changed', SLOW)} }`, { 'idempotency-key': 'slow' })
  assert.deepEqual([await titles('Changed'), await titles('Slow to read')], [0, 1])
})

test('the time is that of the whole response, not of each of its fields', async () => {
  const slowly = 'slowly(args: {milliseconds: 100})'
  const fields = Array.from({ length: 4 }, (_, index) => `f${index}: ${insert('In parts', slowly)}`)
  await isRefused(`mutation { ${fields.join(' ')} }`)
  assert.equal(await titles('In parts'), 0)
})

test('what follows a response has its own time again, and so has a response after a pause of the machine', async () => {
  const { paused } = await writing().data(
    `mutation { paused: ${insert('Paused once', 'paused_once')} ${insert('Paused once')} }`,
  )
  assert.equal(paused.paused_once, 'Paused once')
  assert.equal(await titles('Paused once'), 2)
})

test('forty slow dry runs do not keep others from writing the same row', async () => {
  const id = await newBook('Wanted by all')
  const { minaret, key, allKey } = writing()
  const change = `update_up_lib_books_by_pk(pk_columns: {id: "${id}"}, _inc: {pages: 1}, _set: {title: "Wanted by all"})`
  const clients = (count: number, credential: string): GraphqlClient[] =>
    Array.from({ length: count }, () => openClient(minaret, credential))
  const [attackers, others] = [clients(40, key), clients(8, allKey)]
  try {
    const asked = attackers.map(client =>
      client.query({ query: `mutation @dry_run { ${change} { ${SLOW} } }` }).catch(() => undefined),
    )
    await Promise.race(asked)
    const answers = await Promise.all(
      others.map(client => client.query({ query: `mutation { ${change} { version } }` })),
    )
    assert.deepEqual(
      answers.map(({ body }) => body.errors?.[0]?.extensions.code ?? 'done'),
      Array.from({ length: 8 }, () => 'done'),
    )
  } finally {
    for (const client of [...attackers, ...others]) client.close()
  }
})
