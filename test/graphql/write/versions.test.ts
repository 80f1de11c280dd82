import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ELSEWHERE, HERE, useWriting } from './use-writing.ts'

// Fifty writers at once take their time on a busy machine.
const writing = useWriting()

const addBook = async (title: string, masjid = HERE, key = writing().key): Promise<string> =>
  (
    await writing().data(
      `mutation { insert_up_lib_books_one(object: {masjid_id: "${masjid}", title: "${title}"}) { id } }`,
      {
        key,
      },
    )
  ).insert_up_lib_books_one.id

test('if_version writes only the version that was read; otherwise the current row comes with the conflict', async () => {
  const id = await addBook('Versioned')
  const update = (version: number, title: string) =>
    `mutation { update_up_lib_books_by_pk(pk_columns: {id: "${id}"}, _set: {title: "${title}"}, if_version: ${version}) { id title version } }`
  assert.deepEqual(await writing().data(update(1, 'Second')), {
    update_up_lib_books_by_pk: { id, title: 'Second', version: 2 },
  })
  const answer = await writing().send(update(1, 'Third'))
  assert.equal(answer.status, 409)
  const [error] = answer.body.errors ?? []
  assert.equal(error?.extensions.code, 'conflict')
  assert.deepEqual(error?.path, ['update_up_lib_books_by_pk'])
  assert.deepEqual(error?.extensions.current, { id, title: 'Second', version: 2 })
  const removal = await writing().error(`mutation { delete_up_lib_books_by_pk(id: "${id}", if_version: 1) { title } }`)
  assert.deepEqual(removal.extensions, { code: 'conflict', current: { title: 'Second' } })
  await writing().data(`mutation { delete_up_lib_books_by_pk(id: "${id}", if_version: 2) { title } }`)
})

test('a row that one may not write answers null, whatever the version', async () => {
  const id = await addBook('Theirs', ELSEWHERE, writing().otherKey)
  for (const version of [1, 7])
    assert.deepEqual(
      await writing().data(
        `mutation { update_up_lib_books_by_pk(pk_columns: {id: "${id}"}, _set: {title: "x"}, if_version: ${version}) { id } }`,
      ),
      { update_up_lib_books_by_pk: null },
    )
})

test('of fifty writers with the same version one wins', async () => {
  const id = await addBook('Race')
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      fetch(`${writing().minaret.baseUrl}/v1/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${writing().key}` },
        body: JSON.stringify({
          query: `mutation { update_up_lib_books_by_pk(pk_columns: {id: "${id}"}, _set: {title: "Race ${index}"}, if_version: 1) { version } }`,
        }),
      }).then(response => response.json() as Promise<{ data?: unknown; errors: { extensions: { code: string } }[] }>),
    ),
  )
  const won = answers.filter(({ data }) => data !== undefined)
  assert.deepEqual(won, [{ data: { update_up_lib_books_by_pk: { version: 2 } } }])
  for (const { errors } of answers.filter(({ data }) => data === undefined))
    assert.equal(errors[0]?.extensions.code, 'conflict')
})

test('a deletion marks the row where the table says so, and restore takes it back', async () => {
  const id = await addBook('Marked')
  const remove = `mutation { delete_up_lib_books_by_pk(id: "${id}") { title } }`
  assert.deepEqual(await writing().data(remove), { delete_up_lib_books_by_pk: { title: 'Marked' } })
  assert.equal(
    (await writing().rows(`select 1 from up_lib_books where id = '${id}' and deleted_at is not null`)).length,
    1,
  )
  assert.deepEqual(await writing().data(remove), { delete_up_lib_books_by_pk: null })
  assert.deepEqual(
    await writing().data(`mutation {
      a: update_up_lib_books_by_pk(pk_columns: {id: "${id}"}, _set: {title: "Ghost"}) { id }
      b: update_up_lib_books(where: {id: {_eq: "${id}"}}, _set: {title: "Ghost"}) { affected_rows }
      c: restore_up_lib_books_by_pk(id: "${id}") { title }
      d: restore_up_lib_books_by_pk(id: "${id}") { title } }`),
    { a: null, b: { affected_rows: 0 }, c: { title: 'Marked' }, d: null },
  )
})
