// Nested inserts and upserts, case by case as Hasura documents them: one to one, many to many, and their caveats.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HERE, type TestWriting, useWriting } from './use-writing.ts'

const statements = [
  `create table public.up_lib_tags (id integer generated always as identity primary key, masjid_id uuid not null references up_masjids,
     label text not null constraint up_lib_tags_label_key unique, uses integer not null default 0)`,
  `create table public.up_lib_book_tags (book_id uuid references up_lib_books, tag_id integer references up_lib_tags,
     note text, primary key (book_id, tag_id))`,
  `create table public.up_lib_covers (id uuid primary key default gen_random_uuid(), colour text not null,
     book_id uuid not null constraint up_lib_covers_book_id_key unique references up_lib_books)`,
  ...['tags', 'book_tags', 'covers'].map(
    name => `comment on table up_lib_${name} is E'@scope events:read\\n@writable\\nFor books.'`,
  ),
]

const prepare = async ({ rows, send }: TestWriting): Promise<void> => {
  for (const statement of statements) await rows(statement)
  const deadline = Date.now() + 60_000
  for (;;) {
    const { text } = await send('{ __schema { mutationType { fields { name } } } }')
    if (text.includes('"insert_up_lib_covers"')) return
    if (Date.now() > deadline) throw new Error('the tables are not in the schema')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const writing = useWriting({}, prepare)

/** With the key of an app that may write everything: these tables have no policies. */
const data = (query: string, variables: Record<string, unknown> = {}) =>
  writing().data(query, { variables, key: writing().allKey })
const error = (query: string, variables: Record<string, unknown> = {}) =>
  writing().error(query, { variables, key: writing().allKey })

const tag = (label: string, conflict: string) =>
  `{tag: {data: {masjid_id: "${HERE}", label: "${label}"}, on_conflict: {constraint: up_lib_tags_label_key, update_columns: ${conflict}}}}`

describe('many to many', () => {
  const insert = (title: string, ...tags: readonly string[]) =>
    `mutation { insert_up_lib_books(objects: [{masjid_id: "${HERE}", title: "${title}", lib_book_tags: {data: [${tags.join(', ')}]}}]) {
       affected_rows returning { title lib_book_tags(order_by: {tag: {label: asc}}) { tag { label } } } } }`

  test('a book with its tags: new tags are inserted, known ones taken, every row is counted', async () => {
    for (const title of ['Fajitas', 'Burritos']) {
      const { insert_up_lib_books: response } = await data(
        insert(title, tag('Recipes', '[label]'), tag('Cooking', '[label]')),
      )
      assert.deepEqual(response, {
        affected_rows: 5,
        returning: [{ title, lib_book_tags: [{ tag: { label: 'Cooking' } }, { tag: { label: 'Recipes' } }] }],
      })
    }
    assert.deepEqual(
      await writing().rows(`select label from up_lib_tags where label in ('Recipes', 'Cooking') order by label`),
      [{ label: 'Cooking' }, { label: 'Recipes' }],
    )
  })

  test('a known tag that is left alone cannot be referred to: nothing is written', async () => {
    await data(insert('First', tag('Known', '[]')))
    const { extensions } = await error(insert('Second', tag('Known', '[]')))
    assert.equal(extensions.code, 'constraint-violation')
    assert.deepEqual(await writing().rows(`select 1 from up_lib_books where title = 'Second'`), [])
  })

  test('neither side of the bridge is sent', async () => {
    for (const column of ['book_id: "00000000-0000-4000-8000-000000000001"', 'tag_id: 1']) {
      const bridge = tag('Bridge', '[label]').replace('{tag:', `{${column}, tag:`)
      assert.equal((await error(insert('Bridged', bridge))).extensions.code, 'validation-failed')
    }
  })
})

describe('a key of several columns', () => {
  test('names the row in update_by_pk and delete_by_pk', async () => {
    await data(
      `mutation { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: "Keyed", lib_book_tags: {data: [${tag('Keyed', '[]')}]}}) { id } }`,
    )
    const [{ book_id, tag_id }] = await writing().rows(
      `select book_id, tag_id from up_lib_book_tags join up_lib_tags on id = tag_id where label = 'Keyed'`,
    )
    const variables = { book_id, tag_id }
    const updated = await data(
      `mutation ($book_id: uuid!, $tag_id: Int!) {
         update_up_lib_book_tags_by_pk(pk_columns: {book_id: $book_id, tag_id: $tag_id}, _set: {note: "seen"}) { note tag { label } } }`,
      variables,
    )
    assert.deepEqual(updated.update_up_lib_book_tags_by_pk, { note: 'seen', tag: { label: 'Keyed' } })
    const remove = `mutation ($book_id: uuid!, $tag_id: Int!) {
      delete_up_lib_book_tags_by_pk(book_id: $book_id, tag_id: $tag_id) { note } }`
    assert.deepEqual(await data(remove, variables), { delete_up_lib_book_tags_by_pk: { note: 'seen' } })
    assert.deepEqual(await data(remove, variables), { delete_up_lib_book_tags_by_pk: null })
  })
})

describe('one to one', () => {
  test('either side can be the parent', async () => {
    const { insert_up_lib_covers_one: cover } = await data(
      `mutation { insert_up_lib_covers_one(object: {colour: "red", book: {data: {masjid_id: "${HERE}", title: "Red"}}}) { colour book { title } } }`,
    )
    assert.deepEqual(cover, { colour: 'red', book: { title: 'Red' } })
    const { insert_up_lib_books: response } = await data(
      `mutation { insert_up_lib_books(objects: [{masjid_id: "${HERE}", title: "Blue", lib_covers: {data: {colour: "blue"}}}]) {
         affected_rows returning { title lib_covers { colour } } } }`,
    )
    assert.deepEqual(response, { affected_rows: 2, returning: [{ title: 'Blue', lib_covers: { colour: 'blue' } }] })
  })
})

describe('nested upserts', () => {
  const AUTHOR = 'up_lib_authors_pen_name_key'
  const upsert = (pen: string, columns: string, books: string) =>
    `mutation { insert_up_lib_authors(objects: [{masjid_id: "${HERE}", name: "Author", pen_name: "${pen}", lib_books: {data: ${books}}}],
       on_conflict: {constraint: ${AUTHOR}, update_columns: ${columns}}) { affected_rows returning { lib_books { title } } } }`
  const book = (title: string) => `{masjid_id: "${HERE}", title: "${title}"}`

  test('rows are added to a parent that existed, if it is updated', async () => {
    await data(upsert('added', '[]', `[${book('One')}]`))
    const { insert_up_lib_authors: response } = await data(upsert('added', '[pen_name]', `[${book('Two')}]`))
    assert.equal(response.affected_rows, 2)
    assert.deepEqual(response.returning[0].lib_books.map(({ title }: { title: string }) => title).sort(), [
      'One',
      'Two',
    ])
  })

  test('a parent that is left alone takes no rows: nothing is written', async () => {
    await data(upsert('alone', '[]', '[]'))
    const { extensions } = await error(upsert('alone', '[]', `[${book('Orphan')}]`))
    assert.equal(extensions.code, 'constraint-violation')
    assert.deepEqual(await writing().rows(`select 1 from up_lib_books where title = 'Orphan'`), [])
  })

  test('a parent that is left alone, without rows to add, is no error', async () => {
    await data(upsert('quiet', '[]', '[]'))
    const { insert_up_lib_authors: response } = await data(upsert('quiet', '[]', '[]'))
    assert.deepEqual(response, { affected_rows: 0, returning: [] })
  })

  test('children are upserted by their own constraint', async () => {
    const insert = (colour: string, conflict: string) =>
      `mutation { insert_up_lib_books_one(object: {id: "00000000-0000-4000-8000-00000000f001", masjid_id: "${HERE}", title: "Dressed",
         lib_covers: {data: {colour: "${colour}"}, on_conflict: {constraint: up_lib_covers_book_id_key, update_columns: ${conflict}}}},
         on_conflict: {constraint: up_lib_books_pkey, update_columns: [title]}) { lib_covers { colour } } }`
    for (const [colour, conflict, shown] of [
      ['red', '[]', 'red'],
      ['blue', '[colour]', 'blue'],
      ['green', '[]', 'blue'],
    ] as const)
      assert.deepEqual(await data(insert(colour, conflict)), {
        insert_up_lib_books_one: { lib_covers: { colour: shown } },
      })
  })

  test('where may look at related rows of the existing one', async () => {
    await data(upsert('related', '[]', `[${book('Related')}]`))
    const rename = (name: string, title: string) =>
      data(
        `mutation { insert_up_lib_authors(objects: [{masjid_id: "${HERE}", name: "${name}", pen_name: "related"}],
           on_conflict: {constraint: ${AUTHOR}, update_columns: [name], where: {lib_books: {title: {_eq: "${title}"}}}}) { affected_rows } }`,
      ).then(({ insert_up_lib_authors: { affected_rows } }) => affected_rows)
    assert.equal(await rename('Renamed', 'Other'), 0)
    assert.equal(await rename('Renamed', 'Related'), 1)
  })
})
