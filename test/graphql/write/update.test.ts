import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ELSEWHERE, HERE, useWriting } from './use-writing.ts'

const writing = useWriting()

const addAuthor = async (name: string, more = ''): Promise<string> =>
  (
    await writing().data(
      `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "${name}" ${more}}) { id } }`,
    )
  ).insert_up_lib_authors_one.id

test('update changes all rows that match, and returns them', async () => {
  for (const name of ['Set 1', 'Set 2', 'Set 3']) await addAuthor(name)
  const { update_up_lib_authors: updated } = await writing().data(
    `mutation { update_up_lib_authors(where: {name: {_like: "Set %"}}, _set: {rating: 5}) {
       __typename affected_rows returning { name rating } } }`,
  )
  assert.equal(updated.__typename, 'up_lib_authors_mutation_response')
  assert.equal(updated.affected_rows, 3)
  assert.deepEqual(
    updated.returning.map(({ rating }: { rating: number }) => rating),
    [5, 5, 5],
  )
})

test('the operators add to numbers and change documents', async () => {
  const id = await addAuthor('Operators', ', balance: 10, details: {a: 1, b: {c: [1, 2, 3]}}')
  const update = async (changes: string) =>
    (
      await writing().data(
        `mutation { update_up_lib_authors_by_pk(pk_columns: {id: "${id}"}, ${changes}) { balance details } }`,
      )
    ).update_up_lib_authors_by_pk
  assert.deepEqual(await update('_inc: {balance: -2.5}'), { balance: 7.5, details: { a: 1, b: { c: [1, 2, 3] } } })
  assert.deepEqual((await update('_append: {details: {d: 4}}')).details, { a: 1, b: { c: [1, 2, 3] }, d: 4 })
  assert.deepEqual((await update('_delete_key: {details: "a"}')).details, { b: { c: [1, 2, 3] }, d: 4 })
  assert.deepEqual((await update('_delete_at_path: {details: ["b", "c", "1"]}')).details, { b: { c: [1, 3] }, d: 4 })
  assert.deepEqual((await update('_set: {details: [1, 2, 3]}')).details, [1, 2, 3])
  assert.deepEqual((await update('_prepend: {details: [0]}')).details, [0, 1, 2, 3])
  assert.deepEqual(await update('_delete_elem: {details: 1}, _inc: {balance: 1}'), { balance: 8.5, details: [0, 2, 3] })
})

test('a column in two operators is refused, and so is an update without an operator', async () => {
  const id = await addAuthor('Twice')
  const refused = (changes: string) =>
    writing().error(`mutation { update_up_lib_authors_by_pk(pk_columns: {id: "${id}"} ${changes}) { id } }`)
  const twice = await refused(', _set: {balance: 1}, _inc: {balance: 1}')
  assert.equal(twice.extensions.code, 'validation-failed')
  assert.match(twice.message, /balance is in more than one operator/)
  assert.match((await refused('')).message, /Nothing would change/)
})

test('more rows than max_affected: nothing happens', async () => {
  for (const number of [1, 2, 3]) await addAuthor(`Limit ${number}`)
  const update = (most: string) =>
    `mutation { update_up_lib_authors(where: {name: {_like: "Limit %"}}, _set: {rating: 1} ${most}) { affected_rows } }`
  const error = await writing().error(update(', max_affected: 2'))
  assert.equal(error.extensions.code, 'too-many-rows')
  assert.deepEqual(error.path, ['update_up_lib_authors'])
  assert.deepEqual(await writing().rows(`select distinct rating from up_lib_authors where name like 'Limit %'`), [
    { rating: 3 },
  ])
  assert.equal((await writing().data(update(', max_affected: 3'))).update_up_lib_authors.affected_rows, 3)
  for (const most of [0, 1001, -1]) {
    const refused = await writing().error(update(`, max_affected: ${most}`))
    assert.equal(refused.extensions.code, 'validation-failed')
  }
})

test('a hundred rows are the limit unless max_affected says otherwise, for deletions too', async () => {
  const objects = Array.from({ length: 101 }, (_, index) => ({ masjid_id: HERE, label: `bulk ${index}` }))
  await writing().data(
    'mutation ($objects: [up_lib_shelves_insert_input!]!) { insert_up_lib_shelves(objects: $objects) { affected_rows } }',
    { variables: { objects } },
  )
  const where = 'where: {label: {_like: "bulk %"}}'
  const error = await writing().error(`mutation { delete_up_lib_shelves(${where}) { affected_rows } }`)
  assert.equal(error.extensions.code, 'too-many-rows')
  const remove =
    'mutation ($most: Int) { delete_up_lib_shelves(where: {label: {_like: "bulk %"}}, max_affected: $most) { affected_rows returning { label } } }'
  const { delete_up_lib_shelves: gone } = await writing().data(remove, { variables: { most: 101 } })
  assert.equal(gone.affected_rows, 101)
  assert.equal(gone.returning.length, 101)
})

test('update_many runs in order, each sees the ones before it, and each has its own result', async () => {
  const id = await addAuthor('Many')
  const { update_up_lib_authors_many: results } = await writing().data(
    `mutation ($updates: [up_lib_authors_updates!]!) {
       update_up_lib_authors_many(updates: $updates) { affected_rows returning { name balance } } }`,
    {
      variables: {
        updates: [
          { where: { id: { _eq: id } }, _set: { name: 'Renamed' } },
          { where: { name: { _eq: 'Many' } }, _inc: { balance: 1 } },
          { where: { name: { _eq: 'Renamed' } }, _inc: { balance: 2 }, max_affected: 1 },
        ],
      },
    },
  )
  assert.deepEqual(results, [
    { affected_rows: 1, returning: [{ name: 'Renamed', balance: 0 }] },
    { affected_rows: 0, returning: [] },
    { affected_rows: 1, returning: [{ name: 'Renamed', balance: 2 }] },
  ])
  assert.deepEqual(await writing().data('mutation { update_up_lib_authors_many(updates: []) { affected_rows } }'), {
    update_up_lib_authors_many: [],
  })
})

test('rows of another masjid stay as they are, found by key or by a filter', async () => {
  const id = (
    await writing().data(
      `mutation { insert_up_lib_authors_one(object: {masjid_id: "${ELSEWHERE}", name: "Theirs"}) { id } }`,
      { key: writing().otherKey },
    )
  ).insert_up_lib_authors_one.id
  assert.deepEqual(
    await writing().data(`mutation {
      a: update_up_lib_authors_by_pk(pk_columns: {id: "${id}"}, _set: {name: "Mine"}) { id }
      b: update_up_lib_authors(where: {id: {_eq: "${id}"}}, _set: {name: "Mine"}) { affected_rows returning { id } }
      c: delete_up_lib_authors_by_pk(id: "${id}") { id }
      d: delete_up_lib_authors(where: {id: {_eq: "${id}"}}) { affected_rows }
    }`),
    { a: null, b: { affected_rows: 0, returning: [] }, c: null, d: { affected_rows: 0 } },
  )
  const moved = await writing().error(
    `mutation { update_up_lib_authors_by_pk(pk_columns: {id: "${await addAuthor('Moving')}"}, _set: {masjid_id: "${ELSEWHERE}"}) { id } }`,
  )
  assert.equal(moved.extensions.code, 'not-permitted')
})

test('all fields are one transaction, in order; later ones see earlier ones; aliases are separate writes', async () => {
  const { data } = (
    await writing().send(
      `mutation {
         first: insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Ordered"}) { name }
         second: update_up_lib_authors(where: {name: {_eq: "Ordered"}}, _inc: {balance: 1}) { affected_rows }
         third: update_up_lib_authors(where: {name: {_eq: "Ordered"}}, _inc: {balance: 1}) { returning { balance } }
         __typename
       }`,
    )
  ).body
  assert.deepEqual(data, {
    first: { name: 'Ordered' },
    second: { affected_rows: 1 },
    third: { returning: [{ balance: 2 }] },
    __typename: 'mutation_root',
  })
  const error = await writing().error(
    `mutation {
       a: insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Rolled back"}) { name }
       b: insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Worse", rating: 9}) { name } }`,
  )
  assert.deepEqual(error.path, ['b', 'object'])
  assert.deepEqual(await writing().rows(`select 1 from up_lib_authors where name in ('Rolled back', 'Worse')`), [])
})

test('fragments, @include and @skip apply to fields and to what they return', async () => {
  const query = `mutation ($yes: Boolean!, $name: String!) {
      a: insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: $name}) @include(if: $yes) { ...Shown }
      b: insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: $name}) @skip(if: $yes) { ...Shown }
    } fragment Shown on up_lib_authors { name rating @skip(if: $yes) }`
  assert.deepEqual(await writing().data(query, { variables: { yes: true, name: 'Included' } }), {
    a: { name: 'Included' },
  })
  assert.equal((await writing().rows(`select 1 from up_lib_authors where name = 'Included'`)).length, 1)
})
