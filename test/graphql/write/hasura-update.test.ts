// Updates, case by case as Hasura documents them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HERE, useWriting } from './use-writing.ts'

const writing = useWriting()

const authors = async (...names: readonly string[]): Promise<string[]> => {
  const values = names.map(name => `('${HERE}', '${name}')`).join(', ')
  return (await writing().rows(`insert into up_lib_authors (masjid_id, name) values ${values} returning id`)).map(
    ({ id }) => id,
  )
}

const ids = (list: readonly string[]): string => `{id: {_in: ${JSON.stringify(list)}}}`

test('changes as a whole and conditions come from variables', async () => {
  const list = await authors('By variable')
  const { update_up_lib_authors: response } = await writing().data(
    `mutation ($where: up_lib_authors_bool_exp!, $changes: up_lib_authors_set_input) {
       update_up_lib_authors(where: $where, _set: $changes) { affected_rows returning { name rating } } }`,
    { variables: { where: { id: { _in: list } }, changes: { rating: 1, pen_name: null } } },
  )
  assert.deepEqual(response, { affected_rows: 1, returning: [{ name: 'By variable', rating: 1 }] })
})

test('rows are found by the fields of related rows', async () => {
  const [id] = await authors('Sidney of updates')
  await writing().rows(`insert into up_lib_books (masjid_id, author_id, title, pages)
    select '${HERE}', '${id}', 'Volume ' || n, n from generate_series(1, 3) n returning id`)
  const { update_up_lib_books: response } = await writing().data(
    'mutation { update_up_lib_books(where: {author: {name: {_eq: "Sidney of updates"}}}, _set: {pages: null}) { affected_rows } }',
  )
  assert.deepEqual(response, { affected_rows: 3 })
  assert.deepEqual(await writing().rows(`select count(pages)::int from up_lib_books where author_id = '${id}'`), [
    { count: 0 },
  ])
})

test('no matching row is no error', async () => {
  const { update_up_lib_authors: response } = await writing().data(
    'mutation { update_up_lib_authors(where: {name: {_eq: "Nobody"}}, _set: {rating: 1}) { affected_rows returning { id } } }',
  )
  assert.deepEqual(response, { affected_rows: 0, returning: [] })
})

test('{} stands for all rows', async () => {
  const { update_up_lib_shelves: response } = await writing().data(`mutation {
    insert_up_lib_shelves(objects: [{masjid_id: "${HERE}", label: "A"}, {masjid_id: "${HERE}", label: "B"}]) { affected_rows }
    update_up_lib_shelves(where: {}, _set: {masjid_id: "${HERE}"}) { affected_rows }
  }`)
  assert.deepEqual(response, { affected_rows: 2 })
})

test('relationships are returned as the update left them', async () => {
  const [from, to] = await authors('From', 'To')
  const [{ id }] = await writing().rows(
    `insert into up_lib_books (masjid_id, author_id, title) values ('${HERE}', '${from}', 'Moved') returning id`,
  )
  const { update_up_lib_books_by_pk: book } = await writing().data(
    `mutation { update_up_lib_books_by_pk(pk_columns: {id: "${id}"}, _set: {author_id: "${to}"}) {
       author { name lib_books { title } } } }`,
  )
  assert.deepEqual(book, { author: { name: 'To', lib_books: [{ title: 'Moved' }] } })
})

describe('operators', () => {
  const change = async (change: string, variables: Record<string, unknown> = {}, declared = '') => {
    const { update_up_lib_authors_by_pk: row } = await writing().data(
      `mutation ${declared} { update_up_lib_authors_by_pk(pk_columns: {id: "${variables.id}"}, ${change}) {
         rating balance details } }`,
      { variables },
    )
    return row
  }

  const documentOf = async (name: string, details: unknown): Promise<string> => {
    const [id = ''] = await authors(name)
    await writing().rows(
      `update up_lib_authors set details = '${JSON.stringify(details)}' where id = '${id}' returning id`,
    )
    return id
  }

  test('_inc adds and subtracts; nothing added to null stays null', async () => {
    const [id] = await authors('Counted')
    assert.equal((await change('_inc: {rating: 2}', { id })).rating, 5)
    assert.equal((await change('_inc: {rating: -4, balance: "0.25"}', { id })).rating, 1)
    assert.equal((await change('_inc: {balance: 0.5}', { id })).balance, 0.75)
    assert.equal((await change('_set: {rating: null}', { id })).rating, null)
    assert.equal((await change('_inc: {rating: 1}', { id })).rating, null)
  })

  test('several operators change several columns at once', async () => {
    const [id] = await authors('Several')
    const row = await change('_set: {rating: 4}, _inc: {balance: 1}, _append: {details: {a: 1}}', { id })
    assert.deepEqual(row, { rating: 4, balance: 1, details: { a: 1 } })
  })

  test('_append and _prepend add to objects and lists; what comes last wins', async () => {
    const id = await documentOf('Appended', { key: 'value' })
    const add = (operator: string, value: unknown) =>
      change(`${operator}: {details: $value}`, { id, value }, '($value: jsonb)').then(row => row.details)
    assert.deepEqual(await add('_append', { key1: 'value1' }), { key: 'value', key1: 'value1' })
    assert.deepEqual(await add('_append', { key: 'new' }), { key: 'new', key1: 'value1' })
    assert.deepEqual(await add('_prepend', { key: 'old', key0: 0 }), { key: 'new', key0: 0, key1: 'value1' })
    await change('_set: {details: ["b"]}', { id })
    assert.deepEqual(await add('_append', ['c']), ['b', 'c'])
    assert.deepEqual(await add('_prepend', 'a'), ['a', 'b', 'c'])
  })

  test('_delete_key, _delete_elem and _delete_at_path remove', async () => {
    const id = await documentOf('Shortened', { key0: 0, name: { first: 'F', last: 'L' }, list: [1, 2] })
    assert.deepEqual((await change('_delete_key: {details: "key0"}', { id })).details, {
      name: { first: 'F', last: 'L' },
      list: [1, 2],
    })
    const { details } = await change('_delete_at_path: {details: ["name", "first"]}', { id })
    assert.deepEqual(details, { name: { last: 'L' }, list: [1, 2] })
    assert.deepEqual((await change('_delete_at_path: {details: ["list", "0"]}', { id })).details.list, [2])
    await change('_set: {details: ["a", "b", "c"]}', { id })
    assert.deepEqual((await change('_delete_elem: {details: 2}', { id })).details, ['a', 'b'])
    assert.deepEqual((await change('_delete_elem: {details: -2}', { id })).details, ['b'])
  })

  test('an empty operator changes nothing: no rows, and by key null', async () => {
    const [id] = await authors('Left alone')
    const [before] = await writing().rows(`select xmin::text from up_lib_authors where id = '${id}'`)
    const answered = await writing().data(
      `mutation ($nothing: up_lib_authors_set_input) {
      some: update_up_lib_authors(where: ${ids([String(id)])}, _set: {}) { affected_rows returning { id } }
      given: update_up_lib_authors(where: {}, _set: $nothing, _inc: {}) { affected_rows }
      one: update_up_lib_authors_by_pk(pk_columns: {id: "${id}"}, _set: {}) { id }
      many: update_up_lib_authors_many(updates: [{where: {}, _set: {}}]) { affected_rows }
    }`,
      { variables: { nothing: {} } },
    )
    assert.deepEqual(answered, {
      some: { affected_rows: 0, returning: [] },
      given: { affected_rows: 0 },
      one: null,
      many: [{ affected_rows: 0 }],
    })
    assert.deepEqual(await writing().rows(`select xmin::text from up_lib_authors where id = '${id}'`), [before])
  })

  test('_inc adds to money, given as a number or as text', async () => {
    const [{ id }] = await writing().rows(
      `insert into up_lib_editions (masjid_id, name, price) values ('${HERE}', 'Priced', 1000) returning id`,
    )
    const inc = async (price: string) =>
      (
        await writing().data(
          `mutation { update_up_lib_editions_by_pk(pk_columns: {id: ${id}}, _inc: {price: ${price}}) { price } }`,
        )
      ).update_up_lib_editions_by_pk.price
    assert.equal(await inc('1.5'), '$1,001.50')
    assert.equal(await inc('"-$1.50"'), '$1,000.00')
    assert.equal(await inc('-1000'), '$0.00')
    const { extensions } = await writing().error(
      `mutation { update_up_lib_editions_by_pk(pk_columns: {id: ${id}}, _inc: {price: "much"}) { price } }`,
    )
    assert.equal(extensions.code, 'data-exception')
    const data = await writing().data(
      `query ($least: money) { up_lib_editions_aggregate(where: {id: {_eq: ${id}}, price: {_lt: $least}}) {
        aggregate { sum { price } max { price } } } }`,
      { variables: { least: 0.01 } },
    )
    assert.deepEqual(data.up_lib_editions_aggregate.aggregate, { sum: { price: '$0.00' }, max: { price: '$0.00' } })
  })

  test('rows are found by what functions compute from them', async () => {
    await writing().rows(`insert into up_lib_editions (masjid_id, name, price, years) values
      ('${HERE}', 'Cheap', 1, '{1990, 1999}'), ('${HERE}', 'Middle', 2, '{2000}'), ('${HERE}', 'Dear', 3, '{2010}') returning id`)
    const named = 'name: {_in: ["Cheap", "Middle", "Dear"]}'
    const renamed = async (where: string) =>
      (
        await writing().data(
          `mutation @dry_run { update_up_lib_editions(where: {${named}, ${where}}, _set: {grid: null}) { returning { name } } }`,
        )
      ).update_up_lib_editions.returning.map(({ name }: { name: string }) => name)
    assert.deepEqual(await renamed('oldest: {_lt: 2000}'), ['Cheap'])
    assert.deepEqual(await renamed('dearer: {args: {floor_price: "2.50"}, predicate: {name: {_eq: "Dear"}}}'), [
      'Cheap',
      'Middle',
    ])
    for (const open of ['oldest: {}', 'dearer: {args: {floor_price: 1}, predicate: {name: {}}}']) {
      const { message } = await writing().error(
        `mutation { delete_up_lib_editions(where: {${open}}) { affected_rows } }`,
      )
      assert.match(message, /is empty in a filter for writing/)
    }
  })

  test('at least one operator is needed', async () => {
    const { extensions } = await writing().error('mutation { update_up_lib_authors(where: {}) { affected_rows } }')
    assert.equal(extensions.code, 'validation-failed')
  })
})

describe('update_many', () => {
  test('has one result for each entry, also for those that match nothing', async () => {
    const list = await authors('Many 1', 'Many 2')
    const updates = [
      { where: { id: { _in: list } }, _set: { rating: 5 } },
      { where: { name: { _eq: 'Nobody' } }, _set: { rating: 5 } },
      { where: { id: { _in: list }, rating: { _eq: 5 } }, _inc: { rating: -1 }, _append: { details: { seen: true } } },
    ]
    const { update_up_lib_authors_many: results } = await writing().data(
      `mutation ($updates: [up_lib_authors_updates!]!) { update_up_lib_authors_many(updates: $updates) {
         affected_rows returning { name rating details } } }`,
      { variables: { updates } },
    )
    assert.deepEqual(
      results.map((one: { affected_rows: number }) => one.affected_rows),
      [2, 0, 2],
    )
    assert.deepEqual(results[1].returning, [])
    for (const row of results[2].returning) assert.deepEqual([row.rating, row.details], [4, { seen: true }])
  })

  test('without entries there are no results', async () => {
    assert.deepEqual(await writing().data('mutation { update_up_lib_authors_many(updates: []) { affected_rows } }'), {
      update_up_lib_authors_many: [],
    })
  })

  test('if one entry fails, none is made, and the error names it', async () => {
    const list = await authors('Fails 1', 'Fails 2')
    const { path } = await writing().error(`mutation { update_up_lib_authors_many(updates: [
      {where: ${ids(list)}, _set: {rating: 1}}, {where: ${ids(list)}, _set: {rating: 9}}]) { affected_rows } }`)
    assert.deepEqual(path, ['update_up_lib_authors_many', 'updates', 1])
    assert.deepEqual(await writing().rows(`select distinct rating from up_lib_authors where name like 'Fails %'`), [
      { rating: 3 },
    ])
  })
})
