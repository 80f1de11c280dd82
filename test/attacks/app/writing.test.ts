import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ELSEWHERE, HERE, useWriting } from '../../graphql/write/use-writing.ts'

const writing = useWriting()

const INJECTIONS = [
  `'); drop table up_lib_authors; --`,
  `" || pg_sleep(5) || "`,
  `$1`,
  `\\'; select 1`,
  `{"a": "'"}`,
  `minaret.keys_0`,
]

const insertAuthor =
  'mutation ($object: up_lib_authors_insert_input!) { insert_up_lib_authors_one(object: $object) { name details } }'

const addTheirs = async (name: string): Promise<string> =>
  (
    await writing().data(
      `mutation { insert_up_lib_books_one(object: {masjid_id: "${ELSEWHERE}", title: "${name}", author: {data: {masjid_id: "${ELSEWHERE}", name: "${name}", pen_name: "${name}"}}}) { id } }`,
      { key: writing().otherKey },
    )
  ).insert_up_lib_books_one.id

test('an app cannot write at another masjid in any way, not even nested or by upsert', async () => {
  await addTheirs('Victim')
  const theirs = `masjid_id: "${ELSEWHERE}"`
  const mine = `masjid_id: "${HERE}"`
  for (const mutation of [
    `insert_up_lib_authors(objects: [{${mine}, name: "a"}, {${theirs}, name: "b"}]) { affected_rows }`,
    `insert_up_lib_books_one(object: {${mine}, title: "a", author: {data: {${theirs}, name: "b"}}}) { id }`,
    `insert_up_lib_authors_one(object: {${mine}, name: "a", lib_books: {data: [{${theirs}, title: "b"}]}}) { id }`,
    `insert_up_lib_authors_one(object: {${mine}, name: "stolen", pen_name: "Victim"}, on_conflict: {constraint: up_lib_authors_pen_name_key, update_columns: [name, masjid_id]}) { id }`,
    `insert_up_lib_authors_one(object: {${theirs}, name: "stolen", pen_name: "Victim"}, on_conflict: {constraint: up_lib_authors_pen_name_key, update_columns: [name]}) { id }`,
  ]) {
    const error = await writing().error(`mutation { ${mutation} }`)
    assert.equal(error.extensions.code, 'not-permitted', mutation)
  }
  assert.deepEqual(await writing().rows(`select name from up_lib_authors where name in ('a', 'b', 'stolen')`), [])
  assert.equal(
    (await writing().rows(`select 1 from up_lib_authors where name = 'Victim' and masjid_id = '${ELSEWHERE}'`)).length,
    1,
  )
})

test('columns that nobody sends are refused, in documents and in variables', async () => {
  for (const column of ['added_by', 'id_of_nobody']) {
    const written = await writing().error(
      `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "x", ${column}: "me"}) { id } }`,
    )
    assert.equal(written.extensions.code, 'validation-failed')
    const variables = { object: { masjid_id: HERE, name: 'x', [column]: 'me' } }
    assert.equal((await writing().error(insertAuthor, { variables })).extensions.code, 'bad-variables')
  }
  for (const set of ['version: 9', 'deleted_at: "2026-01-01"']) {
    const error = await writing().error(`mutation { update_up_lib_books(where: {}, _set: {${set}}) { affected_rows } }`)
    assert.equal(error.extensions.code, 'validation-failed')
  }
})

test('strings stay strings, as values, keys, jsonb paths and idempotency keys', async () => {
  for (const text of INJECTIONS) {
    const variables = { object: { masjid_id: HERE, name: text, pen_name: text, details: { [text]: text } } }
    const { insert_up_lib_authors_one: author } = await writing().data(insertAuthor, {
      variables,
      headers: { 'idempotency-key': `key ${text.trim()} end` },
    })
    assert.deepEqual(author, { name: text, details: { [text]: text } })
    const removed = await writing().data(
      `mutation ($name: String!, $path: [String!]) { update_up_lib_authors(where: {name: {_eq: $name}}, _delete_at_path: {details: $path}) { returning { details } } }`,
      { variables: { name: text, path: [text] } },
    )
    assert.deepEqual(removed.update_up_lib_authors.returning, [{ details: {} }])
    const deleted = await writing().data(
      `mutation ($name: String!, $key: String) { a: update_up_lib_authors(where: {name: {_eq: $name}}, _delete_key: {details: $key}) { affected_rows } }`,
      { variables: { name: text, key: text } },
    )
    assert.equal(deleted.a.affected_rows, 1)
  }
})

test('too much of anything is refused before the database works', async () => {
  const shelf = { masjid_id: HERE, label: 'x' }
  const objects = Array.from({ length: 1001 }, () => shelf)
  const insert =
    'mutation ($objects: [up_lib_shelves_insert_input!]!) { insert_up_lib_shelves(objects: $objects) { affected_rows } }'
  assert.equal((await writing().error(insert, { variables: { objects } })).extensions.code, 'too-many-rows')
  const books = { data: Array.from({ length: 1000 }, () => ({ masjid_id: HERE, title: 't' })) }
  const nested = await writing().error(insertAuthor, {
    variables: { object: { masjid_id: HERE, name: 'x', lib_books: books } },
  })
  assert.equal(nested.extensions.code, 'too-many-rows')
  let deep: object = { masjid_id: HERE, title: 'x' }
  for (let depth = 0; depth < 30; depth += 1)
    deep = {
      masjid_id: HERE,
      title: 'x',
      author: { data: { masjid_id: HERE, name: 'x', lib_books: { data: [deep] } } },
    }
  const query = 'mutation ($object: up_lib_books_insert_input!) { insert_up_lib_books_one(object: $object) { id } }'
  assert.equal((await writing().error(query, { variables: { object: deep } })).extensions.code, 'too-deep')
  const large = await writing().send(insertAuthor, {
    variables: { object: { masjid_id: HERE, name: 'x'.repeat(300_000) } },
  })
  assert.equal(large.status, 413)
  const updates = Array.from({ length: 600 }, () => ({ where: {}, _set: { rating: 1 } }))
  const many =
    'mutation ($updates: [up_lib_authors_updates!]!) { update_up_lib_authors_many(updates: $updates) { affected_rows } }'
  assert.equal((await writing().error(many, { variables: { updates } })).extensions.code, 'too-costly')
  assert.deepEqual(await writing().rows(`select 1 from up_lib_authors where name = 'x'`), [])
})

test('without the scope for reading nothing is read through a mutation', async () => {
  const key = await writing().keyWith(['events:write'])
  for (const mutation of [
    `insert_up_lib_authors(objects: []) { returning { name } }`,
    `update_up_lib_authors(where: {name: {_eq: "Victim"}}, _set: {rating: 1}) { affected_rows }`,
    `delete_up_lib_authors(where: {}) { affected_rows }`,
    `update_up_lib_authors_by_pk(pk_columns: {id: "${HERE}"}, _set: {rating: 1}) { name }`,
    `insert_up_lib_authors(objects: [{masjid_id: "${HERE}", name: "x", pen_name: "y"}], on_conflict: {constraint: up_lib_authors_pen_name_key, update_columns: [name], where: {rating: {_gt: 1}}}) { affected_rows }`,
    `up_lib_rename(args: {book: "${HERE}", title: "x"}) { title }`,
  ]) {
    const { body } = await writing().send(`mutation { ${mutation} }`, { key })
    const codes = body.errors?.map(({ extensions }) => extensions.code) ?? []
    assert.ok(
      codes.length > 0 && codes.every(code => code === 'insufficient-scope' || code === 'validation-failed'),
      `${mutation}: ${codes}`,
    )
  }
})

test('a relationship in returning needs the scope of its table', async () => {
  const key = await writing().keyWith(['events:write', 'events:read'])
  const { body } = await writing().send(
    `mutation { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: "x"}) { lib_loans { borrower } } }`,
    { key },
  )
  assert.equal(body.errors?.[0]?.extensions.code, 'insufficient-scope')
  const nested = await writing().send(
    `mutation { insert_up_lib_books(objects: [{masjid_id: "${HERE}", title: "x", lib_loans: {data: [{masjid_id: "${HERE}", borrower: "y"}]}}]) { affected_rows } }`,
    { key },
  )
  assert.deepEqual(nested.body.errors?.[0]?.extensions.scopes, ['members:write'])
})

test('a version tells nothing about rows that are not one’s own', async () => {
  const id = await addTheirs('Probed')
  for (const version of [1, 2, 99])
    assert.deepEqual(
      await writing().data(`mutation { delete_up_lib_books_by_pk(id: "${id}", if_version: ${version}) { id } }`),
      { delete_up_lib_books_by_pk: null },
    )
})

test('a collision with a row of others names the rule and nothing of the row', async () => {
  await addTheirs('Hidden')
  const { message, extensions } = await writing().error(
    `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "x", pen_name: "Hidden"}) { id } }`,
  )
  assert.deepEqual(extensions, {
    code: 'constraint-violation',
    rule: 'duplicate',
    constraint: 'up_lib_authors_pen_name_key',
    columns: ['pen_name'],
  })
  assert.doesNotMatch(message, /Hidden/)
})

test('a mutation in the clothes of a query does not run', async () => {
  const url = `${writing().minaret.baseUrl}/v1/graphql`
  const headers = { authorization: `Bearer ${writing().key}` }
  const mutation = `insert_up_lib_shelves(objects: [{masjid_id: "${HERE}", label: "clothes"}]) { affected_rows }`
  const two = `query Read { up_lib_shelves { id } } mutation Write { ${mutation} }`
  const get = (parameters: Record<string, string>) => fetch(`${url}?${new URLSearchParams(parameters)}`, { headers })
  assert.equal((await get({ query: two, operationName: 'Write' })).status, 405)
  assert.notEqual((await get({ query: two })).status, 200)
  assert.match((await writing().send(`query { ${mutation} }`)).text, /Cannot query field/)
  assert.match((await writing().send(`{ ...on mutation_root { ${mutation} } }`)).text, /validation-failed/)
  assert.equal((await writing().send({ query: two, operationName: 'Read' })).body.errors, undefined)
  assert.deepEqual(await writing().rows(`select 1 from up_lib_shelves where label = 'clothes'`), [])
})

test('what an app was shown of people by a mutation is in the log of reads', async () => {
  const {
    insert_up_lib_books_one: { id },
  } = await writing().data(`mutation { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: "Lent"}) { id } }`)
  await writing().data(
    `mutation { insert_up_lib_loans(objects: [{masjid_id: "${HERE}", book_id: "${id}", borrower: "a"}, {masjid_id: "${HERE}", book_id: "${id}", borrower: "b"}]) { returning { borrower } } }`,
  )
  for (;;) {
    const [entry] = await writing().rows(
      `select row_count, app_id from minaret.read_log where table_name = 'up_lib_loans'`,
    )
    if (entry === undefined) continue
    assert.deepEqual(entry, { row_count: 2, app_id: writing().appId })
    return
  }
})

test('nothing of one transaction is left in the session for the next', async () => {
  await writing().data(`mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Session"}) { id } }`)
  const left = await writing().data(
    `mutation { insert_up_lib_authors(objects: []) { affected_rows returning { id } } }`,
    { key: writing().otherKey },
  )
  assert.deepEqual(left, { insert_up_lib_authors: { affected_rows: 0, returning: [] } })
})
