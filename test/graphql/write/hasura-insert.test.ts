// Inserts, case by case as Hasura documents them: objects, defaults, nulls, arrays, documents and what is returned.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HERE, useWriting } from './use-writing.ts'

const writing = useWriting()

const author = (name: string, more: object = {}) => ({ masjid_id: HERE, name, ...more })

test('insert_one takes the whole object in a variable', async () => {
  const data = await writing().data(
    'mutation ($object: up_lib_authors_insert_input!) { insert_up_lib_authors_one(object: $object) { name pen_name } }',
    { variables: { object: author('Variable', { pen_name: 'V.' }) } },
  )
  assert.deepEqual(data, { insert_up_lib_authors_one: { name: 'Variable', pen_name: 'V.' } })
})

test('several objects with different columns are returned in the order in which they were sent', async () => {
  const objects = [author('Third', { rating: 1 }), author('First'), author('Second', { details: { a: 1 } })]
  const { insert_up_lib_authors: response } = await writing().data(
    `mutation ($objects: [up_lib_authors_insert_input!]!) {
       insert_up_lib_authors(objects: $objects) { __typename affected_rows returning { name rating details } } }`,
    { variables: { objects } },
  )
  assert.deepEqual(response, {
    __typename: 'up_lib_authors_mutation_response',
    affected_rows: 3,
    returning: [
      { name: 'Third', rating: 1, details: {} },
      { name: 'First', rating: 3, details: {} },
      { name: 'Second', rating: 3, details: { a: 1 } },
    ],
  })
})

test('one object stands for a list of one', async () => {
  const { insert_up_lib_authors: response } = await writing().data(
    `mutation { insert_up_lib_authors(objects: {masjid_id: "${HERE}", name: "Alone"}) { affected_rows returning { name } } }`,
  )
  assert.deepEqual(response, { affected_rows: 1, returning: [{ name: 'Alone' }] })
})

test('an empty list inserts nothing', async () => {
  const { insert_up_lib_authors: response } = await writing().data(
    'mutation { insert_up_lib_authors(objects: []) { affected_rows returning { name } } }',
  )
  assert.deepEqual(response, { affected_rows: 0, returning: [] })
})

test('an inserted row is returned with related rows that were there before', async () => {
  const [{ id }] = await writing().rows(
    `insert into up_lib_authors (masjid_id, name) values ('${HERE}', 'Sidney') returning id`,
  )
  const { insert_up_lib_books: response } = await writing().data(
    `mutation ($id: uuid) { insert_up_lib_books(objects: [{masjid_id: "${HERE}", title: "Guide", author_id: $id}]) {
       returning { title author { name lib_books { title } lib_books_aggregate { aggregate { count } } } } } }`,
    { variables: { id } },
  )
  const books = { lib_books: [{ title: 'Guide' }], lib_books_aggregate: { aggregate: { count: 1 } } }
  assert.deepEqual(response.returning, [{ title: 'Guide', author: { name: 'Sidney', ...books } }])
})

describe('a column', () => {
  const insert = (fields: string, variables: Record<string, unknown> = {}, declared = '') =>
    writing()
      .data(
        `mutation ${declared} { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", ${fields}}) {
           rating pen_name nicknames details balance } }`,
        { variables },
      )
      .then(data => data.insert_up_lib_authors_one)

  test('that is left out gets its default; with null it is null', async () => {
    assert.equal((await insert('name: "Default"')).rating, 3)
    assert.equal((await insert('name: "Null", rating: null')).rating, null)
  })

  test('whose variable is not given counts as left out; given as null it is null', async () => {
    const fields = 'name: "Absent", rating: $rating'
    assert.equal((await insert(`${fields}, pen_name: "absent"`, {}, '($rating: Int)')).rating, 3)
    const given = await insert(`${fields}, pen_name: "given"`, { rating: null }, '($rating: Int)')
    assert.equal(given.rating, null)
  })

  test('that must not be null says so', async () => {
    const { path, extensions } = await writing().error(
      `mutation { insert_up_lib_authors(objects: [{masjid_id: "${HERE}", name: "Fine"}, {masjid_id: "${HERE}"}]) { affected_rows } }`,
    )
    assert.deepEqual(path, ['insert_up_lib_authors', 'objects', 1])
    assert.deepEqual(extensions, { code: 'constraint-violation', rule: 'missing-value', columns: ['name'] })
    assert.deepEqual(await writing().rows(`select 1 from up_lib_authors where name = 'Fine'`), [])
  })

  test('of an array type takes a list; one value stands for a list of one', async () => {
    assert.deepEqual((await insert('name: "List", nicknames: ["a", "b c"]')).nicknames, ['a', 'b c'])
    assert.deepEqual((await insert('name: "One", nicknames: "a, b"')).nicknames, ['a, b'])
    const variable = await insert('name: "Lists", nicknames: $names', { names: ['x'] }, '($names: [String!])')
    assert.deepEqual(variable.nicknames, ['x'])
  })

  test('of an array type takes text as PostgreSQL writes an array, if it begins with a brace', async () => {
    assert.deepEqual((await insert('name: "Written", nicknames: "{a,\\"b c\\"}"')).nicknames, ['a', 'b c'])
    const variable = await insert(
      'name: "Written in a variable", nicknames: $names',
      { names: '{}' },
      '($names: [String!])',
    )
    assert.deepEqual(variable.nicknames, [])
    assert.deepEqual((await insert('name: "Quoted", nicknames: ["{a}"]')).nicknames, ['{a}'])
    const malformed = await writing().error(
      `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "x", nicknames: "{a"}) { id } }`,
    )
    assert.equal(malformed.extensions.code, 'validation-failed')
  })

  test('of any array type takes such text, in a variable and within one too', async () => {
    const edition = async (fields: string, variables: Record<string, unknown> = {}, declared = '') =>
      (
        await writing().data(
          `mutation ${declared} { insert_up_lib_editions_one(object: {masjid_id: "${HERE}", name: "Edition", ${fields}}) {
             years grid notes shades } }`,
          { variables },
        )
      ).insert_up_lib_editions_one
    const written = { years: '{1, 2}', grid: '{{1,2},{3,4}}', notes: '{"{\\"a\\": 1}"}', shades: '{dark}' }
    const read = {
      years: [1, 2],
      grid: [
        [1, 2],
        [3, 4],
      ],
      notes: [{ a: 1 }],
      shades: ['dark'],
    }
    const inline = Object.entries(written).map(([name, text]) => `${name}: ${JSON.stringify(text)}`)
    assert.deepEqual(await edition(inline.join(', ')), read)
    assert.deepEqual(await edition('years: "{}", grid: "{}", notes: "{}", shades: "{}"'), {
      years: [],
      grid: [],
      notes: [],
      shades: [],
    })
    assert.deepEqual(
      await edition(
        'years: $years, shades: $shades',
        { years: '{1,2}', shades: '{dark}' },
        '($years: [Int], $shades: [up_lib_shade!])',
      ),
      { ...read, grid: null, notes: null },
    )
    const whole = await writing().data(
      `mutation ($objects: [up_lib_editions_insert_input!]!) {
        insert_up_lib_editions(objects: $objects) { returning { years grid notes shades } } }`,
      { variables: { objects: { masjid_id: HERE, name: 'Whole', ...written } } },
    )
    assert.deepEqual(whole.insert_up_lib_editions.returning, [read])
  })

  test('of an array type: malformed text is validation-failed wherever it stands; other text is no number', async () => {
    const refused = async (query: string, variables: Record<string, unknown> = {}) => {
      const { extensions, path } = await writing().error(query, { variables })
      return [extensions.code, path?.[0]]
    }
    const bad = '{1,2'
    const object = `{masjid_id: "${HERE}", name: "Malformed", years: "${bad}"}`
    const set = `_set: {years: "${bad}"}`
    for (const [query, field] of [
      [`mutation { insert_up_lib_editions(objects: [${object}]) { affected_rows } }`, 'insert_up_lib_editions'],
      [`mutation { update_up_lib_editions(where: {}, ${set}) { affected_rows } }`, 'update_up_lib_editions'],
      [`mutation { update_up_lib_editions_by_pk(pk_columns: {id: 1}, ${set}) { id } }`, 'update_up_lib_editions_by_pk'],
      [
        `mutation { delete_up_lib_editions(where: {years: {_eq: "${bad}"}}) { affected_rows } }`,
        'delete_up_lib_editions',
      ],
      [`{ up_lib_editions(where: {years: {_contains: "${bad}"}}) { id } }`, 'up_lib_editions'],
      [`{ up_lib_editions(where: {years: {_in: ["${bad}"]}}) { id } }`, 'up_lib_editions'],
    ] as const)
      assert.deepEqual(await refused(query), ['validation-failed', field], query)
    const byVariable = 'query ($years: [Int!]) { up_lib_editions(where: {years: {_contains: $years}}) { id } }'
    assert.deepEqual(await refused(byVariable, { years: bad }), ['validation-failed', 'up_lib_editions'])
    for (const years of ['two', ['{1}'], '']) assert.equal((await refused(byVariable, { years }))[0], 'bad-variables')
    for (const years of ['"two"', '["{1}"]', '""'])
      assert.equal(
        (await refused(`{ up_lib_editions(where: {years: {_eq: ${years}}}) { id } }`))[0],
        'validation-failed',
      )
    assert.equal((await refused('{ up_lib_editions(where: {id: {_in: "{1}"}}) { id } }'))[0], 'validation-failed')
    assert.equal((await refused('{ up_lib_editions(where: {id: {_eq: "{1}"}}) { id } }'))[0], 'validation-failed')
  })

  test('of JSON takes a document written out or in a variable', async () => {
    const details = { street: '161, 19th Main Road', parts: [1, null, { deep: 'é "quoted"' }] }
    assert.deepEqual(
      (await insert('name: "Document", details: $details', { details }, '($details: jsonb)')).details,
      details,
    )
    const inline = await insert('name: "Inline", details: {street: "Main", parts: [1, {deep: true}]}')
    assert.deepEqual(inline.details, { street: 'Main', parts: [1, { deep: true }] })
  })

  test('of numbers takes them as text too, without losing digits', async () => {
    const balance = '12345678901234567890.123456789'
    await insert(`name: "Digits", pen_name: "digits", balance: "${balance}"`)
    assert.deepEqual(await writing().rows(`select balance::text from up_lib_authors where pen_name = 'digits'`), [
      { balance },
    ])
  })
})
