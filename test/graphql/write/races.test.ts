// Fifty clients at once: of each version one change wins, of each key one execution, of each conflict target one row.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Answer, openClient } from '../../support/graphql.ts'
import { HERE, useWriting } from './use-writing.ts'

/** Fifty changes of one row follow one after the other, and the last of them waits for all. */
const patient = { REQUEST_DEADLINE_MS: '300000', STATEMENT_TIMEOUT_MS: '250000' }
const writing = useWriting(patient)

const MANY = 50
const FEW = 4

/** Each over its own connection, all at once. */
const atOnce = async (
  question: (number: number) => {
    query: string
    variables?: Record<string, unknown>
    headers?: Record<string, string>
  },
  length = MANY,
): Promise<Answer[]> => {
  const { minaret, key } = writing()
  const clients = Array.from({ length }, () => openClient(minaret, key, { retryStale: true }))
  try {
    // The connections exist before the race begins.
    await Promise.all(clients.map(client => client.query({ query: '{ __typename }' })))
    return await Promise.all(
      clients.map((client, number) => {
        const { query, variables = {}, headers = {} } = question(number)
        return client.query({ query, variables }, headers)
      }),
    )
  } finally {
    for (const client of clients) client.close()
  }
}

const newBook = async (title: string): Promise<string> => {
  const data = await writing().data(
    `mutation ($title: String!) { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: $title}) { id } }`,
    { variables: { title } },
  )
  return data.insert_up_lib_books_one.id
}

const codesOf = (answers: readonly Answer[]): string[] =>
  answers.map(({ body }) => body.errors?.[0]?.extensions.code ?? 'done').sort()

test('of fifty changes to one version one wins; the others get the row as it is now', async () => {
  const id = await newBook('Read by all')
  for (const version of [1, 2, 3]) {
    const answers = await atOnce(number => ({
      query: `mutation ($id: uuid!, $title: String!, $version: bigint!) {
        update_up_lib_books_by_pk(pk_columns: {id: $id}, _set: {title: $title}, if_version: $version) { title version } }`,
      variables: { id, title: `${version} by ${number}`, version },
    }))
    const won = answers.filter(({ body }) => body.errors === undefined)
    assert.equal(won.length, 1, answers.map(({ text }) => text).join('\n'))
    assert.deepEqual(codesOf(answers), [...Array.from({ length: MANY - 1 }, () => 'conflict'), 'done'])
    const winner = won[0]?.body.data.update_up_lib_books_by_pk
    for (const { body } of answers)
      if (body.errors !== undefined) assert.deepEqual(body.errors[0]?.extensions.current, winner)
    assert.deepEqual(await writing().rows(`select title, version::int from up_lib_books where id = '${id}'`), [
      { title: winner.title, version: version + 1 },
    ])
  }
})

test('of fifty deletions of one version one wins, and nothing is deleted twice', async () => {
  const id = await newBook('Unwanted')
  const answers = await atOnce(() => ({
    query: `mutation ($id: uuid!) { delete_up_lib_books_by_pk(id: $id, if_version: 1) { id } }`,
    variables: { id },
  }))
  const deleted = answers.filter(({ body }) => body.data?.delete_up_lib_books_by_pk?.id === id)
  assert.equal(deleted.length, 1, answers.map(({ text }) => text).join('\n'))
  assert.deepEqual(await writing().rows(`select version::int from up_lib_books where id = '${id}'`), [{ version: 2 }])
})

test('fifty increments without a version are all counted', async () => {
  const data = await writing().data(
    `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Counted"}) { id } }`,
  )
  const { id } = data.insert_up_lib_authors_one
  const answers = await atOnce(() => ({
    query: `mutation ($id: uuid!) { update_up_lib_authors_by_pk(pk_columns: {id: $id}, _inc: {balance: 1}) { balance } }`,
    variables: { id },
  }))
  assert.deepEqual(new Set(codesOf(answers)), new Set(['done']), answers.map(({ text }) => text).join('\n'))
  const seen = answers.map(({ body }) => Number(body.data?.update_up_lib_authors_by_pk.balance)).sort((a, b) => a - b)
  assert.deepEqual(
    seen,
    Array.from({ length: MANY }, (_, index) => index + 1),
  )
})

test('fifty requests with one key are one execution: the same answer, or "still running"', async () => {
  for (let round = 0; round < 3; round += 1) {
    const [key, title] = [randomUUID(), `Once ${round}`]
    const send = () => ({
      query: `mutation ($title: String!) { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: $title}) { id } }`,
      variables: { title },
      headers: { 'idempotency-key': key },
    })
    const answers = await atOnce(send)
    const found = await writing().rows(`select id from up_lib_books where title = '${title}'`)
    assert.equal(found.length, 1)
    for (const { status, body, text } of answers) {
      if (body.errors === undefined) assert.equal(body.data.insert_up_lib_books_one.id, found[0].id)
      else assert.deepEqual([status, body.errors[0]?.extensions.code], [409, 'idempotency-key-in-use'], text)
    }
    assert.ok(answers.some(({ body }) => body.errors === undefined))
    // Whoever was told to wait gets the answer of the one that ran.
    for (const { body, text } of await atOnce(send))
      assert.equal(body.data?.insert_up_lib_books_one.id, found[0].id, text)
    assert.equal((await writing().rows(`select id from up_lib_books where title = '${title}'`)).length, 1)
  }
})

test('one key with fifty different bodies: one is executed, the others are refused', async () => {
  const key = randomUUID()
  const answers = await atOnce(number => ({
    query: `mutation ($title: String!) { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: $title}) { id } }`,
    variables: { title: `Body ${number}` },
    headers: { 'idempotency-key': key },
  }))
  const codes = new Set(codesOf(answers))
  assert.deepEqual(
    [...codes].filter(code => !['done', 'idempotency-key-in-use', 'idempotency-key-reused'].includes(code)),
    [],
  )
  assert.equal(codesOf(answers).filter(code => code === 'done').length, 1)
  assert.equal((await writing().rows(`select id from up_lib_books where title like 'Body %'`)).length, 1)
})

test('fifty upserts of one row make one row, and every one of them is answered with it', async () => {
  for (let round = 0; round < 3; round += 1) {
    const name = `Pen ${round}`
    const answers = await atOnce(number => ({
      query: `mutation ($object: up_lib_authors_insert_input!) {
        insert_up_lib_authors_one(object: $object,
          on_conflict: {constraint: up_lib_authors_pen_name_key, update_columns: [name]}) { id name } }`,
      variables: { object: { masjid_id: HERE, name: `${name} by ${number}`, pen_name: name } },
    }))
    const found = await writing().rows(`select id, name from up_lib_authors where pen_name = '${name}'`)
    assert.equal(found.length, 1)
    assert.deepEqual(
      [...new Set(answers.map(({ body, text }) => body.data?.insert_up_lib_authors_one?.id ?? text))],
      [found[0].id],
    )
    assert.deepEqual(
      answers.map(({ body }) => body.data.insert_up_lib_authors_one.name).sort(),
      Array.from({ length: MANY }, (_, number) => `${name} by ${number}`).sort(),
    )
  }
})

test('transactions that lock two rows in opposite order end whole or not at all', async () => {
  const [first, second] = [await newBook('First'), await newBook('Second')]
  const answers = await atOnce(number => {
    const [one, two] = number % 2 === 0 ? [first, second] : [second, first]
    return {
      query: `mutation ($one: uuid!, $two: uuid!) {
        a: update_up_lib_books_by_pk(pk_columns: {id: $one}, _set: {pages: 1}) { id }
        b: update_up_lib_books_by_pk(pk_columns: {id: $two}, _set: {pages: 1}) { id } }`,
      variables: { one, two },
    }
  }, FEW)
  const done = answers.filter(({ body }) => body.errors === undefined).length
  const versions = await writing().rows(`select version::int from up_lib_books where id in ('${first}', '${second}')`)
  assert.deepEqual(
    versions.map(({ version }) => version),
    [done + 1, done + 1],
  )
  // A deadlock takes PostgreSQL a second to notice, and one of the two goes on: a retry is all that it costs.
  assert.ok(done >= 1, codesOf(answers).join())
})
