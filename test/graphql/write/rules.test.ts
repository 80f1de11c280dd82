import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ELSEWHERE, HERE, useWriting } from './use-writing.ts'

const writing = useWriting()

const author = (fields: string, rest = ''): string =>
  `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", ${fields}} ${rest}) { id name pen_name rating } }`

describe('on_conflict', () => {
  test('update_columns take over the values of the new row, by constraint', async () => {
    const { insert_up_lib_authors_one: first } = await writing().data(author('name: "Old", pen_name: "P1"'))
    const upsert = author(
      'name: "New", pen_name: "P1", rating: 1',
      ', on_conflict: {constraint: up_lib_authors_pen_name_key, update_columns: [name]}',
    )
    const { insert_up_lib_authors_one: second } = await writing().data(upsert)
    assert.deepEqual(second, { id: first.id, name: 'New', pen_name: 'P1', rating: 3 })
  })

  test('without columns an existing row stays as it is: insert_one answers null, insert counts no row', async () => {
    await writing().data(author('name: "Kept", pen_name: "P2"'))
    const conflict = ', on_conflict: {constraint: up_lib_authors_pen_name_key, update_columns: []}'
    assert.deepEqual(await writing().data(author('name: "Ignored", pen_name: "P2"', conflict)), {
      insert_up_lib_authors_one: null,
    })
    const { insert_up_lib_authors: inserted } = await writing().data(
      `mutation { insert_up_lib_authors(objects: [{masjid_id: "${HERE}", name: "Ignored", pen_name: "P2"}, {masjid_id: "${HERE}", name: "Added", pen_name: "P3"}] ${conflict}) { affected_rows returning { name } } }`,
    )
    assert.deepEqual(inserted, { affected_rows: 1, returning: [{ name: 'Added' }] })
  })

  test('where looks at the existing row', async () => {
    await writing().data(author('name: "Guarded", pen_name: "P4", rating: 2'))
    const upsert = (most: number): string =>
      author(
        'name: "Taken over", pen_name: "P4"',
        `, on_conflict: {constraint: up_lib_authors_pen_name_key, update_columns: [name], where: {rating: {_lt: ${most}}}}`,
      )
    assert.deepEqual(await writing().data(upsert(2)), { insert_up_lib_authors_one: null })
    assert.equal((await writing().data(upsert(3))).insert_up_lib_authors_one.name, 'Taken over')
  })

  test('a partial index over an expression is a target too', async () => {
    const { insert_up_lib_authors_one: first } = await writing().data(author('name: "Indexed"'))
    const { insert_up_lib_authors_one: second } = await writing().data(
      author(
        'name: "INDEXED", rating: 5',
        ', on_conflict: {constraint: up_lib_authors_lower_name, update_columns: [rating]}',
      ),
    )
    assert.deepEqual(second, { id: first.id, name: 'Indexed', pen_name: null, rating: 5 })
  })
})

describe('errors', () => {
  const codes = async (query: string): Promise<Record<string, unknown>> => {
    const { path, message, extensions } = await writing().error(query)
    return { path, message, ...extensions }
  }

  test('a check is told in the words of its comment, with its columns', async () => {
    assert.deepEqual(await codes(author('name: "x", rating: 9')), {
      path: ['insert_up_lib_authors_one', 'object'],
      message: 'A rating is from 1 to 5 stars.',
      code: 'constraint-violation',
      constraint: 'up_lib_authors_rating_check',
      columns: ['rating'],
    })
  })

  test('taken values, missing values and missing references are told in plain words', async () => {
    await writing().data(author('name: "Unique", pen_name: "U"'))
    const taken = await codes(author('name: "Other", pen_name: "U"'))
    assert.deepEqual(
      [taken.code, taken.constraint, taken.rule, taken.columns, taken.message],
      [
        'constraint-violation',
        'up_lib_authors_pen_name_key',
        'duplicate',
        ['pen_name'],
        'A row with the same value of pen_name exists already.',
      ],
    )
    const missing = await codes(author('pen_name: "V"'))
    assert.deepEqual(
      [missing.code, missing.rule, missing.columns, missing.message],
      ['constraint-violation', 'missing-value', ['name'], 'A value is missing for name.'],
    )
    const nowhere = await codes(
      `mutation { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: "x", author_id: "${HERE}"}) { id } }`,
    )
    assert.deepEqual(
      [nowhere.columns, nowhere.message],
      [['author_id'], 'There is no row that author_id could refer to.'],
    )
    const {
      insert_up_lib_books_one: { author_id },
    } = await writing().data(
      `mutation { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: "x", author: {data: {masjid_id: "${HERE}", name: "Needed"}}}) { author_id } }`,
    )
    const needed = await codes(`mutation { delete_up_lib_authors_by_pk(id: "${author_id}") { id } }`)
    assert.deepEqual([needed.code, needed.message], ['constraint-violation', 'Other rows still refer to this one.'])
  })

  test('a rule that is checked at the commit is told too, and nothing remains', async () => {
    const deferred = await codes(
      `mutation { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: "Deferred", lib_reviews: {data: [
         {masjid_id: "${HERE}", stars: 1}, {masjid_id: "${HERE}", stars: 1}]}}) { id } }`,
    )
    assert.deepEqual([deferred.code, deferred.constraint], ['constraint-violation', 'up_lib_reviews_order_key'])
    assert.deepEqual(await writing().rows(`select 1 from up_lib_books where title = 'Deferred'`), [])
  })

  test('the message of a trigger is passed on', async () => {
    const banned = await codes(
      `mutation { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: "banned"}) { id } }`,
    )
    assert.deepEqual([banned.code, banned.message], ['constraint-violation', 'This book is not wanted here.'])
  })

  test('the rule that a trigger names is told, with the values of its detail that are in its sentence, and no others', async () => {
    const path = ['insert_up_lib_books_one', 'object']
    assert.deepEqual(
      await codes(`mutation { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: "lent"}) { id } }`),
      {
        path,
        message: 'It is lent until 2027-01-08.',
        code: 'not-permitted',
        constraint: 'up_lib_books_lent',
        values: { until: '2027-01-08' },
      },
    )
  })

  test('a value that does not fit its column names object and column', async () => {
    const bad = await codes(
      `mutation { insert_up_lib_books(objects: [{masjid_id: "${HERE}", title: "ok"}, {masjid_id: "${HERE}", title: "x", published: "2026-02-30"}]) { affected_rows } }`,
    )
    assert.deepEqual(
      [bad.path, bad.code, bad.columns],
      [['insert_up_lib_books', 'objects', 1], 'data-exception', ['published']],
    )
  })

  test('who may not write a row is told so before anything about its values', async () => {
    await writing().data(author('name: "Collides", pen_name: "C"'))
    const foreign = await codes(
      `mutation { insert_up_lib_authors_one(object: {masjid_id: "${ELSEWHERE}", name: "x", pen_name: "C"}) { id } }`,
    )
    assert.deepEqual(Object.keys(foreign).sort(), ['code', 'message', 'path', 'rule'])
    assert.equal(foreign.code, 'not-permitted')
  })

  test('a table without policies is written by those who were given everything, and by no one else', async () => {
    const insert = 'mutation { insert_up_lib_settings_one(object: {name: "opening", value: "9"}) { name value } }'
    assert.equal((await codes(insert)).code, 'not-permitted')
    assert.deepEqual(await writing().data(insert, { key: writing().allKey }), {
      insert_up_lib_settings_one: { name: 'opening', value: '9' },
    })
    const update =
      'mutation { update_up_lib_settings_by_pk(pk_columns: {name: "opening"}, _set: {value: "8"}) { value } }'
    assert.equal((await codes(update)).code, 'not-permitted')
  })

  test('no error has SQL in it', async () => {
    for (const query of [author('name: "x", rating: 9'), author('rating: 1'), author('name: "x", balance: "NaN"')])
      assert.doesNotMatch((await writing().send(query)).text, /insert into|returning|set_config|\$1/i)
  })
})

describe('actions', () => {
  const addBook = async (): Promise<string> =>
    (
      await writing().data(
        `mutation { insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: "Source", author: {data: {masjid_id: "${HERE}", name: "Action ${Math.random()}"}}}) { id } }`,
      )
    ).insert_up_lib_books_one.id

  test('a volatile function runs once, and its rows have relationships as it left them', async () => {
    const id = await addBook()
    const { up_lib_add_copy: copies } = await writing().data(
      `mutation { up_lib_add_copy(args: {book: "${id}", copies: 2}) { title author { lib_books_aggregate { aggregate { count } } } } }`,
    )
    const expected = { title: 'Source', author: { lib_books_aggregate: { aggregate: { count: 3 } } } }
    assert.deepEqual(copies, [expected, expected])
  })

  test('one that returns a row returns it, or null', async () => {
    const rename = (id: string) =>
      `mutation { up_lib_rename(args: {book: "${id}", title: "Renamed"}) { title version } }`
    assert.deepEqual(await writing().data(rename(await addBook())), { up_lib_rename: { title: 'Renamed', version: 2 } })
    assert.deepEqual(await writing().data(rename(HERE)), { up_lib_rename: null })
  })
})

describe('scopes', () => {
  test('writing needs the scope for writing, reading back the one for reading', async () => {
    const [readOnly, writeOnly] = await Promise.all([
      writing().keyWith(['events:read']),
      writing().keyWith(['events:write']),
    ])
    const insert = (selection: string) =>
      `mutation { insert_up_lib_authors(objects: {masjid_id: "${HERE}", name: "Scoped ${Math.random()}"}) { ${selection} } }`
    const refused = await writing().send(insert('affected_rows'), { key: readOnly })
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.body.errors?.[0]?.extensions.scopes, ['events:write'])
    assert.deepEqual(await writing().data(insert('affected_rows'), { key: writeOnly }), {
      insert_up_lib_authors: { affected_rows: 1 },
    })
    const back = await writing().error(insert('returning { id }'), { key: writeOnly })
    assert.deepEqual(back.extensions.scopes, ['events:read'])
    const filter = await writing().error(
      `mutation { update_up_lib_authors(where: {name: {_eq: "x"}}, _set: {rating: 1}) { affected_rows } }`,
      { key: writeOnly },
    )
    assert.deepEqual(filter.extensions.scopes, ['events:read'])
  })
})
