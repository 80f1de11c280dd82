import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HERE, useWriting } from './use-writing.ts'

const writing = useWriting()

test('nested inserts along object and array relationships get their keys, and affected_rows counts every row', async () => {
  const { insert_up_lib_books: inserted } = await writing().data(
    `mutation ($objects: [up_lib_books_insert_input!]!) {
       insert_up_lib_books(objects: $objects) {
         affected_rows
         returning { title author { name } shelf { label } lib_reviews(order_by: {stars: asc}) { stars words } }
       } }`,
    {
      variables: {
        objects: [
          {
            masjid_id: HERE,
            title: 'Riyad',
            author: { data: { masjid_id: HERE, name: 'Nawawi' } },
            shelf: { data: { masjid_id: HERE, label: 'A1' } },
            lib_reviews: {
              data: [
                { masjid_id: HERE, stars: 5, words: 'good' },
                { masjid_id: HERE, stars: 4 },
              ],
            },
          },
          { masjid_id: HERE, title: 'Plain' },
        ],
      },
    },
  )
  assert.equal(inserted.affected_rows, 6)
  assert.deepEqual(inserted.returning, [
    {
      title: 'Riyad',
      author: { name: 'Nawawi' },
      shelf: { label: 'A1' },
      lib_reviews: [
        { stars: 4, words: null },
        { stars: 5, words: 'good' },
      ],
    },
    { title: 'Plain', author: null, shelf: null, lib_reviews: [] },
  ])
})

test('rows nest at any depth: an author with books with reviews', async () => {
  const { insert_up_lib_authors_one: author } = await writing().data(
    `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Deep", lib_books: {data: [
       {masjid_id: "${HERE}", title: "One", lib_reviews: {data: [{masjid_id: "${HERE}", stars: 1}]}},
       {masjid_id: "${HERE}", title: "Two", shelf: {data: {masjid_id: "${HERE}", label: "B2"}}}
     ]}}) { name lib_books(order_by: {title: asc}) { title shelf { label } lib_reviews { stars } } } }`,
  )
  assert.deepEqual(author, {
    name: 'Deep',
    lib_books: [
      { title: 'One', shelf: null, lib_reviews: [{ stars: 1 }] },
      { title: 'Two', shelf: { label: 'B2' }, lib_reviews: [] },
    ],
  })
})

test('an error in a nested object names it, and nothing of the whole tree remains', async () => {
  const error = await writing().error(
    `mutation { insert_up_lib_authors(objects: [{masjid_id: "${HERE}", name: "Before"}, {masjid_id: "${HERE}", name: "Half",
       lib_books: {data: [{masjid_id: "${HERE}", title: "ok"}, {masjid_id: "${HERE}", title: ""}]}}]) { affected_rows } }`,
  )
  assert.deepEqual(error.path, ['insert_up_lib_authors', 'objects', 1, 'lib_books', 'data', 1])
  assert.equal(error.extensions.code, 'constraint-violation')
  assert.deepEqual(error.extensions.columns, ['title'])
  assert.deepEqual(await writing().rows(`select name from up_lib_authors where name in ('Before', 'Half')`), [])
})

test('a foreign key is refused where nesting gives it', async () => {
  const id = '00000000-0000-4000-8000-0000000000aa'
  for (const object of [
    `{masjid_id: "${HERE}", title: "x", author_id: "${id}", author: {data: {masjid_id: "${HERE}", name: "y"}}}`,
    `{masjid_id: "${HERE}", title: "x", lib_reviews: {data: [{masjid_id: "${HERE}", stars: 1, book_id: "${id}"}]}}`,
  ]) {
    const error = await writing().error(`mutation { insert_up_lib_books_one(object: ${object}) { id } }`)
    assert.equal(error.extensions.code, 'validation-failed')
    assert.match(error.message, /is given by the row it nests in/)
  }
})

test('a nested object that on_conflict leaves alone stops the insert with a clear error', async () => {
  const insert = (update: string): string =>
    `mutation { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: "Twice", shelf: {data: {masjid_id: "${HERE}", label: "C3"},
       on_conflict: {constraint: up_lib_shelves_label_key, update_columns: [${update}]}}}) { shelf { label } } }`
  await writing().data(insert(''))
  const error = await writing().error(insert(''))
  assert.equal(error.extensions.code, 'constraint-violation')
  assert.match(error.message, /left as it is by on_conflict/)
  const { insert_up_lib_books_one: book } = await writing().data(insert('label'))
  assert.deepEqual(book, { shelf: { label: 'C3' } })
})

test('nested null is nothing to insert, and an empty list neither', async () => {
  const { insert_up_lib_books: inserted } = await writing().data(
    `mutation { insert_up_lib_books(objects: {masjid_id: "${HERE}", title: "Alone", author: null, lib_reviews: {data: []}}) { affected_rows } }`,
  )
  assert.equal(inserted.affected_rows, 1)
})

test('the last of a thousand objects is still named by its error; one more is refused beforehand', async () => {
  const objects = Array.from({ length: 1000 }, (_, index) => ({ masjid_id: HERE, label: `many ${index}` }))
  const insert = `mutation ($objects: [up_lib_shelves_insert_input!]!) { insert_up_lib_shelves(objects: $objects) { affected_rows } }`
  const broken = [...objects.slice(0, 999), { masjid_id: HERE, label: null }]
  const error = await writing().error(insert, { variables: { objects: broken } })
  assert.deepEqual(error.path, ['insert_up_lib_shelves', 'objects', 999])
  assert.deepEqual(error.extensions, { code: 'constraint-violation', rule: 'missing-value', columns: ['label'] })
  assert.equal((await writing().data(insert, { variables: { objects } })).insert_up_lib_shelves.affected_rows, 1000)
  const more = [...objects, { masjid_id: HERE, label: 'one more' }]
  const refused = await writing().error(insert, { variables: { objects: more } })
  assert.equal(refused.extensions.code, 'too-many-rows')
})
