// Deletions and several mutations in one request, case by case as Hasura documents them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HERE, useWriting } from './use-writing.ts'

const writing = useWriting()

const author = async (name: string): Promise<string> =>
  (await writing().rows(`insert into up_lib_authors (masjid_id, name) values ('${HERE}', '${name}') returning id`))[0]
    .id

const books = (authorId: string, ...titles: readonly string[]) =>
  writing().rows(
    `insert into up_lib_books (masjid_id, author_id, title)
     select '${HERE}', '${authorId}', title from unnest('{${titles.join(',')}}'::text[]) title returning id`,
  )

const titlesOf = async (authorId: string): Promise<string[]> =>
  (
    await writing().rows(
      `select title from up_lib_books where author_id = '${authorId}' and deleted_at is null order by title`,
    )
  ).map(({ title }) => title)

describe('delete', () => {
  test('rows are found by their own fields and by those of related rows', async () => {
    const corny = await author('Corny')
    await books(corny, 'One', 'Two', 'Three')
    const remove = (where: string) =>
      writing()
        .data(`mutation { delete_up_lib_books(where: ${where}) { affected_rows } }`)
        .then(data => data.delete_up_lib_books.affected_rows)
    assert.equal(await remove(`{author_id: {_eq: "${corny}"}, title: {_eq: "One"}}`), 1)
    assert.equal(await remove('{author: {name: {_eq: "Corny"}}}'), 2)
    assert.equal(await remove('{author: {name: {_eq: "Corny"}}}'), 0)
    assert.deepEqual(await titlesOf(corny), [])
  })

  test('rows are returned as they were, with what was related to them', async () => {
    const id = await author('Returned')
    const [{ id: book }] = await books(id, 'Last')
    await writing().rows(
      `insert into up_lib_reviews (masjid_id, book_id, stars) values ('${HERE}', '${book}', 4), ('${HERE}', '${book}', 5) returning id`,
    )
    const { delete_up_lib_reviews: response } = await writing().data(
      `mutation { delete_up_lib_reviews(where: {book: {author: {id: {_eq: "${id}"}}}}) {
         affected_rows returning { stars book { title author { name } lib_reviews_aggregate { aggregate { count } } } } } }`,
    )
    assert.equal(response.affected_rows, 2)
    assert.deepEqual(response.returning.map(({ stars }: { stars: number }) => stars).sort(), [4, 5])
    assert.deepEqual(response.returning[0].book, {
      title: 'Last',
      author: { name: 'Returned' },
      lib_reviews_aggregate: { aggregate: { count: 2 } },
    })
    assert.deepEqual(await writing().rows(`select 1 from up_lib_reviews where book_id = '${book}'`), [])
  })

  test('{} stands for all rows', async () => {
    const { delete_up_lib_shelves: response } = await writing().data(`mutation {
      insert_up_lib_shelves(objects: [{masjid_id: "${HERE}", label: "A"}, {masjid_id: "${HERE}", label: "B"}]) { affected_rows }
      delete_up_lib_shelves(where: {}) { affected_rows returning { label } }
    }`)
    assert.deepEqual(response, { affected_rows: 2, returning: [{ label: 'A' }, { label: 'B' }] })
  })

  test('a row that others refer to is not deleted, and the rule is named', async () => {
    const id = await author('Referred')
    await books(id, 'Refers')
    const { path, extensions } = await writing().error(`mutation { delete_up_lib_authors_by_pk(id: "${id}") { id } }`)
    assert.deepEqual(path, ['delete_up_lib_authors_by_pk'])
    assert.deepEqual([extensions.code, extensions.constraint], ['constraint-violation', 'up_lib_books_author_id_fkey'])
  })
})

describe('several mutations in one request', () => {
  test('run one after the other: the second sees what the first did', async () => {
    const id = await author('Cory')
    await books(id, 'Old 1', 'Old 2')
    const data = await writing().data(`mutation {
      delete_up_lib_books(where: {author_id: {_eq: "${id}"}}) { affected_rows }
      update_up_lib_authors(where: {id: {_eq: "${id}"}}, _set: {name: "Cory B."}) { returning { name lib_books { title } } }
    }`)
    assert.deepEqual(data, {
      delete_up_lib_books: { affected_rows: 2 },
      update_up_lib_authors: { returning: [{ name: 'Cory B.', lib_books: [] }] },
    })
  })

  test('all related rows are replaced by deleting and inserting', async () => {
    const id = await author('Replaced')
    await books(id, 'Old')
    const object = (title: string) => `{masjid_id: "${HERE}", author_id: "${id}", title: "${title}"}`
    const data = await writing().data(`mutation {
      delete_up_lib_books(where: {author_id: {_eq: "${id}"}}) { affected_rows }
      insert_up_lib_books(objects: [${object('New 1')}, ${object('New 2')}]) { affected_rows }
    }`)
    assert.deepEqual(data, { delete_up_lib_books: { affected_rows: 1 }, insert_up_lib_books: { affected_rows: 2 } })
    assert.deepEqual(await titlesOf(id), ['New 1', 'New 2'])
  })

  test('if the last fails, nothing of the first remains, and there are no data', async () => {
    const id = await author('Kept')
    await books(id, 'Kept 1', 'Kept 2')
    const { body } = await writing().send(`mutation {
      delete_up_lib_books(where: {author_id: {_eq: "${id}"}}) { affected_rows }
      insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Six", rating: 6}) { id }
    }`)
    assert.equal(body.errors?.length, 1)
    assert.deepEqual(body.errors?.[0]?.path, ['insert_up_lib_authors_one', 'object'])
    assert.equal(body.data ?? null, null)
    assert.deepEqual(await titlesOf(id), ['Kept 1', 'Kept 2'])
  })

  test('a value that one gives up can be taken by the next', async () => {
    const insert = (key: string) =>
      `${key}: insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "${key}", pen_name: "shared"}) { name }`
    const data = await writing().data(`mutation {
      ${insert('first')}
      delete_up_lib_authors(where: {pen_name: {_eq: "shared"}}) { affected_rows }
      ${insert('second')}
      __typename
    }`)
    assert.deepEqual(Object.entries(data), [
      ['first', { name: 'first' }],
      ['delete_up_lib_authors', { affected_rows: 1 }],
      ['second', { name: 'second' }],
      ['__typename', 'mutation_root'],
    ])
  })
})
