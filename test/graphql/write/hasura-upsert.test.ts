// Upserts, case by case as Hasura documents them, and where we go further.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HERE, useWriting } from './use-writing.ts'

const writing = useWriting()

const KEY = 'up_lib_authors_pen_name_key'

const upsert = (objects: readonly object[], conflict: string) =>
  writing()
    .data(
      `mutation ($objects: [up_lib_authors_insert_input!]!) {
         insert_up_lib_authors(objects: $objects, on_conflict: ${conflict}) {
           affected_rows returning { name pen_name rating } } }`,
      { variables: { objects: objects.map(one => ({ masjid_id: HERE, ...one })) } },
    )
    .then(data => data.insert_up_lib_authors)

const stored = (pen_name: string) =>
  writing().rows(`select name, rating from up_lib_authors where pen_name = '${pen_name}'`)

test('columns outside update_columns keep their values', async () => {
  await upsert([{ name: 'Ann', pen_name: 'kept', rating: 2 }], `{constraint: ${KEY}}`)
  const response = await upsert(
    [{ name: 'Anna', pen_name: 'kept', rating: 5 }],
    `{constraint: ${KEY}, update_columns: [name]}`,
  )
  assert.deepEqual(response, { affected_rows: 1, returning: [{ name: 'Anna', pen_name: 'kept', rating: 2 }] })
})

test('a column of update_columns that was not sent gets its default, as in PostgreSQL', async () => {
  await upsert([{ name: 'Ann', pen_name: 'default', rating: 5 }], `{constraint: ${KEY}}`)
  await upsert([{ name: 'Ann', pen_name: 'default' }], `{constraint: ${KEY}, update_columns: [rating]}`)
  assert.deepEqual(await stored('default'), [{ name: 'Ann', rating: 3 }])
})

test('update_columns is empty unless given: existing rows are left alone, new ones inserted and counted', async () => {
  const rows = [{ name: 'Old', pen_name: 'ignored' }]
  await upsert(rows, `{constraint: ${KEY}}`)
  for (const conflict of [`{constraint: ${KEY}}`, `{constraint: ${KEY}, update_columns: []}`]) {
    const pen_name = `new ${conflict.length}`
    const response = await upsert(
      [
        { name: 'Other', pen_name: 'ignored' },
        { name: 'New', pen_name },
      ],
      conflict,
    )
    assert.deepEqual(response, { affected_rows: 1, returning: [{ name: 'New', pen_name, rating: 3 }] })
  }
  assert.deepEqual(await stored('ignored'), [{ name: 'Old', rating: 3 }])
})

test('where decides by the existing row; one that it leaves alone is neither counted nor returned', async () => {
  await upsert(
    [
      { name: 'Low', pen_name: 'low', rating: 1 },
      { name: 'High', pen_name: 'high', rating: 5 },
    ],
    `{constraint: ${KEY}}`,
  )
  const response = await upsert(
    [
      { name: 'New low', pen_name: 'low', rating: 4 },
      { name: 'New high', pen_name: 'high', rating: 4 },
    ],
    `{constraint: ${KEY}, update_columns: [rating], where: {rating: {_lt: 3}}}`,
  )
  assert.deepEqual(response, { affected_rows: 1, returning: [{ name: 'Low', pen_name: 'low', rating: 4 }] })
  assert.deepEqual(await stored('high'), [{ name: 'High', rating: 5 }])
})

test('what an insert needs is needed for an upsert of an existing row too', async () => {
  await upsert([{ name: 'Ann', pen_name: 'needed' }], `{constraint: ${KEY}}`)
  const { extensions } = await writing().error(
    `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", pen_name: "needed", rating: 1},
       on_conflict: {constraint: ${KEY}, update_columns: [rating]}) { id } }`,
  )
  assert.deepEqual(extensions, { code: 'constraint-violation', rule: 'missing-value', columns: ['name'] })
})

test('only the named constraint is handled; a collision with another one is an error', async () => {
  await upsert([{ name: 'Ann', pen_name: 'named' }], `{constraint: ${KEY}}`)
  const { extensions } = await writing().error(
    `mutation { insert_up_lib_authors_one(object: {masjid_id: "${HERE}", name: "Bo", pen_name: "named"},
       on_conflict: {constraint: up_lib_authors_pkey, update_columns: [name]}) { id } }`,
  )
  assert.deepEqual([extensions.code, extensions.constraint], ['constraint-violation', KEY])
})

test('null as on_conflict counts as none', async () => {
  const document = `mutation ($conflict: up_lib_authors_on_conflict) { insert_up_lib_authors_one(
    object: {masjid_id: "${HERE}", name: "Ann", pen_name: "null"}, on_conflict: $conflict) { name } }`
  assert.deepEqual(await writing().data(document, { variables: { conflict: null } }), {
    insert_up_lib_authors_one: { name: 'Ann' },
  })
  assert.equal((await writing().error(document)).extensions.constraint, KEY)
})

test('on_conflict as a whole can be a variable', async () => {
  await upsert([{ name: 'Ann', pen_name: 'variable' }], `{constraint: ${KEY}}`)
  const conflict = { constraint: KEY, update_columns: ['name'], where: { name: { _eq: 'Ann' } } }
  const { insert_up_lib_authors_one: row } = await writing().data(
    `mutation ($conflict: up_lib_authors_on_conflict) { insert_up_lib_authors_one(
       object: {masjid_id: "${HERE}", name: "Anna", pen_name: "variable"}, on_conflict: $conflict) { name } }`,
    { variables: { conflict } },
  )
  assert.deepEqual(row, { name: 'Anna' })
})

/** Hasura fails here, as PostgreSQL does with all rows in one statement. */
test('the same row twice in one list: the last one wins, each is counted', async () => {
  const response = await upsert(
    [
      { name: 'First', pen_name: 'twice' },
      { name: 'Last', pen_name: 'twice' },
    ],
    `{constraint: ${KEY}, update_columns: [name]}`,
  )
  assert.equal(response.affected_rows, 2)
  assert.deepEqual(await stored('twice'), [{ name: 'Last', rating: 3 }])
})
